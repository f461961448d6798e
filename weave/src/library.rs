//! The sources below `src/`: their regions and their module tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::anchors::{self, Region};
use crate::docs;
use crate::fault::{Fault, What};
use crate::source::{Declaration, Source};
use crate::switches::Kind;
use crate::text::{files, is_rust, read, slashed};

/// Everything below `src/`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Library {
    pub(crate) sources: BTreeMap<PathBuf, Source>,
    pub(crate) regions: BTreeMap<String, Region>,
    modules: BTreeMap<PathBuf, Module>,
}

/// A file's place in the module tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Module {
    /// The files from the crate root to this one, both included.
    pub(crate) chain: Vec<PathBuf>,
    /// The module names from the root to here; empty for the root.
    pub(crate) names: Vec<String>,
}

impl Library {
    /// Reads every source file.
    pub(crate) fn read(root: &Path, faults: &mut Vec<Fault>) -> Library {
        let mut library = Library::default();
        for file in files(root, Path::new("src"), is_rust) {
            let Some(text) = read(root, &file, faults) else {
                continue;
            };
            anchors::scan(&file, &text, &mut library.regions, faults);
            match Source::parse(&file, &text) {
                Ok(source) => {
                    anchors::in_text(&file, &source, faults);
                    // A check comes to stand inside its listing's module.
                    for switch in &source.switches {
                        if matches!(switch.kind, Kind::Shadow | Kind::RenamedShadow) {
                            faults.push(What::Shadow(switch.what.clone()).at(&file, switch.line));
                        }
                    }
                    library.sources.insert(file, source);
                }
                Err(fault) => faults.push(fault),
            }
        }
        for top in ["src/lib.rs", "src/main.rs"].map(PathBuf::from) {
            let chain = vec![top.clone()];
            library.descend(&top, Module { chain, names: Vec::new() }, faults);
        }
        for (file, source) in &library.sources {
            docs::check(file, source, library.is_of_library(file), faults);
        }
        library
    }

    /// Where a file stands in the tree; none when no `mod` leads to it.
    pub(crate) fn module(&self, file: &Path) -> Option<&Module> {
        self.modules.get(file)
    }

    /// The module of the root that a file is or stands in; none for the root itself.
    pub(crate) fn top(&self, file: &Path) -> Option<&str> {
        self.module(file)?.names.first().map(String::as_str)
    }

    /// Whether `src/lib.rs` leads to a file.
    pub(crate) fn is_of_library(&self, file: &Path) -> bool {
        let first = self.modules.get(file).and_then(|module| module.chain.first());
        first.is_some_and(|first| first == Path::new("src/lib.rs"))
    }

    /// The source files from the crate root to `file`.
    pub(crate) fn chain<'a>(&'a self, file: &Path) -> Vec<(&'a Path, &'a Source)> {
        let files = self.modules.get(file).map(|module| module.chain.as_slice());
        let files = files.unwrap_or_default().iter();
        files.filter_map(|file| Some((file.as_path(), self.sources.get(file)?))).collect()
    }

    /// The file that a declaration in `file` loads.
    pub(crate) fn target(&self, file: &Path, declared: &Declaration) -> Option<PathBuf> {
        let folder = file.parent()?;
        let candidates = match &declared.path {
            Some((_, path)) => vec![crate::text::normalize(&folder.join(path))?],
            None => {
                // A raw name, such as `r#type`, has its file under the plain one.
                let name = &declared.name;
                let base = folder.join(name.strip_prefix("r#").unwrap_or(name));
                vec![base.with_extension("rs"), base.join("mod.rs")]
            }
        };
        candidates.into_iter().find(|path| self.sources.contains_key(path))
    }

    fn descend(&mut self, file: &Path, module: Module, faults: &mut Vec<Fault>) {
        let Some(source) = self.sources.get(file) else {
            return;
        };
        if self.modules.contains_key(file) {
            return;
        }
        let declared: Vec<Declaration> =
            source.modules.iter().filter(|one| !one.test).cloned().collect();
        let owns_folder = module.names.is_empty() || file.ends_with("mod.rs");
        if let (false, Some(first)) = (owns_folder, declared.first()) {
            let better = slashed(&file.with_extension("").join("mod.rs"));
            let line = source.lines.of(first.span.start);
            faults.push(What::ModuleFile(better).at(file, line));
        }
        self.modules.insert(file.to_path_buf(), module.clone());
        for one in declared {
            if let Some(target) = self.target(file, &one) {
                let mut inner = module.clone();
                inner.chain.push(target.clone());
                inner.names.push(one.name);
                self.descend(&target, inner, faults);
            }
        }
    }
}
