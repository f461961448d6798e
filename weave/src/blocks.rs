//! Code blocks: each is a listing, an example, or known to be no Rust.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;

use crate::anchors::pattern;
use crate::book::{Example, Kind, Listing};
use crate::chapter::{Pending, Reader};
use crate::expand::Directive;
use crate::fault::What;
use crate::includes::{self, Braces};
use crate::markdown::Code;
use crate::program::{bare_question, untyped_end};
use crate::rules;
use crate::switches::switches;
use crate::text::{normalize, slashed};

/// What to write for the marks of blocks that others know, each with the words for it.
const INSTEAD: [(&str, &str); 7] = [
    ("rust", "rs ignore no_run should_panic compile_fail"),
    ("sh", "bash shell zsh fish ksh dash csh powershell ps1 bat cmd"),
    ("console", "shell-session shellsession sh-session terminal session"),
    ("python", "py python3 pycon ipython"),
    ("json", "jsonc json5 jsonl"),
    ("markdown", "md mdx commonmark"),
    (
        "text",
        "diff patch mermaid dot graphviz plantuml yaml yml html xml svg css js javascript ts \
         typescript c c++ cpp h java go kotlin swift haskell ocaml scala ruby perl lua r julia sql \
         latex tex math plain plaintext plain-text txt output log none ascii ini csv dockerfile \
         make makefile asm llvm wat http ron ebnf bnf",
    ),
];

/// What a block is marked by, for one that is marked otherwise.
pub(crate) fn instead(info: &str) -> String {
    let part = |letter: char| !(letter.is_alphanumeric() || "+_-".contains(letter));
    let word = info.split(part).find(|word| !word.is_empty()).unwrap_or_default();
    let word = word.to_lowercase();
    let known = rules::OTHER_LANGUAGES.iter().copied().chain(["rust"]).find(|one| *one == word);
    let meant = INSTEAD.iter().find(|(_, words)| words.split_whitespace().any(|one| one == word));
    match known.or(meant.map(|(mark, _)| *mark)) {
        Some(mark) => format!("`{mark}`"),
        None => {
            let [first @ .., last] = rules::OTHER_LANGUAGES;
            format!("rust, {} or {last}", first.join(", "))
        }
    }
}

