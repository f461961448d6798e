//! What the tangle writes, and that a listing's program goes red with it.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use crate::mini::Mini;
use pullback_weave::{open, programs, tangle};
use tempfile::TempDir;

fn rustc(folder: &Path) -> Command {
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition=2021", "--cap-lints=allow"]).current_dir(folder);
    rustc
}

/// Builds the program of every listing of `mini` and returns the anchors of those
/// that do not compile or do not succeed.
fn red(mini: &Mini) -> Vec<String> {
    static CLEAN: LazyLock<TempDir> = LazyLock::new(|| library(&Mini::clean()));
    let (_folder, book) = mini.load().unwrap();
    let programs = programs(&book).map(|(anchor, text)| (anchor.to_owned(), text));
    red_of(programs, CLEAN.path())
}

/// A folder with the library of a miniature, compiled as it is and with everything public.
fn library(mini: &Mini) -> TempDir {
    let folder = mini.write();
    let opened = open(folder.path(), folder.path().join("out")).unwrap();
    fs::write(folder.path().join("opened.rs"), opened).unwrap();
    for (name, file) in [("pullback", "src/lib.rs"), ("pullback_open", "opened.rs")] {
        let mut library = rustc(folder.path());
        library.args(["--crate-type=rlib", "--cfg=feature=\"shapes\"", "--crate-name", name, file]);
        let built = library.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    }
    folder
}

/// The anchors of the red ones of these programs, which link what is compiled in a folder.
fn red_of(programs: impl Iterator<Item = (String, String)>, library: &Path) -> Vec<String> {
    // Far from the sources, as skeptic runs it.
    let far = TempDir::new().unwrap();
    let is_red = |(anchor, text): &(String, String)| {
        let source = far.path().join(format!("{anchor}.rs"));
        let program = far.path().join(anchor);
        fs::write(&source, text).unwrap();
        let mut linked = rustc(library);
        for name in ["pullback", "pullback_open"] {
            linked.args(["--extern", &format!("{name}=lib{name}.rlib")]);
        }
        let built = linked.arg("-o").arg(&program).arg(&source).output().unwrap();
        !(built.status.success() && Command::new(&program).output().unwrap().status.success())
    };
    programs.filter(is_red).map(|(anchor, _)| anchor).collect()
}

#[test]
fn the_clean_book_is_green() {
    assert_eq!(red(&Mini::clean()), [""; 0]);
}

#[test]
fn a_broken_region_is_red_in_its_own_test() {
    let shapes = "src/shapes/mod.rs";
    let swapped = Mini::clean().edit(shapes, "product!(width, height)", "product!(width, width)");
    assert_eq!(red(&swapped), ["shape-area", "area-product"]);

    // A free item without its derive, and statements in the middle of a function.
    let others = Mini::clean().edit("src/shapes/error.rs", "Debug, PartialEq", "Debug").edit(
        "src/main.rs",
        "area(2, 3)",
        "area(2, 4)",
    );
    assert_eq!(red(&others), ["shape-error", "program-output"]);

    // What stands outside the region is the library's own.
    let outside = Mini::clean().edit(shapes, "$one.checked_mul($other)", "Some($one)");
    assert_eq!(red(&outside), ["shape-area", "area-product"]);
}

/// The last line of what a red listing prints.
#[test]
fn a_red_listing_names_page_source_and_check() {
    let (_folder, book) = Mini::clean().load().unwrap();
    for (listing, (anchor, program)) in book.listings().zip(programs(&book)) {
        assert_eq!(listing.anchor, anchor);
        let place = format!(
            "book/{}:{}: the listing `{anchor}` ({}:{}) fails its check, tests/listings/{anchor}.rs",
            listing.chapter.display(),
            listing.chapter_line,
            listing.source.display(),
            listing.first_line,
        );
        assert_eq!(program.matches(&format!("{place:?}")).count(), 1, "{place}");
    }
}

#[test]
fn the_printed_text_is_what_runs() {
    let (_folder, mut book) = Mini::clean().load().unwrap();
    let listing = &mut book.chapters[1].listings[0];
    assert_eq!(listing.anchor, "shape-area");
    assert!(listing.text.starts_with("/// The area of a rectangle.\n"));
    listing.text = "as a faulty expander would print it\n".to_owned();
    let (_, program) = programs(&book).next().unwrap();
    assert!(program.contains("as a faulty expander would print it\n"));
    assert!(!program.contains("The area of a rectangle."));
}

