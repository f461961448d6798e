//! Pages, the summary and the settings.

use super::expect;
use crate::mini::Mini;

#[test]
fn a_page_and_its_summary() {
    expect(&[
        (
            "a chapter that does not exist",
            Mini::clean().append("book/SUMMARY.md", "- [Gone](ch03-gone.md)\n"),
            &["book/SUMMARY.md:7: the chapter `ch03-gone.md` does not exist; a chapter to come \
               is a draft, `- [Title]()`"],
        ),
        (
            "a page that nothing lists",
            Mini::clean().with("book/part/extra.md", "# Extra\n"),
            &["book/part/extra.md:1: book/SUMMARY.md does not list this page"],
        ),
        (
            "a page whose tests would have no name",
            Mini::clean()
                .append("book/SUMMARY.md", "- [Three](3-three.md)\n")
                .with("book/3-three.md", "# Three\n"),
            &["book/3-three.md:1: the file name must start with a letter and differ from every \
               other page's"],
        ),
        (
            "two pages whose tests would share a name",
            Mini::clean()
                .append("book/SUMMARY.md", "- [Three](ch02_shapes.md)\n")
                .with("book/ch02_shapes.md", "# Three\n"),
            &["book/ch02_shapes.md:1: the file name must start with a letter and differ from \
               every other page's"],
        ),
        (
            "a summary that mdBook refuses",
            Mini::clean().with("book/SUMMARY.md", "# Summary\n\n- No link here\n"),
            &["book/SUMMARY.md:1: mdBook cannot read the summary: There was an error parsing the \
               numbered chapters: There was an error parsing the numbered chapters: failed to \
               parse SUMMARY.md line 3, column 3: The link items for nested chapters must only \
               contain a hyperlink"],
        ),
        (
            "output over the sources",
            Mini::clean().with("book.toml", "[book]\nsrc = \"pages\"\n"),
            &[
                "book.toml:1: `book.src` must be `book`, or a build may empty the book's own \
                 folder",
                "book.toml:1: `build.build-dir` must be `target/book`, or a build may empty the \
                 book's own folder",
            ],
        ),
        (
            "no README",
            Mini::clean().without("README.md"),
            &["README.md:1: cannot use this file: No such file or directory (os error 2)"],
        ),
        (
            "Windows line endings",
            Mini::clean().with("book/intro.md", "# One\n\nTwo\r\n\r\n"),
            &["book/intro.md:3: the line ends in CR LF; use LF"],
        ),
    ]);
}