impl Reader<'_> {
    /// Files one code block.
    pub(crate) fn code(&mut self, code: &Code) {
        let line = self.page.line(code.span.start);
        let Some(info) = code.info.as_deref() else {
            return self.fault(What::Indented, line);
        };
        if !code.closed {
            self.fault(What::OpenFence, line);
        }
        // An include without text leaves no content to overlap with; one that
        // brings its own fence is no part of the block.
        let page = self.page;
        let mut inside = page.directives.iter().filter(|one| one.woven.start > code.span.start);
        let included = inside.find(|one| {
            overlap(&one.woven, &code.content)
                || one.woven.is_empty() && code.span.contains(&one.woven.start)
        });
        if info != "rust" && !rules::OTHER_LANGUAGES.contains(&info) {
            self.used.extend(included.map(|one| one.source.start));
            return self.fault(
                match info {
                    "" => What::NoLanguage,
                    other => What::Fence(other.to_owned()),
                },
                line,
            );
        }
        if included.is_none() && self.is_misspelt(code) {
            // Reported with the other braces; in a listing's place, whatever is its caption.
            if info == "rust" {
                self.prose = false;
                let end = code.span.end;
                self.pending =
                    Some(Pending { line, end, anchor: None, listing: None, sound: false });
            }
            return;
        }
        match (info, included) {
            ("rust", Some(directive)) => self.listing(code, directive, line),
            (_, None) if code.text.trim().is_empty() => self.fault(What::EmptyBlock, line),
            ("rust", None) => {
                if code.text.contains("\"####") {
                    self.fault(What::Hashes, line);
                }
                for (at, hidden) in code.text.lines().enumerate().filter_map(hidden) {
                    self.fault(What::HiddenLine(hidden.to_owned()), line + 1 + at);
                }
                for (at, text) in code.text.lines().enumerate() {
                    if text.trim_start().starts_with("##") {
                        self.fault(What::TwoMarks(text.trim().to_owned()), line + 1 + at);
                    }
                }
                if code.closed {
                    self.switches(code, line);
                }
                self.examples.push(Example {
                    text: code.text.clone(),
                    heading: self.heading.clone(),
                    line,
                });
            }
            // An included `.rs` file is at fault as such.
            (language, one)
                if language != "rust"
                    && !one.is_some_and(|one| one.target().0.ends_with(".rs")) =>
            {
                let lines = code.text.lines().enumerate();
                for (at, typed) in lines.filter(|(_, one)| is_rust(language, one)) {
                    let line =
                        included.map_or(line + 1 + at, |one| self.page.line(one.woven.start));
                    self.fault(What::RustElsewhere(typed.trim().to_owned()), line);
                }
            }
            _ => {}
        }
    }

    /// Whether a block holds what was meant for a directive, and that nothing expands.
    fn is_misspelt(&self, code: &Code) -> bool {
        let found = includes::braces(&self.page.woven[code.content.clone()]);
        found.iter().any(|(_, one)| matches!(one, Braces::Left | Braces::Misspelt))
    }

    /// Reports what an example shows and does not run, and a `?` that has nowhere to return to.
    fn switches(&mut self, code: &Code, line: usize) {
        match visible(&code.text).parse::<TokenStream>() {
            Ok(tokens) => {
                for switch in switches(tokens) {
                    self.fault(What::Switch(switch.what), line + switch.line);
                }
            }
            Err(error) => self.fault(What::Tokens(error.to_string()), line),
        }
        for (at, hidden) in hidden_in_text(&code.text) {
            self.fault(What::HiddenText(hidden.trim().to_owned()), line + at);
        }
        if let Some(at) = bare_question(&code.text) {
            self.fault(What::Question, line + at);
        }
        if let Some(at) = untyped_end(&code.text) {
            self.fault(What::UntypedEnd, line + at);
        }
    }

    /// A Rust block with an include in it. It waits for a caption, whatever
    /// else is wrong with it.
    fn listing(&mut self, code: &Code, directive: &Directive, line: usize) {
        self.used.push(directive.source.start);
        let anchor = directive.anchor().map(str::to_owned);
        let mut faults = Vec::new();
        let listing = if self.includes.is_faulty(directive) {
            None
        } else {
            self.printed(code, directive, line, &mut faults)
        };
        for what in faults {
            let fault = what.at(self.file, line);
            self.faults.push(match &anchor {
                Some(anchor) => fault.on(anchor),
                None => fault,
            });
        }
        self.prose = false;
        let end = code.span.end;
        self.pending = Some(Pending { line, end, anchor, listing, sound: true });
    }

    /// The listing that a block prints, if its include is one.
    fn printed(
        &self,
        code: &Code,
        directive: &Directive,
        line: usize,
        faults: &mut Vec<What>,
    ) -> Option<Listing> {
        let (content, woven) = (&code.content, &directive.woven);
        let written = || self.page.source[directive.source.clone()].to_owned();
        if code.contained {
            faults.push(What::Contained);
            return None;
        }
        if woven.start == content.start && woven.end > content.end {
            faults.push(What::ClosesFence);
            return None;
        }
        if woven.start != content.start || woven.end + 1 != content.end {
            faults.push(What::NotWholeBody(written()));
            return None;
        }
        let Some(anchor) = directive.anchor() else {
            faults.push(What::NoAnchor(written()));
            return None;
        };
        if !self.prose {
            faults.push(What::NoProse);
        }
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let source = normalize(&folder.join(directive.target().0)).unwrap_or_default();
        let region = self.library.regions.get(anchor).filter(|region| region.file == source);
        let Some(region) = region else {
            faults.push(What::NotSource(slashed(&source)));
            return None;
        };
        let listing = Listing {
            anchor: anchor.to_owned(),
            kind: Kind::Full,
            source,
            first_line: region.opened + 1,
            last_line: region.closed - 1,
            lines: region.lines.clone(),
            text: code.text.clone(),
            caption: String::new(),
            chapter: PathBuf::new(),
            chapter_line: line,
            woven_span: code.span.clone(),
            number: 0,
            check: Path::new("tests/listings").join(format!("{anchor}.rs")),
            check_text: String::new(),
        };
        rules::listing(&listing, region, self.library, faults);
        Some(listing)
    }
}

/// The whole lines that an example may hide. None takes the place of what the page shows: an import
/// under another name would, and so would whatever follows a semicolon or a brace.
static HARMLESS: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    [
        r"^use [\w:{}, *]+;$",
        r"^fn main\(\) (-> (\w+::)*Result<[\w:<>(), &'+]+> )?\{$",
        r"^Ok(::<\(\), [\w:<>(), &'+]+>)?\(\(\)\)$",
        r"^\}?$",
    ]
    .map(pattern)
});