#[test]
fn the_program_around_a_region() {
    let (folder, book) = Mini::clean().load().unwrap();
    let all: Vec<(&str, String)> = programs(&book).collect();
    let program = |anchor: &str| &all.iter().find(|(name, _)| *name == anchor).unwrap().1;
    let path = |file: &str| format!("#[path = {:?}]", folder.path().join(file).to_string_lossy());

    // The modules on the way are written out and open, the others come by path,
    // gates are lifted, and the root loses its lints and includes.
    let area = program("shape-area");
    assert!(area.contains("#[cfg(all())]\npub(crate) mod shapes {\n"), "{area}");
    let error = format!("{} pub(crate) mod error;", path("src/shapes/error.rs"));
    assert!(area.contains(&error), "{area}");
    assert!(!area.contains("deny(missing_docs)") && !area.contains("include_str"), "{area}");
    assert!(area.contains("    crate::shapes::listing_check::check()\n}"), "{area}");

    // A module of the root that nothing names stays out of it; named by the check, it is there.
    assert!(!area.contains("mod sums"), "{area}");
    let named = Mini::clean().append("tests/listings/shape-area.rs", "\n// crate::sums::total\n");
    let (folder, book) = named.load().unwrap();
    let area = programs(&book).find(|(name, _)| *name == "shape-area").unwrap().1;
    let sums = format!("#[path = {:?}] pub mod sums;", folder.path().join("src/sums.rs"));
    assert!(area.contains(&sums), "{area}");

    // The program's root becomes a module, whose `crate::` paths still resolve.
    let output = program("program-output");
    assert!(output.contains("use program::*;\npub(crate) mod program {\n"), "{output}");
    assert!(output.contains(&format!("{} pub(crate) mod words;", path("src/words.rs"))));
    assert!(output.contains("    crate::program::listing_check::check()\n}"), "{output}");
}

/// What stands below all other modules. The visibilities are those of whatever another module of
/// the library may use, and of some that it may not.
const TENSOR: &str = "\
//! What the rest stands on.
mod below;
#[path = \"other.rs\"]
pub(crate) mod renamed;

pub use below::{Hidden, Rows};

/// The product.
pub fn times(one: u32, other: u32) -> u32 {
    // ANCHOR: tensor-times
    one * other
    // ANCHOR_END: tensor-times
}

pub(crate) fn one() {}
pub(in crate) fn three() {}
pub struct Five(pub(crate) u32, pub (u32, u32), pub ());
pub(crate) mod six {
    pub(super) const HIDDEN: u32 = 6;
    pub(in super::super) const SIX: u32 = HIDDEN;
    pub(crate) use super::below::Rows as Seven;
}
pub(super) fn two() {}
pub(in super) fn four() {}
macro_rules! eight {
    ($name:ident) => {
        pub(crate) fn $name() {}
    };
}
eight!(eight);
#[non_exhaustive]
pub enum Nine {
    Nine,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
}

#[cfg(test)]
#[path = \"../../tests/listings/tensor-times.rs\"]
mod check_tensor_times;
";

const BELOW: &str = "\
/// Rows.
#[derive(Debug)]
pub struct Rows(pub(crate) Vec<u32>);

impl std::ops::Deref for Rows {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl Rows {
    /// All of the library sees this one, and not the slice's own.
    pub(in super::super) fn len(&self) -> usize {
        100
    }

    // Nobody else sees these, but the slice's own.
    pub(super) fn first(&self) -> Option<&u32> {
        None
    }

