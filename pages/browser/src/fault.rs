use std::fmt;

use anyhow::Result;

/// No check names more faults of one place than this: the others mostly follow from them.
const MOST: usize = 5;

/// Something that a reader would see go wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The page, and how it was looked at.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.what)
    }
}

/// The faults of one place; that it could not be looked at is one, too.
pub(crate) fn faults_at(place: &str, found: Vec<String>, outcome: Result<()>) -> Vec<Fault> {
    let broken = outcome.err().map(|error| format!("cannot be checked: {error:#}"));
    let all = found.into_iter().take(MOST).chain(broken);
    all.map(|what| Fault { place: place.to_string(), what }).collect()
}
