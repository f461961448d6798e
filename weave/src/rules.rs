//! The rules for a listing's text.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

use crate::anchors::Region;
use crate::book::Listing;
use crate::fault::{Fault, What};
use crate::library::Library;
use crate::names::{Definition, Rank, Word};
use crate::source::{attribute, Source};
use crate::switches::Kind;
use crate::text::{slashed, Lines};

/// A listing fits about two screens.
pub(crate) const MOST_LINES: usize = 120;
/// A listing's line fits a page, and rustfmt's setting.
pub(crate) const MOST_COLUMNS: usize = 100;

/// What a `rust` fence without further words may be called, and what it may not.
pub(crate) const OTHER_LANGUAGES: [&str; 7] =
    ["text", "console", "toml", "sh", "json", "python", "markdown"];

/// Holds the text of one listing, at `place` in its chapter, to the rules.
pub(crate) fn listing(
    listing: &Listing,
    region: &Region,
    library: &Library,
    faults: &mut Vec<What>,
) {
    if listing.text.strip_suffix('\n') != Some(region.text.as_str()) {
        faults.push(What::Drift(region.place()));
    }
    if listing.lines.len() > MOST_LINES {
        faults.push(What::TooLong(listing.lines.len()));
    }
    if listing.text.contains("\"####") {
        faults.push(What::Hashes);
    }
    for (number, line) in listing.lines.iter().zip(region.text.split('\n')) {
        let place = || format!("line {number} of {}", slashed(&listing.source));
        let columns = line.chars().count();
        if columns > MOST_COLUMNS {
            faults.push(What::TooWide(place(), columns));
        }
        // mdBook hides `# ` and `#` and shortens `##`; skeptic drops the mark.
        let mark = line.trim_start().strip_prefix('#');
        if mark.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '#'])) {
            faults.push(What::Hidden(place()));
        }
    }
    let Some(source) = library.sources.get(&region.file) else {
        return;
    };
    let inside = |at: usize| (region.opened..region.closed).contains(&source.lines.of(at));
    // A marker in a string or a comment is a fault by itself.
    let is_in_text = |line: usize| {
        let start = source.lines.start(line, &source.text);
        source.opaque.iter().any(|text| text.contains(&start))
    };
    let cut_from_text = is_in_text(region.opened);
    let has_code = source.words.iter().any(|word| inside(word.start));
    if !cut_from_text && !has_code {
        faults.push(What::NoCode);
    }
    let ends_in_text = is_in_text(region.closed);
    if !cut_from_text && !ends_in_text {
        let tokens = region.text.parse::<TokenStream>();
        if tokens.is_err() {
            faults.push(What::Cut);
        } else if has_code && tokens.is_ok_and(ends_too_early) {
            faults.push(What::EndsTooEarly);
        }
    }
    let (start, end) = (region.opened, region.closed);
    let lines = |part: &Range<usize>| (source.lines.of(part.start), source.lines.of(part.end));
    if source.gates.iter().any(|gate| inside(gate.start)) {
        faults.push(What::FeatureGate);
    } else if source.conditions.iter().map(lines).any(|(first, last)| first < end && last > start) {
        faults.push(What::Conditional);
    }
    for switch in &source.switches {
        if matches!(switch.kind, Kind::Ends | Kind::Asks) && inside(switch.start) {
            faults.push(What::ListingSwitch(switch.what.clone()));
        }
    }
    // A macro that the region prints as a whole says for itself what it drops.
    let within = |line: usize, (first, last)| first < line && line < last;
    if source.macros.iter().map(lines).any(|part| within(start, part) || within(end, part)) {
        faults.push(What::InMacro);
    }
    for module in source.modules.iter().filter(|module| !module.test) {
        if inside(module.span.start) {
            faults.push(What::ModuleInside(module.name.clone()));
        }
    }
    if library.module(&region.file).is_none() {
        faults.push(What::Unreachable);
    }
}

/// Whether the last of these tokens is an attribute or a doc comment of what would follow.
fn ends_too_early(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let Some((last, rest)) = tokens.split_last() else { return false };
    rest.last().is_some_and(|hash| attribute(hash, std::slice::from_ref(last)).is_some())
}

/// Holds the files that become part of a listing's test to the rules of such
/// a test. Reported at their own lines.
pub(crate) fn hosts(listing: &Listing, library: &Library, faults: &mut Vec<Fault>) {
    for (file, source) in library.chain(&listing.source) {
        if let Some(at) = source.text.find("\"####") {
            faults.push(What::Hashes.at(file, source.lines.of(at)));
        }
        for (at, name) in &source.includes {
            // Inner attributes are left out of the test, includes and all.
            if !source.inner.iter().any(|inner| inner.contains(at)) {
                let what = What::RelativeInclude(name.clone());
                faults.push(what.at(file, source.lines.of(*at)));
            }
        }
    }
}

/// Holds the check file of a listing to the rules of the tests it becomes part of.
pub(crate) fn check(listing: &Listing, text: &str, library: &Library, faults: &mut Vec<Fault>) {
    let file = &listing.check;
    let called = text.contains("pub(crate) fn check()");
    if !called {
        faults.push(What::NoCheckFunction.at(file, 1));
    }
    let lines = Lines::new(text);
    if let Some(at) = text.find("\"####") {
        faults.push(What::Hashes.at(file, lines.of(at)));
    }
    match Source::parse(file, text) {
        Ok(source) => {
            let left_out = |at: &usize| source.conditions.iter().any(|part| part.contains(at));
            if called && source.assertions.iter().all(left_out) {
                faults.push(What::NoAssertion.at(file, 1));
            } else if let Some(name) = called.then(|| unnamed(listing, &source, library)).flatten()
            {
                faults.push(What::UnrelatedCheck(name).at(file, 1).on(&listing.anchor));
            }
            // A check may have a macro of its own, and may ask for a name as text.
            for switch in source.switches.into_iter().filter(|one| one.kind != Kind::Unread) {
                faults.push(What::CheckSwitch(switch.what).at(file, switch.line));
            }
            for (at, name) in source.includes {
                faults.push(What::RelativeInclude(name).at(file, lines.of(at)));
            }
        }
        Err(fault) => faults.push(fault),
    }
}

/// The first thing that a listing defines, if its check names none of them: what stands in it, else
/// what it is a part of, items before fields and variants, and the type of an implementation only
/// where nothing else has a name. Of a listing that defines nothing any name will do.
fn unnamed(listing: &Listing, check: &Source, library: &Library) -> Option<String> {
    let source = library.sources.get(&listing.source)?;
    let printed = listing.first_line..=listing.last_line;
    let met: Vec<(&Definition, bool)> = source
        .defined
        .iter()
        .filter_map(|one| {
            let (first, last) = (source.lines.of(one.part.start), source.lines.of(one.part.end));
            let inside = printed.contains(&first) && printed.contains(&last);
            (first <= listing.last_line && last >= listing.first_line).then_some((one, inside))
        })
        .collect();
    // Every implementation of a type has its name, so this comes last wherever it stands.
    let tier = |(one, inside): &(&Definition, bool)| (one.rank == Rank::Shared, !inside, one.rank);
    let best = met.iter().map(tier).min();
    let defined = met.iter().filter(|one| Some(tier(one)) == best);
    let mut names: Vec<String> = defined.map(|(one, _)| one.name.clone()).collect();
    if names.is_empty() {
        let words =
            source.words.iter().filter(|word| printed.contains(&source.lines.of(word.start)));
        names = words.filter_map(Word::name).collect();
    }
    let named = names.iter().any(|name| check.names.contains(name));
    names.into_iter().next().filter(|_| !named)
}
