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

/// A book that prints a public module of the root which uses another one.
fn book_of_sums() -> Mini {
    let listing = "\nAll of them:\n\n````rust\n{{#include ../src/sums.rs:sum-total}}\n````\nListing: The sum.\n";
    let sums = Mini::clean()
        .text("src/sums.rs")
        .replace("\n/// The sum", "\n// ANCHOR: sum-total\n/// The sum");
    let check = "use super::*;\n\n/// The sum.\npub(crate) fn check() {\n    assert_eq!(total(&[(1, 2), (3, 4)]), 14);\n}\n";
    Mini::clean()
        .edit("src/lib.rs", "#[cfg(feature = \"shapes\")]\nmod shapes", "pub mod shapes")
        .with("src/sums.rs", &format!("{sums}// ANCHOR_END: sum-total\n"))
        .with("tests/listings/sum-total.rs", check)
        .append("book/ch02-shapes.md", listing)
}

const LINKED: &str = "pub use pullback_open::shapes;";

/// What the program of the sum has in the place of the other module.
fn other_module(mini: &Mini) -> String {
    let (_folder, book) = mini.load().unwrap();
    let (_, program) = programs(&book).find(|(name, _)| *name == "sum-total").unwrap();
    let line = program.lines().find(|one| one.contains(" mod shapes") || one.contains("::shapes;"));
    line.unwrap().to_owned()
}

/// Whether the program of the sum is red beside the library of its own book.
fn sum_is_red(mini: &Mini) -> bool {
    let (_folder, book) = mini.load().unwrap();
    let programs = programs(&book).map(|(anchor, text)| (anchor.to_owned(), text));
    let of_sum = programs.filter(|(anchor, _)| anchor == "sum-total");
    !red_of(of_sum, library(mini).path()).is_empty()
}

#[test]
fn what_is_compiled_already_is_linked() {
    // All that a module may use of another one, and a word of each kind to make it public by.
    let item = "\
pub(crate) fn one() {}
pub(super) fn two() {}
pub(in crate) fn three() {}
impl ShapeError {
    pub(crate) fn four(&self) {}
}
pub(crate) struct Five {
    pub(crate) five: u32,
}
pub(crate) use error::ShapeError as Six;
pub(crate) mod seven {
    pub(super) use super::error::*;
    pub(crate) const SEVEN: u32 = 7;
}
macro_rules! eight {
    ($name:ident) => {
        pub(crate) fn $name() {}
    };
}
eight!(eight);
pub struct Nine(pub(crate) u32, pub (u32, u32));
#[non_exhaustive]
pub enum Ten {
    Ten,
}
";
    let uses = "\
    use crate::shapes::*;
    (one(), two(), three(), eight());
    match Ten::Ten {
        Ten::Ten => {}
    }
    let _ = (Six(1).four(), Five { five: seven::SEVEN }, Nine(1, (2, 3)));
    sides";
    let shapes = "src/shapes/mod.rs";
    let mini = book_of_sums().append(shapes, item).edit("src/sums.rs", "    sides", uses);
    assert_eq!(other_module(&mini), LINKED);
    assert!(!sum_is_red(&mini));
    // All of the crate sees a private module of its root.
    let mini = mini.edit("src/lib.rs", "pub mod shapes", "mod shapes");
    assert_eq!(other_module(&mini), LINKED);
    assert!(!sum_is_red(&mini));
    let wrong = mini.edit("src/sums.rs", ".sum()", ".count() as u32");
    assert_eq!(other_module(&wrong), LINKED);
    assert!(sum_is_red(&wrong));
}