/// An example without the marks of lines that the page does not show.
pub(crate) fn visible(example: &str) -> String {
    let lines = example.lines().map(|line| unmarked(line).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// What stands behind the mark of a line that the page does not show.
fn unmarked(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix('#')?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
}

/// A line that the page does not show and that is none of those an example may hide.
fn hidden((at, line): (usize, &str)) -> Option<(usize, &str)> {
    let rest = unmarked(line)?;
    let renames = rest.starts_with("use ") && rest.split_whitespace().any(|word| word == "as");
    let harmless = !renames && HARMLESS.iter().any(|one| one.is_match(rest));
    (!harmless).then_some((at, line.trim()))
}

/// The lines, counted from 1, that the page does not show and that are a part of a literal: the
/// compiler takes them for text, without their mark.
fn hidden_in_text(example: &str) -> Vec<(usize, &str)> {
    let tokens = visible(example).parse::<TokenStream>().unwrap_or_default();
    let literals = literal_lines(tokens);
    let inside =
        |line: usize| literals.iter().any(|(first, last)| (first + 1..=*last).contains(&line));
    let lines = (1..).zip(example.lines());
    lines.filter(|(at, line)| unmarked(line).is_some() && inside(*at)).collect()
}

/// The first and the last line of each literal.
fn literal_lines(tokens: TokenStream) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => found.extend(literal_lines(group.stream())),
            TokenTree::Literal(literal) => {
                found.push((literal.span().start().line, literal.span().end().line));
            }
            _ => {}
        }
    }
    found
}

/// Lines that are Rust, and neither shell, TOML, JSON, Python nor prose.
static RUST: LazyLock<[Regex; 17]> = LazyLock::new(|| {
    [
        r"^(pub(\([^)]*\))? +)?((const|async|unsafe|extern( +.C.)?) +)*fn +\w+ *[(<]",
        r"^let +(mut +)?[\w(&\[][^=]* = .",
        r"^let +(mut +)?\w+( *: *[^=]+)?;$",
        r"^(pub(\([^)]*\))? +)?(struct|enum|trait|mod|union) +\w+.*[{;]$",
        r"^(pub(\([^)]*\))? +)?(type|static|const) +\w+.*=.*;$",
        r"^(pub(\([^)]*\))? +)?use +\w+(::[\w:{}*, ]+)?;$",
        r"^(unsafe +)?impl\b.*\{$",
        r"^#!?\[(derive|cfg|cfg_attr|test|allow|deny|warn|expect|inline|must_use|doc|path|repr|ignore|should_panic|non_exhaustive|track_caller|no_mangle)\b.*\]$",
        r"^macro_rules! ",
        r"^(\w+::)*\w+! ?[(\[{](.*[;,(){}\[\]])?$",
        r"^(```+|~~~+) *rust",
        r"^(\} *else +)?(match|if let|while let) +[^{]*\w[^{]* *\{",
        r"^for +.+ in +[^{]*\w[^{]* *\{$",
        r"^(\} *else +)?(if|while) +[^{]*\w[^{]* *\{$",
        r"^(loop|unsafe|\} *else) *\{$",
        r"^[^|]*\.unwrap\(\)",
        r"^[^|]*\w\.\w+(::<[^>]*>)?\(.*\)\?[;,]?$",
    ]
    .map(pattern)
});

/// A call of a method, and nothing more.
static CALL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[a-z_]\w*(\.\w+(\([^()]*\))?)*\.\w+(::<[^>]*>)?\([^()]*\)$"));

/// Whether a line in a block of another language reads like Rust: a guess that such a block
/// seldom meets.
pub(crate) fn is_rust(language: &str, line: &str) -> bool {
    let line = line.trim();
    let command = line.strip_prefix("$ ");
    let typed = command.unwrap_or(line);
    let starts = ["let ", "fn ", "pub ", "use ", "impl "];
    // A command and a sentence may end so, too.
    let semicolon = match language {
        "sh" | "markdown" => false,
        // Nor does the compiler's own quotation of a line, behind a bar.
        "console" => command.is_none() && !line.contains(" | "),
        _ => !line.starts_with('#'),
    };
    // Python calls a method alike, and so does a command in its arguments.
    let calls = matches!(language, "text" | "console") && command.is_none() && CALL.is_match(line);
    calls
        || semicolon && line.ends_with(';')
        || language == "text" && starts.iter().any(|start| line.starts_with(start))
        || RUST.iter().any(|one| one.is_match(typed))
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
