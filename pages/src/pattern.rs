//! Patterns, which take longer to compile than most pages to be searched: each does so once.

use regex::Regex;

/// A pattern for a static.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}
