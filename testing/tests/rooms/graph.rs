//! The arrows between the files of a crate.
//!
//! A file points at another if it names something that the other defines, in a `use` line or in a path;
//! names that modules hand on are followed to where they are defined. To declare a module is no arrow, and
//! neither is to hand on (`pub use`) what a module below defines, unless the file itself says the name.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use crate::source::{Import, Module, Modules};

/// The files that each file points at.
pub(crate) type Arrows = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// The arrows of a crate.
pub(crate) fn arrows(modules: &Modules) -> Arrows {
    let mut arrows = Arrows::new();
    for (path, module) in modules {
        let targets = arrows.entry(module.file.clone()).or_default();
        let imported = module.imports.iter().filter(|import| !only_handed_on(module, import));
        let imported = imported.map(|import| &import.path);
        let said = module.mentions.iter().filter(|said| starts_at_module(modules, module, said));
        for target in imported.chain(said).filter_map(|said| resolve(modules, path, said, 0)) {
            targets.insert(target.file.clone());
        }
        targets.remove(&module.file);
    }
    arrows
}

/// Whether an import is there for others alone.
fn only_handed_on(module: &Module, import: &Import) -> bool {
    let mut start = import.path.iter().filter(|segment| *segment != "self");
    let below = start.next().is_some_and(|segment| module.children.contains(segment));
    let said = |name: &String| module.mentions.iter().any(|said| said[0] == *name);
    import.public && below && !import.name.as_ref().is_some_and(said)
}

/// Whether a path of several names starts at a module and not at a type.
fn starts_at_module(modules: &Modules, module: &Module, said: &[String]) -> bool {
    let is_import = |name: &String| {
        let import = module.imports.iter().find(|import| import.name.as_ref() == Some(name));
        import.is_some_and(|import| name.starts_with(char::is_lowercase) && import.path.len() > 1)
    };
    let [first, _, ..] = said else { return false };
    is_anchor(first)
        || module.children.contains(first)
        || is_import(first)
        || modules.contains_key(said)
}

fn is_anchor(segment: &str) -> bool {
    matches!(segment, "crate" | "super" | "self")
}

/// The module that defines what `said` names in the module at `from`; `None` if another crate does.
fn resolve<'a>(
    modules: &'a Modules,
    from: &[String],
    said: &[String],
    depth: usize,
) -> Option<&'a Module> {
    assert!(depth < 20, "{from:?}: {said:?} is imported from itself");
    let mut at = from.to_vec();
    let mut rest = said;
    while let Some((first, others)) = rest.split_first() {
        match first.as_str() {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" => {}
            _ => break,
        }
        rest = others;
    }
    let anchored = rest.len() < said.len();
    for (number, name) in rest.iter().enumerate() {
        let module = &modules[&at];
        if module.children.contains(name) {
            at.push(name.clone());
            if !modules.contains_key(&at) {
                // A module for tests.
                return None;
            }
            continue;
        }
        if module.items.contains(name) {
            return Some(module);
        }
        let others = &rest[number + 1..];
        let mut imports = module.imports.iter();
        if let Some(import) = imports.find(|import| import.name.as_ref() == Some(name)) {
            if import.path[0] == *name {
                // Another crate under its own name.
                return None;
            }
            return resolve(modules, &at, &[&import.path[..], others].concat(), depth + 1);
        }
        let is_local = |start: &String| is_anchor(start) || module.children.contains(start);
        let globs = module.imports.iter().filter(|import| import.name.is_none());
        let mut globs = globs.filter(|import| is_local(&import.path[0]));
        let from_glob = globs.find_map(|glob| {
            let target = resolve(modules, &at, &glob.path, depth + 1)?;
            (target.items.contains(name) || target.children.contains(name)).then_some(target)
        });
        if from_glob.is_some() {
            return from_glob;
        }
        // A variant, a derived type, or the name of another crate.
        return (anchored || number > 0).then_some(module);
    }
    Some(&modules[&at])
}

/// The sets of files that point at one another, directly or not.
pub(crate) fn circles(arrows: &Arrows) -> Vec<BTreeSet<PathBuf>> {
    let reached: BTreeMap<_, _> = arrows.keys().map(|file| (file, reach(arrows, file))).collect();
    let mut circles = BTreeSet::new();
    for (file, targets) in &reached {
        if targets.contains(*file) {
            let both = targets.iter().filter(|other| reached[*other].contains(*file));
            circles.insert(both.cloned().collect());
        }
    }
    circles.into_iter().collect()
}

/// All files that arrows lead to from `file`.
fn reach(arrows: &Arrows, file: &PathBuf) -> BTreeSet<PathBuf> {
    let mut seen = BTreeSet::new();
    let mut open = vec![file];
    while let Some(next) = open.pop() {
        open.extend(arrows[next].iter().filter(|target| seen.insert((*target).clone())));
    }
    seen
}
