//! The regions that markers cut out of the sources, by mdBook's own rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::fault::{Fault, What};
use crate::source::Source;
use crate::text::slashed;

/// What mdBook takes for a marker, anywhere in a line.
static START: LazyLock<Regex> = LazyLock::new(|| pattern(r"ANCHOR:\s*([\w_-]+)"));
static END: LazyLock<Regex> = LazyLock::new(|| pattern(r"ANCHOR_END:\s*([\w_-]+)"));
/// What this book writes.
static STRICT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*// ANCHOR(_END)?: ([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$"));

/// A fixed pattern; a wrong one fails the first test that runs.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The text between a pair of markers.
#[derive(Debug, Clone)]
pub(crate) struct Region {
    pub(crate) file: PathBuf,
    /// The line of the opening marker; the region starts below it.
    pub(crate) opened: usize,
    /// The line of the closing marker.
    pub(crate) closed: usize,
    /// The lines that mdBook prints: all but the markers inside.
    pub(crate) lines: Vec<usize>,
    /// Those lines as mdBook joins them, without a final newline.
    pub(crate) text: String,
}

impl Region {
    /// The region, for messages.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", slashed(&self.file), self.opened + 1)
    }
}

/// Whether mdBook reads this line as a marker.
pub(crate) fn is_marker(line: &str) -> bool {
    START.is_match(line) || END.is_match(line)
}

/// Markers that mdBook takes for such, although they are no comments: each is
/// cut from the middle of a string, or opens a region that no compiler reads.
pub(crate) fn in_text(file: &Path, source: &Source, faults: &mut Vec<Fault>) {
    for (number, line) in (1..).zip(source.text.lines()) {
        // Every other form is a fault already.
        let Some(name) = STRICT.captures(line).map(|found| found[2].to_owned()) else { continue };
        let at = source.lines.start(number, &source.text) + line.len();
        if source.opaque.iter().any(|text| text.contains(&at)) {
            faults.push(What::MarkerInText.at(file, number).on(name));
        }
    }
}

/// Whether `text` opens `anchor`, and whether it closes it after that.
pub(crate) fn has(text: &str, anchor: &str) -> (bool, bool) {
    let named =
        |regex: &Regex, line: &str| regex.captures(line).is_some_and(|found| &found[1] == anchor);
    let mut lines = text.lines();
    let opened = lines.any(|line| named(&START, line));
    (opened, lines.any(|line| named(&END, line)))
}

/// Adds the regions of one source file to `regions`.
pub(crate) fn scan(
    file: &Path,
    text: &str,
    regions: &mut BTreeMap<String, Region>,
    faults: &mut Vec<Fault>,
) {
    let mut open: BTreeMap<String, Region> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let start = START.captures(line).map(|found| found[1].to_owned());
        let end = END.captures(line).map(|found| found[1].to_owned());
        let comment = line.trim_start();
        let near_miss = comment.starts_with("//")
            && !comment.starts_with("///")
            && !comment.starts_with("//!")
            && comment.contains("ANCHOR");
        if (start.is_some() || end.is_some() || near_miss) && !STRICT.is_match(line) {
            let fault = What::Marker.at(file, number);
            faults.push(match start.as_ref().or(end.as_ref()) {
                Some(name) => fault.on(name),
                None => fault,
            });
        }
        match (start, end) {
            (Some(name), _) => {
                let earlier = open.get(&name).or_else(|| regions.get(&name));
                if let Some(earlier) = earlier {
                    let place = format!("{}:{}", slashed(&earlier.file), earlier.opened);
                    faults.push(What::DuplicateAnchor(place).at(file, number).on(name));
                } else {
                    let region = Region {
                        file: file.to_path_buf(),
                        opened: number,
                        closed: number,
                        lines: Vec::new(),
                        text: String::new(),
                    };
                    open.insert(name, region);
                }
            }
            (None, Some(name)) => match open.remove(&name) {
                Some(mut region) => {
                    region.closed = number;
                    if region.text.trim().is_empty() {
                        faults.push(What::EmptyAnchor.at(file, region.opened).on(&name));
                    }
                    regions.insert(name, region);
                }
                None => faults.push(What::UnopenedAnchor.at(file, number).on(name)),
            },
            (None, None) => {
                for region in open.values_mut() {
                    if !region.lines.is_empty() {
                        region.text.push('\n');
                    }
                    region.lines.push(number);
                    region.text.push_str(line);
                }
            }
        }
    }
    for (name, region) in open {
        faults.push(What::UnclosedAnchor.at(file, region.opened).on(name));
    }
}
