//! What can be wrong with a book, worded once.

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::blocks::instead;
use crate::text::slashed;

/// One fault, at one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub struct Fault {
    /// The file, relative to the root.
    pub file: PathBuf,
    /// The line in it, counted from 1.
    pub line: usize,
    /// What is wrong and what to do.
    pub what: What,
    /// The anchor concerned, where there is one.
    pub anchor: Option<String>,
}

impl Fault {
    /// The same fault, naming `anchor`.
    pub(crate) fn on(mut self, anchor: impl Into<String>) -> Fault {
        self.anchor = Some(anchor.into());
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One line each, whatever a library's error says: cargo reads lines.
        let what = self.what.to_string().replace(['\n', '\r'], " ");
        write!(f, "{}:{}: {what}", slashed(&self.file), self.line)?;
        match &self.anchor {
            Some(anchor) => write!(f, " ({anchor})"),
            None => Ok(()),
        }
    }
}

/// Every fault of a book, sorted by file and line; prints one a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// Sorts, and drops what two rules reported alike.
    pub(crate) fn new(mut faults: Vec<Fault>) -> Faults {
        faults.sort();
        faults.dedup();
        Faults(faults)
    }
}

impl Deref for Faults {
    type Target = [Fault];

    fn deref(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Fault::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// The kinds of fault. Each message says what is wrong and, where it is not
/// plain, what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum What {
    // Files.
    /// A file cannot be read or written.
    #[error("cannot use this file: {0}")]
    Unreadable(String),
    /// A Windows line ending, or a carriage return elsewhere.
    #[error("a carriage return (CR) in this line; end lines in LF alone")]
    CarriageReturn,
    /// A byte order mark.
    #[error("the file starts with a byte order mark (BOM); save it as UTF-8 without one")]
    ByteOrderMark,
    /// Bytes that are no text.
    #[error("this line is not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// A character that is not seen as what it is.
    #[error(
        "this line holds U+{code:04X}, {kind}, which an editor does not show; leave it out, or \
         write `&#x{code:X};` in prose and `\\u{{{code:x}}}` in a string",
        code = u32::from(*.0), kind = unseen(*.0)
    )]
    Unseen(char),
    /// A source file of the library is not Rust.
    #[error("not Rust: {0}; `cargo check --tests --no-default-features` says more")]
    NotRust(String),

    // The shape of the book.
    /// `book.toml` sends the output into the sources, which mdBook would empty.
    #[error("`{0}` must be `{1}`, or a build may empty the book's own folder")]
    Setting(&'static str, &'static str),
    /// `book.toml` makes mdBook read pages otherwise than the checks do.
    #[error("`output.html.{0}` must stay `{1}`; the checks read a page as mdBook does by itself")]
    Reading(&'static str, String),
    /// `SUMMARY.md` does not parse.
    #[error("mdBook cannot read the summary: {0}")]
    Summary(String),
    /// `SUMMARY.md` names a file that does not exist.
    #[error("the chapter `{0}` does not exist; a chapter to come is a draft, `- [Title]()`")]
    MissingChapter(String),
    /// `SUMMARY.md` names a place in a file, or asks it something.
    #[error("`{0}` is no file; a chapter has an entry by its file alone, `{1}`")]
    PlaceInChapter(String, String),
    /// `SUMMARY.md` names a file outside of `book/`.
    #[error("`{0}` lies outside book/, and so would its page outside the site; move it there")]
    OutsideChapter(String),
    /// `SUMMARY.md` names a file twice.
    #[error("the chapter `{0}` has an entry at line {1} already; remove one of the two")]
    ListedTwice(String, usize),
    /// An entry of the summary that mdBook does not take for one.
    #[error(
        "mdBook leaves out an entry behind other text, or the text; give it a line and a `- `"
    )]
    EntryInText,
    /// An entry of the summary without words.
    #[error("an entry without words shows nothing to click on; write its title, `[Title](...)`")]
    NoTitle,
    /// A heading of the summary that is no part.
    #[error("mdBook leaves out a heading of this level; a part is `# Title`, with one `#`")]
    PartLevel,
    /// A chapter with the name that mdBook gives to another address.
    #[error(
        "mdBook makes `index.html` of `{0}`, where no link of the book leads; give the chapter \
         another name"
    )]
    ReadmeChapter(String),
    /// Settings before a chapter, as other programs read them.
    #[error(
        "mdBook prints this front matter as text; leave it out (a description of the page is \
         `<!-- description: ... -->` in the first line)"
    )]
    FrontMatter,
    /// A page that no summary entry leads to.
    #[error("book/SUMMARY.md does not list this page")]
    UnlistedChapter,
    /// A file that mdBook copies to the site and that is neither chapter nor companion.
    #[error(
        "mdBook copies this file to the site, and nothing checks it; a chapter ends in `.md`, and \
         beside chapters stand only styles, scripts, templates, pictures and fonts"
    )]
    StrayFile,
    /// A file name that gives no test name, or the same as another.
    #[error("the file name must start with a letter and differ from every other page's")]
    PageName,

    // Includes.
    /// An include names a file that does not exist.
    #[error("the included file `{0}` does not exist")]
    MissingFile(String),
    /// An include names a file outside the repository.
    #[error("the included file `{0}` lies outside this repository")]
    OutsideFile(String),
    /// An include names an anchor its file does not have.
    #[error("`{0}` has no such anchor")]
    MissingAnchor(String),
    /// An include expands to nothing.
    #[error("the include of `{0}` is empty")]
    EmptyInclude(String),
    /// A directive whose Rust would go untested.
    #[error(
        "`{{{{#{0}}}}}` prints Rust that no test compiles; use `{{{{#include}}}}` and an anchor"
    )]
    Directive(String),
    /// A directive that mdBook did not expand.
    #[error(
        "`{0}` is left in the page; a directive is written `{{{{#include PATH:ANCHOR}}}}`, \
         `{{{{#listing ANCHOR}}}}` or `{{{{#figure NAME}}}}`"
    )]
    Leftover(String),
    /// A reference where a link cannot stand.
    #[error(
        "`{0}` cannot become a link here; it stands in running text, outside code, HTML, \
         headings and other links"
    )]
    NoLinkHere(String),
    /// A directive in a page that nothing expands.
    #[error("nothing expands `{0}` in this file")]
    Unexpanded(String),
    /// An included file with a directive in it, which mdBook expands too.
    #[error("`{0}` holds a directive of its own, which would reach the page unchecked")]
    NestedDirective(String),
    /// An include of a page of the book, which may lead back to where it stands.
    #[error("`{0}` is a page of the book and stands in it by itself; link to it")]
    IncludedChapter(String),
    /// mdBook's page differs from the sum of its includes.
    #[error("mdBook expands this page otherwise than its includes one by one")]
    Expansion,

    // Code blocks.
    /// A hidden line that may switch off what the page shows.
    #[error(
        "the hidden line `{0}` may switch off what the page shows; hide only `use` without `as`, \
         `fn main() {{` and its end"
    )]
    HiddenLine(String),
    /// A line of an example that the page shows otherwise than the test compiles it.
    #[error(
        "mdBook shows `{0}` with one `#` less than the test compiles; begin no line of an example \
         with `##`"
    )]
    TwoMarks(String),
    /// A hidden line in a string of an example.
    #[error(
        "the page does not show `{0}`, which is a part of a string here; write the string in one \
         line, with `\\n`"
    )]
    HiddenText(String),
    /// Something in an example that leaves out a part of what the page shows.
    #[error("`{0}` may keep a part of this example from running; leave it out")]
    Switch(String),
    /// Something in a check that leaves out a part of it.
    #[error("`{0}` may keep a part of this check from running; leave it out")]
    CheckSwitch(String),
    /// A macro of the library that takes the name of an assertion, which a check would then call.
    #[error("`{0}` takes the name of what makes a check fail; give it another")]
    Shadow(String),
    /// Something in a listing that ends its test or is otherwise in it.
    #[error(
        "`{0}` may end the listing's test early or be otherwise in it; keep it out of listings"
    )]
    ListingSwitch(String),
    /// An example that falls apart before the compiler sees it.
    #[error("this example is not Rust: {0}")]
    Tokens(String),
    /// A `?` in an example whose `main` returns nothing.
    #[error(
        "`?` returns from a `main` without a result; end the example with the line \
         `# Ok::<(), E>(())`, E being the error's type, or write `fn main() -> Result<(), E>`"
    )]
    Question,
    /// An example that ends in a result without saying which.
    #[error("`Ok(())` leaves open which error this is; write `Ok::<(), E>(())`, E being its type")]
    UntypedEnd,
    /// A fence in a language that is neither tested Rust nor known to be none.
    #[error("a block marked `{0}` may hide untested Rust; use {instead}", instead = instead(.0))]
    Fence(String),
    /// Rust in a block of another language.
    #[error("`{0}` looks like Rust, which no test compiles here; use a `rust` fence")]
    RustElsewhere(String),
    /// Rust on a page that no test is made from.
    #[error("no test runs an example on this page; move it to a chapter")]
    Unrun,
    /// Rust in a doc comment that rustdoc does not read.
    #[error(
        "rustdoc runs the examples of the library alone, and src/lib.rs does not lead to this \
         file; move the example there, or say it in words"
    )]
    UnrunDoc,
    /// A fence without a language.
    #[error(
        "a block without a language may hide untested Rust; use rust, text, console, toml, sh, \
         json, python or markdown"
    )]
    NoLanguage,
    /// Indented code.
    #[error("indented code is never tested; use a fence")]
    Indented,
    /// `<pre>` or `<code>` written as HTML.
    #[error("raw `<{0}>` is never tested; use a fence")]
    RawHtml(String),
    /// An element that may hide what stands in it, or run a script.
    #[error(
        "a page uses no `<{0}>`, which may hide what the tests run; code goes between backticks, and \
         of HTML a page uses {used}",
        used = crate::html::ELEMENTS.join(", ")
    )]
    Element(String),
    /// An attribute that may hide an element, or run a script.
    #[error(
        "a page gives no element `{0}`, which may hide what the tests run; of HTML it uses the \
         attributes {used}",
        used = crate::html::ATTRIBUTES.join(", ")
    )]
    Attribute(String),
    /// A tag or a comment that goes on after its block, as a browser reads it.
    #[error(
        "nothing closes this `{0}` in its own block, so it hides what follows; close it before \
         the blank line"
    )]
    OpenTag(String),
    /// A comment that some readers end elsewhere than others.
    #[error("a comment holds no `--` and does not start with `>`; readers disagree where it ends")]
    Comment,
    /// A declaration, an instruction or the like.
    #[error("`{0}` is no tag, and a browser hides it with what follows; leave it out")]
    Markup(String),
    /// An element without end.
    #[error(
        "nothing closes this `<{0}>`, so it takes in the rest of the page; if it is no tag, write \
         `\\<` or put it between backticks"
    )]
    OpenElement(String),
    /// An end without element.
    #[error("this `</{0}>` closes nothing that is open here")]
    StrayEnd(String),
    /// A class or another attribute in the braces after a heading.
    #[error("a heading may hide by its classes and attributes; after it stands `{{#name}}` alone")]
    HeadingAttribute,
    /// An id that two places of a page have.
    #[error(
        "`#{0}` is the id of line {1} already, and a link leads to one of the two only; give a \
         heading another by `{{#name}}` after it"
    )]
    IdTwice(String, usize),
    /// An id that mdBook's page or a figure has.
    #[error("`#{0}` is an id of the page's own parts; choose another")]
    TakenId(String),
    /// A footnote without mark.
    #[error(
        "nothing refers to this footnote, so mdBook leaves it out; put `[^{0}]` where it belongs, \
         spelt alike"
    )]
    UnusedFootnote(String),
    /// A mark without footnote.
    #[error(
        "`{0}` has no footnote; a line `{0}: ...` spelt alike gives it one, and `\\[` a plain \
         bracket"
    )]
    NoFootnote(String),
    /// A footnote that an earlier one hides.
    #[error("the footnote `[^{0}]` stands at line {1} already, and mdBook leaves this one out")]
    FootnoteTwice(String, usize),
    /// A link that runs a script or carries its page with it.
    #[error("`{0}` leads to no page; a link is relative, or starts with https, http or mailto")]
    Scheme(String),
    /// The preprocessor's mark, typed by hand.
    #[error("this text is the stamp by which a build knows that a page was checked; leave it out")]
    Stamp,
    /// A fence inside an HTML block, where Markdown does not see it.
    #[error("a fence inside HTML is plain text; put a blank line before it")]
    FenceInHtml,
    /// A fence that nothing closes.
    #[error("nothing closes this fence")]
    OpenFence,
    /// A block without text.
    #[error("this block is empty")]
    EmptyBlock,

    // Listings.
    /// Rust is included otherwise than as a listing.
    #[error("`{0}` must be the whole body of a `rust` fence of its own")]
    NotWholeBody(String),
    /// A listing prints lines by number or a whole file.
    #[error("`{0}` names no anchor; a listing prints a region that edits cannot shift")]
    NoAnchor(String),
    /// A listing prints a file outside `src/`.
    #[error("`{0}` is not below src/; a listing prints the library")]
    NotSource(String),
    /// A listing of comments.
    #[error(
        "this listing prints no code; take in the code that its comments are of, or say it in the \
         chapter"
    )]
    NoCode,
    /// A listing prints one half of a pair of brackets.
    #[error("this listing cuts a pair of brackets; print both halves, or neither")]
    Cut,
    /// A listing that prints a comment or an attribute without its item.
    #[error("this listing ends with the comment or the attribute of what it does not print")]
    EndsTooEarly,
    /// A listing inside a list or a quotation.
    #[error("a listing stands at the top level, outside lists and quotations")]
    Contained,
    /// A listing contains its own closing fence.
    #[error("the listing's text closes its fence; use a longer one")]
    ClosesFence,
    /// The page shows other text than the region holds.
    #[error("the page prints other text than the region at {0}")]
    Drift(String),
    /// A listing without caption.
    #[error(
        "the listing has no caption; a line `Listing: ...` or `Excerpt: ...` follows its fence"
    )]
    NoCaption,
    /// A paragraph after a listing that is no caption as it is spelt.
    #[error(
        "`{0}` begins no caption; in the line after the fence stands `Listing: ...` or \
         `Excerpt: ...`, in these letters, without marks and with a colon"
    )]
    LikeCaption(String),
    /// A caption without a listing.
    #[error("this caption follows no listing")]
    StrayCaption,
    /// Two listings with no prose between them.
    #[error("no prose stands between this listing and the one before it")]
    NoProse,
    /// An anchor printed twice.
    #[error("this anchor is already printed at {0}")]
    PrintedTwice(String),
    /// Two full listings print one line.
    #[error("{0} is already printed in full by `{1}`; mark one of the two as an excerpt")]
    SharedLine(String, String),
    /// A listing with too many lines.
    #[error("the listing has {0} lines; at most {limit}", limit = crate::rules::MOST_LINES)]
    TooLong(usize),
    /// A listing with too long a line.
    #[error("{0} is {1} columns wide; at most {limit}", limit = crate::rules::MOST_COLUMNS)]
    TooWide(String, usize),
    /// A line that mdBook or skeptic would take for a hidden one.
    #[error("{0} starts with `#`, which hides or changes it on the page")]
    Hidden(String),
    /// Text that ends the string literal of skeptic's generated test.
    #[error("`\"####` ends the string that skeptic puts this text into")]
    Hashes,
    /// A relative include inside the text of a doctest.
    #[error("`{0}!` of a relative path cannot be resolved in the listing's test")]
    RelativeInclude(String),
    /// A feature gate inside a region.
    #[error("a `cfg(feature)` inside a listing is off in its test; gate the whole module")]
    FeatureGate,
    /// A region in or around something that the listing's test may not compile.
    #[error(
        "what stands under `cfg`, `cfg_attr` or `test` may be no part of the listing's test, so \
         nothing runs it"
    )]
    Conditional,
    /// A region in the body of a macro.
    #[error(
        "the region lies in the braces of a macro, which may drop it unread; print the whole of \
         the macro, or plain code"
    )]
    InMacro,
    /// A module declared inside a region.
    #[error("`mod {0};` stands inside a listing; keep it outside the anchors")]
    ModuleInside(String),
    /// A reference to an unknown listing.
    #[error("no listing has this anchor")]
    UnknownReference,

    // Figures.
    /// A directive names a figure that nobody draws.
    #[error("there is no figure `{0}`; there are {1}")]
    UnknownFigure(String, String),
    /// A figure without caption.
    #[error(
        "the figure has no caption; the line after its directive is `Figure: ...`, and a \
         reference shares its line with words"
    )]
    NoFigureCaption,
    /// A caption without a figure.
    #[error("this caption has no figure; `{{{{#figure NAME}}}}` stands in the line before it")]
    StrayFigureCaption,
    /// A figure inside a list or a quotation.
    #[error("a figure stands at the top level, outside lists and quotations")]
    FigureContained,
    /// A figure that nothing announces.
    #[error("no prose stands before this figure; say what to look for")]
    NoProseBeforeFigure,
    /// The same figure in two places.
    #[error("the figure `{0}` already stands at {1}")]
    FigureTwice(&'static str, String),
    /// A reference to a figure that no page shows.
    #[error("no page shows the figure `{0}`")]
    FigureNowhere(&'static str),

    /// What may mean something else in the copy that listings link.
    #[error("{0}")]
    Copy(String),

    // Markers.
    /// A marker that is not alone on its line, or has a bad name.
    #[error("a marker stands alone on its line, as `// ANCHOR: name` with lower-case words")]
    Marker,
    /// A marker inside a string literal or a block comment.
    #[error(
        "mdBook reads this line as a marker, but it stands in a string or a block comment; move \
         it out, or break the string with `concat!`"
    )]
    MarkerInText,
    /// The same anchor twice.
    #[error("this anchor is already opened at {0}")]
    DuplicateAnchor(String),
    /// An anchor without an end.
    #[error("nothing closes this anchor")]
    UnclosedAnchor,
    /// An end without an anchor.
    #[error("nothing opens this anchor")]
    UnopenedAnchor,
    /// An anchor around nothing.
    #[error("this anchor holds no text")]
    EmptyAnchor,
    /// An anchor that no chapter prints.
    #[error("no chapter prints this anchor")]
    UnprintedAnchor,

    // Modules.
    /// A file that holds a listing and is no part of the crate.
    #[error("no `mod` leads to this file from src/lib.rs or src/main.rs")]
    Unreachable,
    /// A module file beside a folder of the same name.
    #[error("move this file to `{0}`; a test cannot load the files of its folder otherwise")]
    ModuleFile(String),

    // Check files.
    /// A listing without check file.
    #[error("the listing has no check; write `{0}`")]
    MissingCheck(String),
    /// A check file without listing.
    #[error("no listing has this name, so nothing runs this check")]
    UnusedCheck,
    /// A check file without the function that the test calls.
    #[error("a check has a function `pub(crate) fn check()`")]
    NoCheckFunction,
    /// A check that may never fail.
    #[error(
        "the check comes upon no assertion for sure, or only on such as name nothing, so it may \
         never fail; write `assert!` outside unused closures, and join a thread where you spawn it"
    )]
    NoAssertion,
    /// A check of something else.
    #[error("the check names nothing that its listing defines, such as `{0}`")]
    UnrelatedCheck(String),
}

/// What kind of character does not show.
fn unseen(letter: char) -> &'static str {
    match letter {
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "a mark that turns the direction of text"
        }
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{ad}' => "a character without width",
        '\u{feff}' => "a byte order mark",
        '\u{2800}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "a letter without ink",
        '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            "a mark for the form of the letter before it"
        }
        '\u{2028}' | '\u{2029}' => "a line break of another kind",
        letter if letter.is_control() => "a control character",
        _ => "a mark for the layout of text",
    }
}

impl What {
    /// Whether a part of the book was not read for this.
    pub(crate) fn leaves_out(&self) -> bool {
        matches!(self, What::Unreadable(_) | What::NotUtf8 | What::MissingChapter(_))
    }

    /// Whether this says that something is nowhere in the book.
    pub(crate) fn is_of_the_whole(&self) -> bool {
        matches!(
            self,
            What::UnprintedAnchor
                | What::UnusedCheck
                | What::UnknownReference
                | What::FigureNowhere(_)
                | What::Unreachable
        )
    }

    /// This fault at a line of a file.
    pub(crate) fn at(self, file: impl AsRef<Path>, line: usize) -> Fault {
        Fault { file: file.as_ref().to_path_buf(), line, what: self, anchor: None }
    }
}
