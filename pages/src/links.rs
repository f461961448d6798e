//! Where the names in a listing are defined.
//!
//! A name leads to the listing that prints its definition, else to the documentation of the
//! library, if that is there. Without the compiler's types not every name can be told, and a wrong
//! link is worse than none: a name that could be two things stays plain text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pullback_weave::{Book, Kind as Printing, Listing};
use syn::visit::{self, Visit};

use crate::colour::{tokens, Token, Wrap};
use crate::figure::target;
use crate::source::{relative, slashed};

/// What a definition is, as rustdoc's addresses tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// `fn`, `struct`, `trait` and so on, outside any type.
    Item(&'static str),
    /// A function of a type or trait, which has this name.
    Method(String),
}

/// One definition in the library's source.
#[derive(Debug, Clone)]
struct Definition {
    name: String,
    kind: Kind,
    /// Whether it says `pub`, or is part of a trait.
    public: bool,
    /// The file, relative to the root.
    file: PathBuf,
    line: usize,
}

/// A public name that no listing prints, and where the source defines it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unprinted {
    pub(crate) file: PathBuf,
    /// The type or trait that it belongs to.
    pub(crate) host: Option<String>,
    pub(crate) line: usize,
    pub(crate) name: String,
}

/// The lines of a file that an `impl` or a trait spans, and its type's name.
#[derive(Debug, Clone)]
struct Host {
    file: PathBuf,
    first_line: usize,
    last_line: usize,
    name: String,
}

/// The names of a listing and where they lead.
pub(crate) struct Definitions<'book> {
    woven: &'book Book,
    definitions: Vec<Definition>,
    hosts: Vec<Host>,
    api: Option<Api>,
}

impl<'book> Definitions<'book> {
    /// Reads the library's source, and what rustdoc has written of it into the folder `api`.
    pub(crate) fn new(
        woven: &'book Book,
        api: Option<&Path>,
    ) -> Result<Self, (PathBuf, io::Error)> {
        let mut reader = Reader::default();
        let source = woven.root.join("src");
        for file in rust_files(&source).map_err(|error| (source, error))? {
            let text = fs::read_to_string(&file).map_err(|error| (file.clone(), error))?;
            // The weave has read all files that listings are from; another one may be a draft.
            let Ok(syntax) = syn::parse_file(&text) else { continue };
            reader.file = file.strip_prefix(&woven.root).unwrap_or(&file).to_path_buf();
            reader.visit_file(&syntax);
        }
        let api = api
            .map(|folder| Api::new(folder).map_err(|error| (folder.to_path_buf(), error)))
            .transpose()?;
        Ok(Definitions { woven, definitions: reader.definitions, hosts: reader.hosts, api })
    }

    /// The public names that no listing prints, file by file and type by type.
    pub(crate) fn unprinted(&self) -> Vec<Unprinted> {
        let printed = |one: &Definition| {
            self.woven
                .listings()
                .any(|listing| listing.source == one.file && listing.lines.contains(&one.line))
        };
        let mut found: Vec<Unprinted> = self
            .definitions
            .iter()
            .filter(|one| one.public && !printed(one))
            .map(|one| Unprinted {
                file: one.file.clone(),
                host: match &one.kind {
                    Kind::Item(_) => None,
                    Kind::Method(host) => Some(host.clone()),
                },
                line: one.line,
                name: one.name.clone(),
            })
            .collect();
        found.sort();
        found
    }