    pub(in crate::tensor) fn last(&self) -> Option<&u32> {
        None
    }
}

/// Nobody else sees its field.
pub struct Hidden {
    pub(self) field: u32,
}
";

/// Programs that compile it anew have no feature either.
const GATED: &str = "#[cfg(feature = \"more\")]\ncompile_error!(\"more\");\n";

/// A book that prints a module which uses one that all programs link, and a line of that one.
fn book_of_sums() -> Mini {
    let listings = "\nAll of them:\n\n````rust\n{{#include ../src/sums.rs:sum-total}}\n````\n\
        Listing: The sum.\n\nOne:\n\n````rust\n{{#include ../src/tensor/mod.rs:tensor-times}}\n\
        ````\nListing: The product.\n";
    let sums = "\
//! Sums.
use crate::tensor::times;

// ANCHOR: sum-total
/// The sum of all areas.
pub fn total(sides: &[(u32, u32)]) -> u32 {
    sides.iter().map(|(width, height)| times(*width, *height)).sum()
}
// ANCHOR_END: sum-total
";
    let check = |body: &str| {
        format!("use super::*;\n\n/// It.\npub(crate) fn check() {{\n    {body}\n}}\n")
    };
    Mini::clean()
        .append("src/lib.rs", "pub mod tensor;\n")
        .with("src/tensor/mod.rs", TENSOR)
        .with("src/tensor/below.rs", BELOW)
        .with("src/tensor/other.rs", &format!("{GATED}pub(crate) const OTHER: u32 = 1;\n"))
        .with("src/sums.rs", sums)
        .with("tests/listings/sum-total.rs", &check("assert_eq!(total(&[(1, 2), (3, 4)]), 14);"))
        .with("tests/listings/tensor-times.rs", &check("assert_eq!(times(2, 3), 6);"))
        .append("book/ch02-shapes.md", listings)
}

const LINKED: &str = "pub use pullback_open::tensor::{self};";

fn program(mini: &Mini, anchor: &str) -> String {
    let (_folder, book) = mini.load().unwrap();
    let program = programs(&book).find(|(name, _)| *name == anchor);
    program.unwrap().1.to_owned()
}

/// Which programs of the two listings are red beside this library.
fn red_beside(mini: &Mini, library: &TempDir) -> Vec<String> {
    let (_folder, book) = mini.load().unwrap();
    let programs = programs(&book).map(|(anchor, text)| (anchor.to_owned(), text));
    let of_sums = programs.filter(|(anchor, _)| ["sum-total", "tensor-times"].contains(&&**anchor));
    red_of(of_sums, library.path())
}

fn red_beside_its_own(mini: &Mini) -> Vec<String> {
    red_beside(mini, &library(mini))
}

#[test]
fn what_stands_below_all_other_modules_is_linked() {
    let mini = book_of_sums();
    assert!(program(&mini, "sum-total").contains(LINKED));
    assert_eq!(red_beside_its_own(&mini), [""; 0]);

    // All that a module may use of another one.
    let uses = "\
    use crate::tensor::*;
    (one(), two(), three(), four(), eight());
    match Nine::Nine {
        Nine::Nine => {}
    }
    let _ = (Five(1, (2, 3), ()).0, six::SIX, renamed::OTHER);
    let rows = six::Seven(vec![1, 2]);
    assert_eq!(rows.len(), 100);
    assert_eq!((rows.first(), rows.last()), (Some(&1), Some(&2)));
    sides.iter()";
    let mini = mini.edit("src/sums.rs", "    sides.iter()", uses);
    assert_eq!(red_beside_its_own(&mini), [""; 0]);
    // What one part of the crate alone sees, no other one does.
    let hidden = "let _ = |hidden: crate::tensor::Hidden| hidden.field;\n    let _ = (";
    let hidden = mini.clone().edit("src/sums.rs", "let _ = (", hidden);
    assert_eq!(red_beside(&hidden, &library(&mini)), ["sum-total"]);
    // All of the crate sees a private module of its root.
    let private = mini.clone().edit("src/lib.rs", "pub mod tensor", "mod tensor");
    assert!(program(&private, "sum-total").contains(LINKED));
    assert_eq!(red_beside_its_own(&private), [""; 0]);
    // A function may have the name of the module.
    let named = mini
        .clone()
        .append("src/lib.rs", "pub use tensor::tensor;\n")
        .append("src/tensor/mod.rs", "/// The function.\npub fn tensor() {}\n");
    assert!(program(&named, "sum-total").contains(LINKED));
    assert_eq!(red_beside_its_own(&named), [""; 0]);

    let wrong = mini.edit("src/sums.rs", ".sum()", ".count() as u32");
    assert!(program(&wrong, "sum-total").contains(LINKED));
    assert_eq!(red_beside_its_own(&wrong), ["sum-total"]);
}

#[test]
fn a_listing_of_what_is_linked_is_compiled_with_all_of_it() {
    let mini = book_of_sums();
    let times = program(&mini, "tensor-times");
    assert!(times.contains("pub mod tensor {") && !times.contains("pullback_open"), "{times}");
    let private = mini.clone().edit("src/lib.rs", "pub mod tensor", "mod tensor");
    assert!(program(&private, "tensor-times").contains("pub(crate) mod tensor {"));
    // The sum is made with the copy, which is as wrong.
    let wrong = mini.clone().edit("src/tensor/mod.rs", "one * other", "one + other");
    assert_eq!(red_beside_its_own(&wrong), ["sum-total", "tensor-times"]);
    assert_eq!(red_beside(&wrong, &library(&mini)), ["tensor-times"]);
    // An attribute may say more of a module.
    let gated = mini.edit("src/lib.rs", "pub mod tensor", "#[rustfmt::skip]\npub mod tensor");
    assert!(!program(&gated, "sum-total").contains("pullback_open"));
    assert_eq!(open_text(&gated), "");
}

fn open_text(mini: &Mini) -> String {
    let folder = mini.write();
    open(folder.path(), folder.path().join("out")).unwrap()
}

/// Whether a crate with the copy compiles.
fn copy_compiles(mini: &Mini) -> bool {
    let folder = mini.write();
    let opened = open(folder.path(), folder.path().join("out")).unwrap();
    fs::write(folder.path().join("opened.rs"), opened).unwrap();
    let mut copy = rustc(folder.path());
    // As a linter does that looks at tests as well.
    copy.args(["--test", "--crate-name=pullback_open", "opened.rs"]);
    copy.output().unwrap().status.success()
}

#[test]
fn a_copy_of_nothing_is_refused() {
    let folder = book_of_sums().write();
    let error = open(folder.path().join("weave"), folder.path().join("out")).unwrap_err();
    assert!(error.to_string().ends_with("lib.rs: there is no library"), "{error}");
}

#[test]
fn a_linked_module_uses_no_other_one() {
    assert!(copy_compiles(&book_of_sums()));
    let line = book_of_sums().text("src/tensor/mod.rs").lines().count() + 1;
    for uses in [
        "use crate::sums::total as _;",
        "use crate::{sums as other};",
        "use super::sums as other;",
        "macro_rules! nine { () => { crate::sums::total(&[]) }; } fn nine() { nine!(); }",
        "impl Default for crate::ShapeError { fn default() -> Self { Self(1) } }",
        "mod deep { use super::super::sums::total as _; }",
    ] {
        let mini = book_of_sums().append("src/tensor/mod.rs", uses);
        refused(mini, "src/tensor/mod.rs", line, "a way to names of the root");
    }
}

#[test]
fn a_macro_that_may_mean_another_thing_in_a_copy_is_refused() {
    let line = BELOW.lines().count() + 1;
    for (text, what) in [
        ("macro_rules! m { () => { pub(super) fn x() {} }; }", "a macro with `pub(super)`"),
        ("macro_rules! m { () => { pub(in crate) fn x() {} }; }", "a macro with `pub(in crate)`"),
        ("macro_rules! m { () => { mod x { pub(self) fn x() {} } }; }", "a macro with `pub(self)`"),
        ("macro_rules! m { ($v:tt) => { pub($v) fn x() {} }; }", "a macro with `pub($ v)`"),
        ("macro_rules! m { (pub(crate)) => {}; (pub) => {}; }", "a macro with `pub`"),
        ("mod x { macro_rules! m { (x (pub(crate))) => {}; } }", "a macro with `pub`"),
        ("macro_rules! m { ($v:vis) => { stringify!($v) }; }", "a macro with `:vis`"),
        ("macro_rules! m { ($v:vis $pub:ident) => {}; }", "a macro with `:vis`"),
        ("macro_rules! m { (x (pub crate)) => {}; }", "a macro with `pub`"),
        ("const X: &str = stringify!(pub(crate) x);", "a macro with `pub(crate)`"),
        ("m! { mod x { pub(super) fn x() {} } }", "a macro with `pub(super)`"),
        ("macro_rules! m { () => { n!(pub(crate)) }; }", "a macro with `pub(crate)`"),
        ("mod x { #![macro_use] }", "`#![macro_use]` takes"),
    ] {
        refused(
            book_of_sums().append("src/tensor/below.rs", text),
            "src/tensor/below.rs",
            line,
            what,
        );
    }
    let fine = "macro_rules! m { ($t:ty, $pub:tt) => { \
        pub(crate) struct X(pub (u32, $t), pub ($t, u8)); }; }";
    assert!(copy_compiles(&book_of_sums().append("src/tensor/below.rs", fine)));
}

/// In the copy `super` has only some of its names, and what is missing may be in the prelude.
#[test]
fn a_way_to_names_of_the_root_is_refused() {
    let what = "a way to names of the root";
    let line = BELOW.lines().count() + 1;
    for text in [
        "use crate::*;",
        "use super::super::*;",
        "use {std::fmt, crate::*};",
        "use crate::{tensor::one, *};",
        "use super::{renamed, super::*};",
        "use self::{super::{super::*}};",
        "use crate as root; use root::*;",
        "use crate::{self as root};",
        "use super::super as root;",
        "mod deep { use super::super::super::*; }",
        "mod deep { use super::{super::{super::{self as root}}}; }",
        "fn deep() { use crate::*; }",
        "extern crate self as root;",
        "macro_rules! m { () => { use super::*; }; }",
        "macro_rules! m { () => { use $crate::*; }; }",
        "macro_rules! m { () => { use super::{super::super as root}; }; }",
        "macro_rules! m { ($p:path) => { use $p::*; }; } m!(crate);",
        "macro_rules! m { ($p:path) => { use $p::*; }; } m!(super::super);",
        "macro_rules! m { ($p:ident) => { use $p::$p::*; }; } m!(super);",
        "macro_rules! m { ($($p:tt)*) => { use $($p)*::*; }; } m!(super :: super);",
        "macro_rules! m { ($p:ident) => { use $p::super::*; }; }",
        "macro_rules! m { () => { use self::super::*; }; }",
        "macro_rules! m { ($p:ident) => { m!(super $p) }; ($a:ident $b:ident) => {}; }",
        "macro_rules! m { ($p:ident) => {}; } fn x() { r#m!((super)); }",
        "macro_rules! m { () => { use $crate::other; }; }",
        "use crate::tensor;",
        "use crate::{tensor as own};",
        "use super::super::{tensor, other::Name};",
        "use crate::other;",
        "fn deep() -> u32 { crate::other::ten() }",
    ] {
        refused(
            book_of_sums().append("src/tensor/below.rs", text),
            "src/tensor/below.rs",
            line,
            what,
        );
    }
    for fine in [
        "mod deep { use super::*; use self::*; use crate::tensor::*; use super::{super::*}; }",
        "use super::{self as above, renamed::{self, *}}; use std::fmt::{self, *};",
        "fn deep() { assert!(matches!(super::one(), ())); }",
        "macro_rules! m { () => { use self::Kind::*; use $crate::tensor::one; }; } m!();",
        "pub(in crate::tensor) fn deep() {} pub struct Deep(pub(crate) u8);",
        "use crate::tensor::{self, one as first, renamed::{OTHER}};",
        "#[cfg(test)] mod tests { use crate::*; use super::super::*; }",
    ] {
        let mini =
            book_of_sums().append("src/tensor/below.rs", &format!("#[allow(warnings)]\n{fine}"));
        let folder = mini.write();
        open(folder.path(), folder.path().join("out")).expect(fine);
    }
}

/// Of the root the copy has only what it links.
#[test]
fn a_root_that_gives_names_another_meaning_is_refused() {
    let root = "src/lib.rs";
    let mini = book_of_sums();
    let text = mini.text(root);
    let line = 1 + text.lines().position(|line| line == "pub mod tensor;").unwrap();
    for (before, what) in [
        ("macro_rules! vec { () => {}; }", "a macro before"),
        ("vec![];", "a macro before"),
        ("#[macro_use] mod macros;", "`#[macro_use]` before"),
        ("#[cfg_attr(all(), macro_use)] mod macros;", "`#[macro_use]` before"),
        ("#[r#macro_use] mod macros;", "`#[macro_use]` before"),
        ("extern crate alloc as std;", "`extern crate` before"),
    ] {
        let both = format!("{before}\npub mod tensor;");
        let mini = book_of_sums().with("src/macros.rs", "").edit(root, "pub mod tensor;", &both);
        refused(mini, root, line, what);
    }
    let end = text.lines().count() + 1;
    let behind = book_of_sums().append(root, "extern crate alloc as std;");
    refused(behind, root, end, "`extern crate` before");
    let inner = book_of_sums().with("src/macros.rs", "#![macro_use]\n").append(root, "mod macros;");
    refused(inner, "src/macros.rs", 1, "`#![macro_use]` takes");
    let raw = book_of_sums().with("src/macros.rs", "#![r#macro_use]\n").append(root, "mod macros;");
    refused(raw, "src/macros.rs", 1, "`#![macro_use]` takes");
    let behind = "macro_rules! vec { () => {}; }\n#[macro_use]\nmod macros;\n";
    assert!(copy_compiles(&book_of_sums().with("src/macros.rs", "").append(root, behind)));
}

#[test]
fn what_adds_to_a_linked_type_is_refused() {
    let file = "src/sums.rs";
    let line = book_of_sums().text(file).lines().count() + 1;
    let what = "this adds to `Rows`";
    for text in [
        "impl crate::tensor::Rows { pub fn one(&self) {} }",
        "impl PartialOrd for crate::tensor::Rows {}",
        "impl<T: Fn(u8) -> u8> Other<T> for Rows where T: Copy {}",
        "impl Other for &'_ Rows {}",
        "impl Other for Box<Rows> {}",
        "impl Other for (Rows) {}",
        "impl<F: for<'a> Fn(&'a u8)> Rows<F> {}",
        "mod deep { #[allow(x)] unsafe impl Other for super::r#Rows {} }",
        "m!(impl Other for Rows {});",
        "fn one() {} impl Other for Rows {}",
        "const ONE: u8 = { impl Other for Rows {} 1 };",
        "macro_rules! m { () => { impl Other for Rows {} }; }",
    ] {
        refused(book_of_sums().append(file, text), file, line, what);
    }
    let renamed = "use crate::tensor::Rows as Lines;\nimpl Other for Lines {}";
    refused(book_of_sums().append(file, renamed), file, line + 1, "this adds to `Lines`");
    let renamed = "type Lines = crate::tensor::Rows;\nimpl Other for Lines {}";
    refused(book_of_sums().append(file, renamed), file, line + 1, "this adds to `Lines`");
    for fine in [
        "impl Other<Rows> for Own {}",
        "impl Iterator for Own<Rows> { type Item = Rows; }",
        "impl From<Rows> for Own where Rows: Copy {}",
        "fn given(save: impl Fn(&Rows), other: impl Into<Rows>) -> impl Fn() -> Rows { || todo!() }",
        "fn lent(rows: &[Rows], own: &dyn Fn(impl Into<Rows>)) {}",
        "#[cfg(test)] mod tests { impl Other for super::Rows {} }",
    ] {
        let folder = book_of_sums().append(file, fine).write();
        open(folder.path(), folder.path().join("out")).expect(fine);
    }
}

#[test]
fn what_reads_how_it_was_built_is_refused() {
    let line = BELOW.lines().count() + 1;
    for name in ["cfg", "env", "file", "module_path", "option_env", "r#file"] {
        let text = format!("fn built() {{ let _ = std::{name}!(); }}");
        let what = format!("`{}!` has another value", name.trim_start_matches("r#"));
        refused(
            book_of_sums().append("src/tensor/below.rs", &text),
            "src/tensor/below.rs",
            line,
            &what,
        );
    }
}

#[test]
fn a_fault_in_a_copy_stops_the_book_too() {
    let mini = book_of_sums().append("src/tensor/below.rs", "use crate::*;\nuse crate::other;\n");
    let faults = mini.faults();
    let line = BELOW.lines().count() + 1;
    let at = |line: usize| format!("src/tensor/below.rs:{line}: a way to names of the root");
    for line in [line, line + 1] {
        assert!(faults.iter().any(|fault| fault.starts_with(&at(line))), "{faults:?}");
    }
    let folder = mini.write();
    let error = open(folder.path(), folder.path().join("out")).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 2, "{error}");
}

