//! The names of the boxes on a page: those who hear it go from one to the next by name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::pattern::pattern;

/// Gives each box that scrolls a name of its own. Two chapters on one page each have a "Command 1".
pub(crate) fn named_once(page: &str) -> String {
    static REGION: LazyLock<Regex> =
        LazyLock::new(|| pattern(" role=\"region\" aria-label=\"([^\"]*)\""));
    let mut seen = BTreeMap::new();
    let named = |region: &Captures<'_>| {
        let count = *seen.entry(region[1].to_string()).and_modify(|count| *count += 1).or_insert(1);
        match count {
            1 => region[0].to_string(),
            _ => format!(" role=\"region\" aria-label=\"{} ({count})\"", &region[1]),
        }
    };
    REGION.replace_all(page, named).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_one_name_are_told_apart() {
        let named =
            |name: &str| format!("<code tabindex=\"0\" role=\"region\" aria-label=\"{name}\">");
        let page = ["Command 1", "Output 1", "Command 1", "Command 1"].map(named).concat();
        let wanted =
            ["Command 1", "Output 1", "Command 1 (2)", "Command 1 (3)"].map(named).concat();
        assert_eq!(named_once(&page), wanted);
    }
}