    /// The links of the listing in the figure with this id, whose text the page at `page` shows.
    pub(crate) fn links(&self, id: &str, text: &str, page: &Path) -> Vec<Wrap> {
        let Some(listing) = self.woven.listings().find(|listing| target(&listing.anchor) == id)
        else {
            return Vec::new();
        };
        let tokens = tokens(text);
        let mut seen = BTreeSet::new();
        let mut links = Vec::new();
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.name) {
            let Some(found) = self.definition(listing, text, &tokens, index) else { continue };
            // The first use in a listing is enough.
            if !seen.insert(found) {
                continue;
            }
            if let Some(address) = self.address(&self.definitions[found], listing, page) {
                links.push(Wrap {
                    span: token.start..token.start + token.text.len(),
                    open: format!("<a href=\"{address}\">"),
                    close: "</a>",
                });
            }
        }
        links
    }

    /// The definition that the name at this index means, if there is no doubt.
    fn definition(
        &self,
        listing: &Listing,
        text: &str,
        tokens: &[Token<'_>],
        index: usize,
    ) -> Option<usize> {
        let word = |index: Option<usize>| {
            index.and_then(|index| tokens.get(index)).map_or("", |token| token.text)
        };
        let back = |steps: usize| word(index.checked_sub(steps));
        let name = tokens[index].text;
        let path = back(1) == ":" && back(2) == ":";
        let called = match word(Some(index + 1)) {
            "(" => true,
            ":" => word(Some(index + 2)) == ":" && word(Some(index + 3)) == "<",
            _ => false,
        };
        let line = || {
            let printed = text[..tokens[index].start].matches('\n').count();
            listing.lines.get(printed).copied()
        };
        let of = |owner: &str| {
            self.only(name, |kind| matches!(kind, Kind::Method(host) if host == owner), None)
        };
        if matches!(back(1), "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static") {
            return None;
        }
        if path && is_type_name(back(3)) {
            return of(back(3));
        }
        if path && back(3) == "Self" {
            return of(&self.host(&listing.source, line()?)?.name);
        }
        if path && matches!(back(3), "std" | "core" | "fmt" | ">") {
            return None;
        }
        if name.starts_with(char::is_uppercase) {
            return self.only(name, |kind| matches!(kind, Kind::Item(_)), Some(&listing.source));
        }
        if back(1) == "." && called {
            let own = back(2) == "self" && !matches!(back(3), "." | ":");
            return match own {
                true => of(&self.host(&listing.source, line()?)?.name),
                false if BORROWED.contains(&name) => None,
                false => self.only(name, |kind| matches!(kind, Kind::Method(_)), None),
            };
        }
        if back(1) == "." || back(1) == "|" || !(called || path) {
            return None;
        }
        let module = path.then(|| back(3)).filter(|module| !is_relative(module));
        let place = match module {
            Some(module) => self.module(&listing.source, module)?,
            None => listing.source.clone(),
        };
        self.only(name, |kind| matches!(kind, Kind::Item("fn")), Some(&place))
    }

    /// The file of a module that a path names.
    fn module(&self, from: &Path, module: &str) -> Option<PathBuf> {
        let is_module = |file: &Path| {
            file.file_stem().is_some_and(|stem| stem == module)
                || (file.ends_with("mod.rs")
                    && file.parent().is_some_and(|folder| folder.ends_with(module)))
        };
        let mut files: Vec<&PathBuf> =
            self.definitions.iter().map(|one| &one.file).filter(|file| is_module(file)).collect();
        files.dedup();
        match files[..] {
            [file] => Some(file.clone()),
            _ => files.into_iter().find(|file| file.parent() == from.parent()).cloned(),
        }
    }

    /// The one definition of this name and kind; among several the one in `file`.
    fn only(&self, name: &str, is: impl Fn(&Kind) -> bool, file: Option<&Path>) -> Option<usize> {
        let all: Vec<usize> = self
            .definitions
            .iter()
            .enumerate()
            .filter(|(_, one)| one.name == name && is(&one.kind))
            .map(|(index, _)| index)
            .collect();
        let is_near = |one: &usize| Some(&*self.definitions[*one].file) == file;
        let near: Vec<usize> = all.iter().copied().filter(is_near).collect();
        match (&all[..], &near[..]) {
            ([one], _) | (_, [one]) => Some(*one),
            _ => None,
        }
    }

    fn host(&self, file: &Path, line: usize) -> Option<&Host> {
        self.hosts
            .iter()
            .find(|host| host.file == file && (host.first_line..=host.last_line).contains(&line))
    }

    /// Where the page at `page` sends a reader for a definition that is not in the listing itself.
    fn address(&self, to: &Definition, from: &Listing, page: &Path) -> Option<String> {
        let printed =
            |listing: &&Listing| listing.source == to.file && listing.lines.contains(&to.line);
        if printed(&from) {
            return None;
        }
        let full = self.woven.listings().filter(|listing| listing.kind == Printing::Full);
        match full.chain(self.woven.listings()).find(printed) {
            // The page that prints the whole book holds every listing.
            Some(listing) if listing.chapter == from.chapter || page == Path::new("print.html") => {
                Some(format!("#{}", target(&listing.anchor)))
            }
            Some(listing) => {
                let chapter = listing.chapter.with_extension("html");
                Some(format!("{}#{}", relative(page, &chapter), target(&listing.anchor)))
            }
            None => {
                let address = self.api.as_ref()?.address(to)?;
                Some(relative(page, &Path::new("api").join(address)))
            }
        }
    }
}

/// Methods of the standard library's cells, options, lists, iterators and numbers. `state.set(1)`
/// may mean one of these, even where only one type of ours has a method of that name.
const BORROWED: [&str; 76] = [
    "abs",
    "add",
    "all",
    "and_then",
    "any",
    "append",
    "as_mut",
    "as_ptr",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "chain",
    "chunks",
    "clear",
    "clone",
    "cloned",
    "cmp",
    "collect",
    "contains",
    "copied",
    "count",
    "div",
    "drain",
    "drop",
    "enumerate",
    "eq",
    "extend",
    "fill",
    "filter",
    "find",
    "first",
    "fold",
    "get",
    "get_mut",
    "hash",
    "insert",
    "into_iter",
    "is_empty",
    "is_finite",
    "iter",
    "iter_mut",
    "join",
    "last",
    "len",
    "map",
    "max",
    "min",
    "mul",
    "neg",
    "next",
    "position",
    "pop",
    "product",
    "push",
    "remove",
    "replace",
    "resize",
    "reverse",
    "rev",
    "set",
    "sort",
    "split",
    "step_by",
    "sub",
    "sum",
    "swap",
    "take",
    "then",
    "to_vec",
    "truncate",
    "unwrap",
    "update",
    "with",
    "zip",
];

fn is_type_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word != "Self"
}

