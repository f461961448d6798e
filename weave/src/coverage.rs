//! Which source lines the pages print.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::anchors::is_marker;
use crate::book::{Book, Kind};
use crate::fault::{Fault, Faults};
use crate::source::{is_test, parse};

/// The lines of one folder, by how the full listings print them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Lines that must be printed and are, by exactly one full listing.
    pub once: usize,
    /// Lines that may stay off the page: `use`, `mod` and `#[cfg(test)]` items,
    /// `//!`, blank lines and anchor markers.
    pub exempt: usize,
    /// Lines that must be printed and are in no full listing.
    pub missing: Vec<(PathBuf, usize)>,
    /// Lines that more than one full listing prints.
    pub repeated: Vec<(PathBuf, usize)>,
}

impl Coverage {
    /// The share of lines printed exactly once, among those that must be.
    /// A folder without such lines counts as printed.
    #[must_use]
    pub fn percent(&self) -> f64 {
        let all = self.once + self.missing.len() + self.repeated.len();
        if all == 0 {
            return 100.0;
        }
        100.0 * self.once as f64 / all as f64
    }
}

/// Counts the lines of every `.rs` file below `folder` (relative to the root).
///
/// # Errors
///
/// A file that is not Rust.
pub fn coverage(book: &Book, folder: impl AsRef<Path>) -> Result<Coverage, Faults> {
    let folder = folder.as_ref();
    let mut printed: BTreeMap<(&Path, usize), usize> = BTreeMap::new();
    for listing in book.listings().filter(|listing| listing.kind == Kind::Full) {
        for line in &listing.lines {
            *printed.entry((&listing.source, *line)).or_default() += 1;
        }
    }
    let mut total = Coverage::default();
    let mut faults = Vec::new();
    let sources = book.library.sources.iter();
    for (file, source) in sources.filter(|(file, _)| file.starts_with(folder)) {
        match exempt(file, &source.text) {
            Ok(exempt) => {
                for (number, exempt) in (1..).zip(exempt) {
                    let place = || (file.clone(), number);
                    match printed.get(&(file.as_path(), number)).copied().unwrap_or(0) {
                        times if times > 1 => total.repeated.push(place()),
                        _ if exempt => total.exempt += 1,
                        1 => total.once += 1,
                        _ => total.missing.push(place()),
                    }
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() {
        Ok(total)
    } else {
        Err(Faults(faults))
    }
}

/// For each line of a file, whether it may stay off the page.
fn exempt(file: &Path, text: &str) -> Result<Vec<bool>, Fault> {
    let (_, syntax) = parse(file, text)?;
    let mut items = OffPage(Vec::new());
    items.visit_file(&syntax);
    let mut lines: Vec<bool> = text
        .lines()
        .map(|line| {
            let trimmed = line.trim();
            trimmed.is_empty() || trimmed.starts_with("//!") || is_marker(line)
        })
        .collect();
    for (first, last) in items.0 {
        for line in first..=last {
            if let Some(exempt) = lines.get_mut(line - 1) {
                *exempt = true;
            }
        }
    }
    Ok(lines)
}

/// The first and last lines of the items that may stay off the page.
struct OffPage(Vec<(usize, usize)>);

impl OffPage {
    fn add(&mut self, item: &impl Spanned) {
        let span = item.span();
        self.0.push((span.start().line, span.end().line));
    }
}

impl<'a> Visit<'a> for OffPage {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let off = match item {
            syn::Item::Use(_) => true,
            syn::Item::Mod(module) => module.content.is_none() || is_test(&module.attrs),
            syn::Item::Fn(item) => is_test(&item.attrs),
            syn::Item::Impl(item) => is_test(&item.attrs),
            syn::Item::Const(item) => is_test(&item.attrs),
            syn::Item::Static(item) => is_test(&item.attrs),
            syn::Item::Struct(item) => is_test(&item.attrs),
            syn::Item::Enum(item) => is_test(&item.attrs),
            syn::Item::Type(item) => is_test(&item.attrs),
            syn::Item::Trait(item) => is_test(&item.attrs),
            syn::Item::Macro(item) => is_test(&item.attrs),
            _ => false,
        };
        if off {
            self.add(item);
        } else {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'a syn::ImplItem) {
        let off = match item {
            syn::ImplItem::Fn(item) => is_test(&item.attrs),
            syn::ImplItem::Const(item) => is_test(&item.attrs),
            _ => false,
        };
        if off {
            self.add(item);
        } else {
            visit::visit_impl_item(self, item);
        }
    }
}