#[test]
fn what_uses_the_listing_is_compiled_anew() {
    let (root, shapes) = ("src/lib.rs", "src/shapes/mod.rs");
    let using = |call: &str| {
        let item = format!("pub fn two() -> u32 {{\n    crate::{call}(&[])\n}}\n");
        book_of_sums().append(shapes, &item)
    };
    let adding = |item: &str| book_of_sums().append("src/sums.rs", item);
    let own = "
struct One;
impl From<crate::ShapeError> for One {
    fn from(_: crate::ShapeError) -> Self {
        One
    }
}
fn two() -> impl Fn(crate::ShapeError) {
    |_| ()
}
fn three(_: impl Fn(crate::ShapeError)) {}
";
    assert_eq!(other_module(&adding(own)), LINKED);
    assert!(!sum_is_red(&adding(own)));
    assert_eq!(other_module(&adding("trait One {} impl One for u32 {}")), LINKED);
    assert_eq!(
        other_module(&using("shapes::three").append(shapes, "fn three(_: &[u32]) {}\n")),
        LINKED
    );
    for mini in [
        using("sums::total"),
        using("total").append(root, "pub use sums::total;\n"),
        using("all").append(root, "pub use crate::sums::{total as all};\n"),
        // One that uses one that does, and a glob which might hand on anything.
        book_of_sums()
            .append(root, "pub mod third;\n")
            .with("src/third.rs", "pub use crate::sums::total as third;\n")
            .append(shapes, "pub use crate::third::third;\n")
            .append("src/sums.rs", "pub use crate::third;\n"),
        book_of_sums().append(root, "pub use sums::*;\n"),
        // The listing's module adds to a type of it, or a macro there does to whatever it is told.
        adding("impl crate::ShapeError { fn one(&self) {} }"),
        adding("impl From<crate::ShapeError> for u32 {}"),
        adding("impl<T> One for T {}"),
        adding("trait One {} impl<T: crate::shapes::Two> One for T {}")
            .append(shapes, "pub trait Two {}"),
        adding("trait One {} macro_rules! one { ($on:ty) => { impl One for $on {} }; }"),
        book_of_sums().append(shapes, "use crate::*;\n"),
        book_of_sums().append(shapes, "use super::*;\n"),
        adding("impl<'a> One<for<'b> fn(&'b u8)> for &'a crate::ShapeError {}"),
        adding("mod below { impl crate::ShapeError where u32: Copy {} }"),
        adding("mod below { use super::*; unsafe impl One for crate::ShapeError {} }"),
        adding("macro_rules! one { ($on:ty) => { impl $on {} }; } one!(crate::ShapeError);"),
        // The root has more than modules, or says more of this one.
        book_of_sums().append(root, "/// One.\npub struct One;\n"),
        book_of_sums().edit(root, "pub mod shapes", "#[macro_use]\npub mod shapes"),
    ] {
        assert!(
            other_module(&mini).ends_with(" mod shapes;"),
            "{}\n{}",
            mini.text(shapes),
            mini.text(root)
        );
    }
}

#[test]
fn the_program_s_own_modules_are_compiled_anew() {
    let main = "src/main.rs";
    let program = Mini::clean().text(main).replace("mod words;\n\n", "");
    let mini = book_of_sums()
        .with(main, "mod cli;\nmod words;\n\nuse cli::main;\n")
        .with("src/cli.rs", &program.replace("fn main", "pub(crate) fn main"))
        .edit("book/ch02-shapes.md", "../src/main.rs:program", "../src/cli.rs:program");
    let (_folder, book) = mini.load().unwrap();
    let (_, program) = programs(&book).find(|(name, _)| *name == "program-output").unwrap();
    assert!(program.contains("mod words;") && !program.contains("pullback_open"), "{program}");
}