fn is_relative(module: &str) -> bool {
    matches!(module, "self" | "super" | "crate")
}

pub(crate) fn rust_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Collects the definitions of one file after the other.
#[derive(Default)]
struct Reader {
    file: PathBuf,
    host: Option<String>,
    definitions: Vec<Definition>,
    hosts: Vec<Host>,
}

impl Reader {
    fn add(&mut self, kind: Kind, name: &syn::Ident, public: bool) {
        self.definitions.push(Definition {
            name: name.to_string(),
            kind,
            public,
            file: self.file.clone(),
            line: name.span().start().line,
        });
    }

    fn inside(&mut self, name: String, span: proc_macro2::Span, visit: impl FnOnce(&mut Self)) {
        self.hosts.push(Host {
            file: self.file.clone(),
            first_line: span.start().line,
            last_line: span.end().line,
            name: name.clone(),
        });
        self.host = Some(name);
        visit(self);
        self.host = None;
    }
}

/// The name of the type that an `impl` is for.
fn type_name(of: &syn::Type) -> Option<String> {
    match of {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        syn::Type::Reference(reference) => type_name(&reference.elem),
        _ => None,
    }
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|what| what == "test")
    })
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let host = match item {
            syn::Item::Fn(item) => {
                return self.add(Kind::Item("fn"), &item.sig.ident, is_public(&item.vis));
            }
            syn::Item::Mod(item) if is_test(&item.attrs) => return,
            syn::Item::Struct(item) => {
                return self.add(Kind::Item("struct"), &item.ident, is_public(&item.vis));
            }
            syn::Item::Enum(item) => {
                return self.add(Kind::Item("enum"), &item.ident, is_public(&item.vis));
            }
            syn::Item::Type(item) => {
                return self.add(Kind::Item("type"), &item.ident, is_public(&item.vis));
            }
            syn::Item::Const(item) => {
                return self.add(Kind::Item("constant"), &item.ident, is_public(&item.vis));
            }
            syn::Item::Static(item) => {
                return self.add(Kind::Item("static"), &item.ident, is_public(&item.vis));
            }
            syn::Item::Trait(item) => {
                self.add(Kind::Item("trait"), &item.ident, is_public(&item.vis));
                Some((item.ident.to_string(), syn::spanned::Spanned::span(item)))
            }
            syn::Item::Impl(item) => {
                type_name(&item.self_ty).map(|name| (name, syn::spanned::Spanned::span(item)))
            }
            _ => None,
        };
        match host {
            Some((name, span)) => self.inside(name, span, |reader| visit::visit_item(reader, item)),
            None => visit::visit_item(self, item),
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        // What a trait asks for is defined where the trait is.
        if item.trait_.is_none() {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if let Some(host) = self.host.clone() {
            self.add(Kind::Method(host), &function.sig.ident, is_public(&function.vis));
        }
    }

    fn visit_impl_item_const(&mut self, constant: &'ast syn::ImplItemConst) {
        if let Some(host) = self.host.clone() {
            self.add(Kind::Method(host), &constant.ident, is_public(&constant.vis));
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(host) = self.host.clone() {
            self.add(Kind::Method(host), &function.sig.ident, true);
        }
    }
}

/// What rustdoc wrote: its pages by their names, as `struct.Tensor.html`.
struct Api {
    folder: PathBuf,
    pages: BTreeMap<String, Vec<PathBuf>>,
}

impl Api {
    fn new(folder: &Path) -> io::Result<Self> {
        let mut pages: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(one) = folders.pop() {
            for entry in fs::read_dir(&one)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let (Some(name), Ok(page)) = (path.file_name(), path.strip_prefix(folder))
                {
                    let name = name.to_string_lossy().into_owned();
                    pages.entry(name).or_default().push(page.to_path_buf());
                }
            }
        }
        Ok(Api { folder: folder.to_path_buf(), pages })
    }

    /// The address of a definition below the documentation's folder, if there is one.
    fn address(&self, to: &Definition) -> Option<String> {
        match &to.kind {
            Kind::Item(kind) => self.page(kind, &to.name).map(|(page, _)| page),
            Kind::Method(host) => {
                let (page, html) =
                    ["struct", "enum", "trait"].iter().find_map(|kind| self.page(kind, host))?;
                ["method", "tymethod", "associatedconstant"]
                    .iter()
                    .map(|kind| format!("{kind}.{}", to.name))
                    .find(|id| html.contains(&format!("id=\"{id}\"")))
                    .map(|id| format!("{page}#{id}"))
            }
        }
    }

    /// The one page of an item, and its HTML. Where a private module defines what a public one
    /// shows, rustdoc leaves a page there that leads on; that one does not count.
    fn page(&self, kind: &str, name: &str) -> Option<(String, String)> {
        let mut pages = self
            .pages
            .get(&format!("{kind}.{name}.html"))?
            .iter()
            .filter_map(|page| {
                Some((slashed(page), fs::read_to_string(self.folder.join(page)).ok()?))
            })
            .filter(|(_, html)| !html.contains("http-equiv=\"refresh\""));
        let found = pages.next()?;
        pages.next().is_none().then_some(found)
    }
}
