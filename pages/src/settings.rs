//! What `book.toml` says to this crate, and that it says nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use mdbook_renderer::config::Config;
use mdbook_renderer::errors::{Error, Result};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::comments::line_of;
use crate::finish::Finish;
use crate::preprocessor::{PageFault, PageFaults};

/// The table of the last output. A key that nobody reads is a slip, and would do nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[serde(bound(deserialize = "Word: Deserialize<'de> + Ord"))]
pub(crate) struct Settings<Word = String> {
    /// What a listing was called, and what it is called now.
    #[serde(default = "BTreeMap::new")]
    pub(crate) renamed: BTreeMap<Word, Word>,
    /// What stands behind a page's own title.
    pub(crate) short_title: Option<String>,
    /// The folder with the library's documentation.
    pub(crate) api: Option<PathBuf>,
    #[serde(default)]
    pub(crate) epub: Epub,
    #[expect(dead_code, reason = "mdBook's own")]
    command: Option<String>,
    #[expect(dead_code, reason = "mdBook's own")]
    #[serde(default, deserialize_with = "mandatory")]
    optional: bool,
}

/// Where the book as one file goes, and when the book was last changed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Epub {
    pub(crate) file: Option<PathBuf>,
    pub(crate) modified: Option<String>,
}

/// The table of the preprocessor: it has only mdBook's own keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Preprocessing {
    command: Option<String>,
    #[serde(deserialize_with = "mandatory")]
    optional: bool,
    before: Option<Vec<String>>,
    after: Option<Vec<String>>,
    renderers: Option<Vec<String>>,
}

/// mdBook leaves out what is optional and cannot start, and builds the book without its checks.
fn mandatory<'de, D: Deserializer<'de>>(value: D) -> std::result::Result<bool, D::Error> {
    let optional = bool::deserialize(value)?;
    let refused = "without this program nothing checks the pages; take the line out";
    if optional {
        Err(D::Error::custom(refused))
    } else {
        Ok(optional)
    }
}

impl Settings {
    /// The values in force: those of the file, or of the environment in their place.
    pub(crate) fn of(config: &Config) -> Result<Self> {
        Ok(config.get(&format!("output.{}", Finish::NAME))?.unwrap_or_default())
    }
}

/// `book.toml` as its author wrote it, each word with its place.
#[derive(Debug)]
pub(crate) struct Written {
    text: String,
    /// What a listing was called, and what it is called now.
    pub(crate) renamed: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// The parts of the file that this crate reads.
#[derive(Debug, Deserialize)]
struct Parts {
    #[serde(default)]
    output: Outputs,
    #[expect(dead_code, reason = "only its keys count")]
    #[serde(default)]
    preprocessor: Preprocessors,
}

#[derive(Debug, Default, Deserialize)]
struct Outputs {
    #[serde(rename = "pullback-site")]
    site: Option<Settings<Spanned<String>>>,
}

#[derive(Debug, Default, Deserialize)]
struct Preprocessors {
    #[expect(dead_code, reason = "only its keys count")]
    pullback: Option<Preprocessing>,
}

impl Written {
    /// The file of the book at `root`; a fault is a key that nobody reads, or a wrong value.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        Self::parse(fs::read_to_string(root.join(FILE))?)
            .map_err(|fault| Error::new(PageFaults(vec![fault])))
    }

    fn parse(text: String) -> std::result::Result<Self, PageFault> {
        let parts: Parts = toml::from_str(&text).map_err(|error| {
            fault(&text, error.span().unwrap_or_default(), error.message().to_string())
        })?;
        let renamed = parts.output.site.map(|site| site.renamed).unwrap_or_default();
        Ok(Written { renamed, text })
    }

    /// A fault of the file, at its line.
    pub(crate) fn fault(&self, at: Range<usize>, what: String) -> PageFault {
        fault(&self.text, at, what)
    }
}

const FILE: &str = "book.toml";

fn fault(text: &str, at: Range<usize>, what: String) -> PageFault {
    let line = line_of(text, at.start);
    PageFault { file: PathBuf::from(FILE), line, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_nobody_reads_is_refused() {
        let read = |text: &str| {
            Written::parse(text.to_string())
                .map_err(|fault| format!("{}: {}", fault.line, fault.what))
        };
        let site = "command = \"x\"\noptional = false\nshort-title = \"x\"\napi = \"x\"\n\
                    epub = { file = \"x\", modified = \"x\" }\nrenamed = { a = \"b\" }";
        let own = "command = \"x\"\noptional = false\nbefore = []\nafter = []\nrenderers = []";
        let sound = format!(
            "[output.html]\nx = 1\n[preprocessor.links]\ny = 1\n[output.pullback-site]\n{site}\n\
             [preprocessor.pullback]\n{own}\n"
        );
        assert_eq!(read(&sound).err(), None);
        for (text, says) in [
            ("[output.pullback-site]\nshort_title = \"x\"", "2: unknown field `short_title`"),
            ("[output.pullback-site.rename]\na = \"b\"", "1: unknown field `rename`"),
            ("[output.pullback-site.epub]\nfiles = \"x\"", "2: unknown field `files`"),
            ("[output.pullback-site]\nafter = []", "2: unknown field `after`"),
            ("[preprocessor.pullback]\nafer = []", "2: unknown field `afer`"),
            ("[output.pullback-site.renamed]\na = 1", "2: invalid type: integer `1`"),
        ] {
            let error = read(text).err().unwrap_or_default();
            assert!(error.starts_with(says) && error.contains("expected"), "{text}: {error}");
        }
        for table in ["output.pullback-site", "preprocessor.pullback"] {
            let error = read(&format!("[{table}]\noptional = true")).err().unwrap_or_default();
            assert!(error.starts_with("2: without this program"), "{table}: {error}");
        }
    }

    #[test]
    fn values_are_those_of_mdbook_s_configuration() -> Result<()> {
        let mut config = Config::default();
        assert!(Settings::of(&config)?.short_title.is_none());
        config.set("output.pullback-site.short-title", "x")?;
        config.set("output.pullback-site.epub.file", "y")?;
        let Settings { short_title, epub, .. } = Settings::of(&config)?;
        assert_eq!(short_title.as_deref(), Some("x"));
        assert_eq!(epub.file.as_deref(), Some(Path::new("y")));
        Ok(())
    }
}
