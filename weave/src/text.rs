//! Lines and offsets of a text, and files as text.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::anchors::pattern;
use crate::fault::{Fault, What};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Answers which line an offset is on.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Lines {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines { starts: std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect() }
    }

    /// The line of `offset`, counted from 1.
    pub(crate) fn of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The offset where line `number` starts; the end of the text for a later one.
    pub(crate) fn start(&self, number: usize, text: &str) -> usize {
        let start = self.starts.get(number.saturating_sub(1)).copied();
        start.unwrap_or(text.len())
    }
}

/// What no editor shows as what it is: control characters, those that turn the direction of text,
/// those without width or ink, and the like. A selector after a picture says how to draw it.
static UNSEEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) [\p{Emoji}--\p{ascii}] [\u{fe0e}\u{fe0f}]
            | (?<unseen> [ \p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800} -- [\n\r\t] ] )",
    )
});

/// The first character of a text that an editor does not show.
fn unseen(text: &str) -> Option<char> {
    let found = UNSEEN.captures_iter(text).find_map(|found| found.name("unseen"));
    found.and_then(|found| found.as_str().chars().next())
}

/// A text without what an editor does not show.
pub(crate) fn unseen_aside(text: &str) -> Cow<'_, str> {
    UNSEEN.replace_all(text, "")
}

/// Reads `file` below `root`, without a byte order mark and with LF line endings,
/// so that one fault does not bring others with it.
///
/// What an editor does not show is a fault: a reader of the source would take the text for another.
/// Of two such things mdBook and Rust make different texts, too. A carriage return: mdBook drops it
/// inside an anchor and keeps it elsewhere, and Markdown ends a line at one without LF. A byte
/// order mark: mdBook drops it from a chapter, not from an included file, and Rust's parser counts
/// no byte for it.
pub(crate) fn read(root: &Path, file: &Path, faults: &mut Vec<Fault>) -> Option<String> {
    let bytes = match fs::read(root.join(file)) {
        Ok(bytes) => bytes,
        Err(error) => {
            faults.push(What::Unreadable(error.to_string()).at(file, 1));
            return None;
        }
    };
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + sound.iter().filter(|byte| **byte == b'\n').count();
            faults.push(What::NotUtf8.at(file, line));
            return None;
        }
    };
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
        faults.push(What::ByteOrderMark.at(file, 1));
    }
    if let Some(line) = text.split('\n').position(|line| line.contains('\r')) {
        faults.push(What::CarriageReturn.at(file, line + 1));
        text = text.replace("\r\n", "\n");
    }
    for (number, line) in (1..).zip(text.split('\n')) {
        faults.extend(unseen(line).map(|letter| What::Unseen(letter).at(file, number)));
    }
    Some(text)
}

/// The files below `root/folder` that `wanted` accepts, sorted and relative to
/// `root`. A folder that does not exist has none.
pub(crate) fn files(root: &Path, folder: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root.join(&folder));
        for entry in entries.into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if wanted(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether this is a Rust file, by its name.
pub(crate) fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "rs")
}

/// `path` without `.` and `..`; none when it climbs above its start.
pub(crate) fn normalize(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if clean.pop() => {}
            Component::Normal(name) => clean.push(name),
            _ => return None,
        }
    }
    Some(clean)
}

/// `path` with forward slashes, for messages and Markdown.
pub(crate) fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