#[test]
fn what_might_mean_something_else_elsewhere_is_not_copied() {
    let (root, shapes, error) = ("src/lib.rs", "src/shapes/mod.rs", "src/shapes/error.rs");
    let book = book_of_sums;
    for mini in [
        // A name of the root that is neither a module nor plainly from one.
        book().append(root, "pub mod prelude { pub use crate::sums::*; }"),
        book().append(root, "use crate::sums as mode;"),
        book().append(root, "pub use sums as mode;"),
        book().append(root, "pub use self::{sums as mode};"),
        book().append(root, "use sums::total;"),
        book().append(root, "pub use sums::total; pub use total as again;"),
        book().append(root, "pub use sums::inner; pub use inner::deep;"),
        book().append(root, "extern crate self as mini;"),
        book().append(root, "pub struct One;"),
        // Macros, which go from module to module without a path.
        book().append(shapes, "macro_rules! one { () => { 1 }; } pub(crate) use one;"),
        book().append(error, "macro_rules! one { () => { 1 }; } pub(crate) use {one as two};"),
        book().append(shapes, "mod deep { macro_rules! one { () => { 1 }; } pub(crate) use one; }"),
        book().append(shapes, "#[macro_export] macro_rules! one { () => { 1 }; }"),
        book().append(shapes, "macro_rules! one { (pub(crate)) => { 1 }; (pub) => { 2 }; }"),
        book().edit(root, "pub mod sums", "#[macro_use]\npub mod sums"),
        // Modules in files that the module tree does not have.
        book().append(shapes, "mod inner { mod file; }"),
        book().append(shapes, "#[cfg_attr(all(), path = \"other.rs\")] mod deep;"),
        // What asks for its crate, or binds it.
        book().append(shapes, "const ONE: &str = env!(\"CARGO_PKG_NAME\");"),
        book().append(error, "const ONE: &str = include_str!(concat!(env!(\"HOME\"), \"/one\"));"),
        book().append(error, "#[deny(missing_docs)] mod deep {}"),
        book().append(error, "mod deep { #![deny(missing_docs)] }"),
        book().append(error, "#[cfg_attr(all(), non_exhaustive)] pub enum One {}"),
        book().edit(root, "#![deny(missing_docs)]", "#![recursion_limit = \"256\"]"),
    ] {
        let folder = mini.write();
        let opened = open(folder.path(), folder.path().join("out")).unwrap();
        assert_eq!(opened, "", "{}\n{}", mini.text(shapes), mini.text(root));
        if let Ok((_folder, book)) = mini.load() {
            let mut programs = programs(&book);
            assert!(programs.all(|(_, program)| !program.contains("pullback_open")));
        }
    }
}

#[test]
fn the_copy_of_the_library_is_the_library() {
    let hidden =
        "impl ShapeError { pub(super) fn one(&self) {} pub(in crate::shapes) fn two() {} }\n";
    let mini = Mini::clean().append("src/shapes/error.rs", hidden);
    let folder = mini.write();
    let opened = open(folder.path(), folder.path().join("out")).unwrap();
    let src = folder.path().join("out/src");
    let copy = |file: &str| fs::read_to_string(src.join(file)).unwrap();
    let path = |file: &str| format!("#[path = {:?}] ", src.join(file).to_string_lossy());
    // What only a part of the crate sees stays as it is.
    assert_eq!(
        copy("shapes/error.rs"),
        mini.text("src/shapes/error.rs").replace("//! Errors.", "")
    );
    let shapes = copy("shapes/mod.rs").replace(&path("shapes/error.rs"), "");
    let (own, tests) = mini.text("src/shapes/mod.rs").split_once("#[cfg(test)]").unwrap();
    assert!(tests.trim_end().ends_with("mod check_shape_area;"));
    assert_eq!(shapes.trim(), own.split_once('\n').unwrap().1.trim());
    assert!(!src.join("main.rs").exists());

    assert_eq!(copy("lib.rs"), opened);
    let outer =
        |line: &&str| !line.is_empty() && !line.starts_with("#![") && !line.starts_with("//!");
    let text = |text: &str| text.lines().filter(outer).collect::<Vec<_>>().join("\n");
    let private = opened.replace(&path("shapes/mod.rs"), "").replace(&path("sums.rs"), "");
    let private = private.replace("pub mod shapes", "mod shapes");
    assert_eq!(text(&private), text(mini.text("src/lib.rs")));
    assert!(!opened.contains("deny(missing_docs)"), "{opened}");
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