fn refused(mini: Mini, file: &str, line: usize, what: &str) {
    let folder = mini.write();
    let error = open(folder.path(), folder.path().join("out")).map_err(|error| error.to_string());
    let said = error.as_ref().is_err_and(|said| {
        said.lines().any(|one| one.starts_with(&format!("{file}:{line}: {what}")))
    });
    assert!(said, "{what} in {:?}: {error:?}", mini.text(file).lines().nth(line - 1));
}

#[test]
fn the_program_s_own_modules_are_compiled_anew() {
    let main = "src/main.rs";
    let own = Mini::clean().text(main).replace("mod words;\n\n", "");
    let mini = book_of_sums()
        .with(main, "mod cli;\nmod tensor;\nmod words;\n\nuse cli::main;\n")
        .with("src/cli.rs", &own.replace("fn main", "pub(crate) fn main"))
        .edit("book/ch02-shapes.md", "../src/main.rs:program", "../src/cli.rs:program")
        .edit(
            "src/cli.rs",
            "crate::words::name()",
            "{ use crate::tensor::*; crate::words::name() }",
        );
    let program = program(&mini, "program-output");
    assert!(program.contains("mod tensor;") && !program.contains("pullback_open"), "{program}");
}

#[test]
fn the_copy_is_the_source() {
    let mini = book_of_sums();
    let folder = mini.write();
    let out = folder.path().join("out");
    let stale = out.join("src/tensor/deep.rs");
    fs::create_dir_all(stale.parent().unwrap()).unwrap();
    fs::write(&stale, "").unwrap();
    let opened = open(folder.path(), &out).unwrap();
    assert!(!stale.exists());
    let path = |file: &str| format!("#[path = {:?}]", out.join(file).to_string_lossy());
    assert_eq!(opened, format!("{}\npub mod tensor;\n", path("src/tensor/mod.rs")));
    let copied: Vec<_> = fs::read_dir(out.join("src")).unwrap().collect();
    assert_eq!(copied.len(), 1);

    let copy = |file: &str| fs::read_to_string(out.join(file)).unwrap();
    assert_eq!(copy("src/tensor/other.rs"), format!("{GATED}pub const OTHER: u32 = 1;\n"));
    let below = BELOW.replace("pub(in super::super)", "pub").replace("pub(crate)", "pub");
    assert_eq!(copy("src/tensor/below.rs"), below);
    let (without_tests, _) = TENSOR.split_once("#[cfg(test)]").unwrap();
    let [mut tensor, mut wanted] = [copy("src/tensor/mod.rs"), without_tests.to_owned()];
    for (from, to) in [
        (path("src/tensor/below.rs"), ""),
        (path("src/tensor/other.rs"), ""),
        ("pub mod renamed".to_owned(), "mod renamed"),
    ] {
        assert_eq!(tensor.matches(&from).count(), 1, "{from} in {tensor}");
        tensor = tensor.replace(&from, to);
    }
    for (from, to) in [
        ("//! What the rest stands on.", ""),
        ("#[path = \"other.rs\"]", ""),
        ("#[non_exhaustive]", ""),
        ("pub(crate) ", "pub "),
        ("pub(in crate) ", "pub "),
        ("pub(in super) ", "pub "),
        ("pub(in super::super) ", "pub "),
        ("pub(super) fn", "pub fn"),
    ] {
        assert!(wanted.contains(from), "{from}");
        wanted = wanted.replace(from, to);
    }
    let wanted = wanted.replace("pub mod renamed", "mod renamed");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&tensor), words(&wanted));
}

