//! What a crate's files say of one another: modules, the names they define, their `use` lines and paths.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{punctuated::Punctuated, Attribute, Item, ItemUse, Meta, Token, UseTree, Visibility};

/// A `use` of one name.
pub(crate) struct Import {
    /// What it is called here; `None` for `*`.
    pub(crate) name: Option<String>,
    /// Where it comes from.
    pub(crate) path: Vec<String>,
    /// Whether others may take it from here.
    pub(crate) public: bool,
}

/// A module: a file, or a part of one.
#[derive(Default)]
pub(crate) struct Module {
    /// Its file, from the root of the workspace.
    pub(crate) file: PathBuf,
    /// The names that it defines.
    pub(crate) items: BTreeSet<String>,
    /// The names of the modules in it.
    pub(crate) children: BTreeSet<String>,
    /// Its `use` lines.
    pub(crate) imports: Vec<Import>,
    /// The paths in its other lines, single names among them.
    pub(crate) mentions: BTreeSet<Vec<String>>,
}

impl Module {
    /// The first names of all its paths: crates are among them.
    pub(crate) fn crates(&self) -> impl Iterator<Item = String> + '_ {
        let imported = self.imports.iter().map(|import| &import.path);
        imported.chain(&self.mentions).map(|path| path[0].clone())
    }
}

/// The modules of a crate by their paths; the crate's root has the empty one.
pub(crate) type Modules = BTreeMap<Vec<String>, Module>;

/// The modules below `root`, a `lib.rs` or `main.rs`, without those for tests alone.
pub(crate) fn modules(workspace: &Path, root: &Path) -> Modules {
    let mut reader = Reader { workspace, modules: Modules::new() };
    let folder = root.parent().expect("a file is in a folder").to_path_buf();
    reader.read(vec![], root, folder);
    reader.modules
}

struct Reader<'a> {
    workspace: &'a Path,
    modules: Modules,
}

impl Reader<'_> {
    /// Reads a file; those of its modules are in `folder`.
    fn read(&mut self, path: Vec<String>, file: &Path, folder: PathBuf) {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let file = file.strip_prefix(self.workspace).expect("it is in the workspace").to_path_buf();
        self.module(path, parsed.items, &Place { file, folder });
    }

    fn module(&mut self, path: Vec<String>, items: Vec<Item>, place: &Place) {
        let mut module = Module { file: place.file.clone(), ..Module::default() };
        for item in items.into_iter().filter(|item| !attributes(item).iter().any(is_for_tests)) {
            match item {
                Item::Use(line) => imports(&line, &mut module.imports),
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    module.children.insert(name.clone());
                    let path = [&path[..], std::slice::from_ref(&name)].concat();
                    let folder = place.folder.join(&name);
                    match child.content {
                        Some((_, items)) => {
                            let file = place.file.clone();
                            self.module(path, items, &Place { file, folder });
                        }
                        None => {
                            let beside = place.folder.join(format!("{name}.rs"));
                            let inside = folder.join("mod.rs");
                            let file = if beside.exists() { beside } else { inside };
                            self.read(path, &file, folder);
                        }
                    }
                }
                other => {
                    module.items.extend(name_of(&other));
                    mentions(other.to_token_stream(), &mut module.mentions);
                }
            }
        }
        self.modules.insert(path, module);
    }
}

/// Where a module is.
struct Place {
    file: PathBuf,
    /// The folder of its modules' files.
    folder: PathBuf,
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// The condition of a `#[cfg(…)]`.
fn condition(attribute: &Attribute) -> Option<Meta> {
    if !attribute.path().is_ident("cfg") {
        return None;
    }
    attribute.parse_args().ok()
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
        || condition(attribute)
            .is_some_and(|meta| needs(&meta, &|meta| meta.path().is_ident("test")))
}

/// Whether `wanted` holds wherever the condition does.
fn needs(meta: &Meta, wanted: &dyn Fn(&Meta) -> bool) -> bool {
    let Meta::List(list) = meta else { return wanted(meta) };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let parts = parts.expect("a list of conditions");
    if list.path.is_ident("all") {
        parts.iter().any(|part| needs(part, wanted))
    } else {
        list.path.is_ident("any") && parts.iter().all(|part| needs(part, wanted))
    }
}

fn imports(line: &ItemUse, found: &mut Vec<Import>) {
    let public = !matches!(line.vis, Visibility::Inherited);
    names(&line.tree, &mut vec![], &mut |name, path| found.push(Import { name, path, public }));
}

fn names(
    tree: &UseTree,
    above: &mut Vec<String>,
    found: &mut impl FnMut(Option<String>, Vec<String>),
) {
    match tree {
        UseTree::Path(part) => {
            above.push(part.ident.to_string());
            names(&part.tree, above, found);
            above.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, above, found)),
        UseTree::Glob(_) => found(None, above.clone()),
        UseTree::Name(name) if name.ident == "self" => found(above.last().cloned(), above.clone()),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            found(Some(name.clone()), [&above[..], &[name]].concat());
        }
        UseTree::Rename(name) => {
            let path = [&above[..], &[name.ident.to_string()]].concat();
            found(Some(name.rename.to_string()), path);
        }
    }
}

/// All `a::b::c` in `tokens`, also inside macros.
fn mentions(tokens: TokenStream, found: &mut BTreeSet<Vec<String>>) {
    let mut path: Vec<String> = vec![];
    let mut colons = 0;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    found.insert(std::mem::take(&mut path));
                }
                path.push(name.to_string());
                colons = 0;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
            other => {
                found.insert(std::mem::take(&mut path));
                colons = 0;
                if let TokenTree::Group(group) = other {
                    // Who may see it, `pub(in crate::gate)`, is no use.
                    let mut inside = group.stream().into_iter();
                    if !matches!(inside.next(), Some(TokenTree::Ident(name)) if name == "in") {
                        mentions(group.stream(), found);
                    }
                }
            }
        }
    }
    found.insert(path);
    found.remove(&vec![]);
}