#[test]
fn pages_for_skeptic() {
    let (_folder, book) = Mini::clean().load().unwrap();
    let out = tempfile::TempDir::new().unwrap();
    let pages = tangle(&book, out.path().join("woven")).unwrap();
    let names: Vec<_> = pages.iter().map(|page| page.file_name().unwrap()).collect();
    assert_eq!(names, ["ch02-shapes.md", "readme.md"]);

    // The headings that name the tests, in the order of the page.
    let page = fs::read_to_string(&pages[0]).unwrap();
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(
        headings,
        [
            "## shape area",
            "## area product",
            "## shape error",
            "## Areas at 29",
            "## program output"
        ]
    );
    assert!(page.contains("````rust,skt-shape-area\n/// The area of a rectangle.\n"), "{page}");
    assert!(page.contains("```rust,skt-Wrapped\n# use pullback::area;\n"), "{page}");
    let readme = fs::read_to_string(&pages[1]).unwrap();
    assert!(readme.starts_with("## Mini at 3\n\n```rust\nfn main() {\n"), "{readme}");

    // A template with the printed text in its gap is the listing's program.
    let templates = fs::read_to_string(out.path().join("woven/ch02-shapes.md.skt.md")).unwrap();
    for (listing, (anchor, program)) in book.listings().zip(programs(&book)) {
        let (_, rest) = templates.split_once(&format!("rust,skt-{anchor}\n")).unwrap();
        let (before, rest) = rest.split_once("{}").unwrap();
        let single = |text: &str| text.replace("{{", "{").replace("}}", "}");
        assert!(rest.contains("listing_check"), "{anchor}");
        assert!(program.starts_with(&format!("{}{}", single(before), listing.text)), "{anchor}");
        let rest = single(rest);
        assert!(rest.starts_with(&program[single(before).len() + listing.text.len()..]));
    }

    // Rust on an included page is an example like any other.
    let (_folder, book) = Mini::clean()
        .append("book/intro.md", "\n{{#include ../notes.md}}\n")
        .with("notes.md", "One\n\n> ~~~rust\n> let x = 1;\n> ~~~\n")
        .load()
        .unwrap();
    let pages_with_notes = tangle(&book, out.path().join("notes")).unwrap();
    let intro = fs::read_to_string(&pages_with_notes[0]).unwrap();
    let wrapped = "## Introduction at 5\n\n```rust,skt-Wrapped\nlet x = 1;\n```\n\n";
    assert_eq!(intro, wrapped);

    // Old enough that cargo never takes them for news.
    for page in &pages {
        let changed = fs::metadata(page).unwrap().modified().unwrap();
        assert!(changed < SystemTime::UNIX_EPOCH + Duration::from_secs(7 * 24 * 3600));
    }
}

/// Whether skeptic's program of the last example in `text` compiles and succeeds.
fn runs(text: &str) -> bool {
    let (folder, book) = Mini::clean()
        .with("book/intro.md", &format!("# Introduction\n\n```rust\n{text}\n```\n"))
        .load()
        .unwrap();
    let pages = tangle(&book, folder.path().join("woven")).unwrap();
    let page = fs::read_to_string(&pages[0]).unwrap();
    let (_, name) = page.split_once("```rust,skt-").unwrap();
    let (name, _) = name.split_once('\n').unwrap();
    let templates = fs::read_to_string(pages[0].with_extension("md.skt.md")).unwrap();
    let (_, template) = templates.split_once(&format!("```rust,skt-{name}\n")).unwrap();
    let (template, _) = template.split_once("```").unwrap();
    // As skeptic fills it.
    let shown = text.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
    let shown = shown.collect::<Vec<_>>().join("\n");
    let program = template.replacen("{}", &shown, 1).replace("{{", "{").replace("}}", "}");
    fs::write(folder.path().join("example.rs"), program).unwrap();
    let built = rustc(folder.path()).arg("example.rs").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Command::new(folder.path().join("example")).output().unwrap().status.success()
}

#[test]
fn an_example_that_ends_in_a_result_is_red_with_its_error() {
    let example = |number: &str| {
        format!(
            "use std::num::ParseIntError;\nlet one: u8 = {number:?}.parse()?;\n\
             assert_eq!(one, 1);\n# Ok::<(), ParseIntError>(())"
        )
    };
    assert!(runs(&example("1")));
    assert!(!runs(&example("one")), "an error passes");
    assert!(!runs(&example("2")), "a failed assertion passes");
    assert!(runs("assert_eq!(1, 1);") && !runs("assert_eq!(1, 2);"));
}
