//! The order of the rooms: which crates, which folders of a crate and which files may use which.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

mod graph;
mod source;

use graph::{arrows, circles};
use source::{modules, Modules};

/// The crates, the lowest first: each uses those of lines above its own.
const CRATES: [&[&str]; 10] = [
    &["testing", "mutants", "engine", "pairing-curve", "schemes", "verifier"],
    &["params", "gates", "threshold"],
    &["forgery", "gadgets"],
    &["circuits"],
    &["evm"],
    &["prover"],
    &["sweep"],
    &["cli"],
    &["farm", "benches", "verifier/wasm", "python"],
    &["examples/relayer", "examples/bridge-relayer", "examples/custom-circuit"],
];

/// The folders of a crate, the lowest first.
const ROOMS: [(&str, &[&str]); 2] = [
    ("schemes", &["decimal", "field", "hash", "curve", "signature", "membership"]),
    ("gadgets", &["field", "hash", "curve", "signature", "membership"]),
];

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the workspace")
}

/// The folders of the workspace's crates.
fn members() -> Vec<String> {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).expect("it is readable");
    let list = manifest.split_once("\nmembers = [").expect("it has members").1;
    let list = list.split_once(']').expect("the list ends").0;
    list.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

/// The modules of each crate's library and of its binary.
static ROOTS: LazyLock<BTreeMap<String, Vec<Modules>>> = LazyLock::new(|| {
    let roots = |member: &String| {
        let source = workspace().join(member).join("src");
        let roots = ["lib.rs", "main.rs"].map(|root| source.join(root));
        let roots = roots.iter().filter(|root| root.exists());
        roots.map(|root| modules(workspace(), root)).collect()
    };
    members().into_iter().map(|member| (member.clone(), roots(&member))).collect()
});

/// The reader is not blind: these files are an example.
#[test]
fn arrows_are_seen() {
    let folder = Path::new("testing/tests/rooms");
    let seen = arrows(&modules(workspace(), &workspace().join(folder).join("main.rs")));
    let [main, graph, source] = ["main.rs", "graph.rs", "source.rs"].map(|file| folder.join(file));
    assert_eq!(seen[&main], BTreeSet::from([graph.clone(), source.clone()]));
    assert_eq!(seen[&graph], BTreeSet::from([source.clone()]));
    assert_eq!(seen[&source], BTreeSet::new());
    assert!(circles(&seen).is_empty());
    let closed = seen.into_iter().chain([(source.clone(), BTreeSet::from([main.clone()]))]);
    assert_eq!(circles(&closed.collect()), [BTreeSet::from([main, graph, source])]);
}

#[test]
fn crates_use_only_those_below() {
    let level = |member: &str| {
        let level = CRATES.iter().position(|level| level.contains(&member));
        level.unwrap_or_else(|| panic!("{member} has no place in CRATES"))
    };
    let members = || ROOTS.keys();
    assert!(members().len() >= 8, "all members were read: {:?}", members());
    let name = |member: &str| {
        let folder = Path::new(member).file_name().expect("a folder has a name");
        format!("muster_{}", folder.to_string_lossy().replace('-', "_"))
    };
    for (member, roots) in &*ROOTS {
        let modules = roots.iter().flat_map(Modules::values);
        let said: BTreeSet<_> = modules.flat_map(|module| module.crates()).collect();
        for used in members().filter(|used| *used != member && said.contains(&name(used))) {
            assert!(level(used) < level(member), "{member} uses {used}, which is not below it");
        }
    }
}

#[test]
fn rooms_use_only_those_below() {
    let mut upward = vec![];
    for (member, rooms) in ROOMS {
        for modules in &ROOTS[member] {
            let place = |file: &PathBuf| {
                let (path, _) = modules.iter().find(|(_, module)| module.file == *file)?;
                rooms.iter().position(|room| path.first().is_some_and(|at| at == room))
            };
            for (file, targets) in arrows(modules) {
                for target in targets {
                    let (Some(above), Some(below)) = (place(&file), place(&target)) else {
                        continue;
                    };
                    if above < below {
                        upward.push(format!("{} uses {}", file.display(), target.display()));
                    }
                }
            }
        }
    }
    assert!(upward.is_empty(), "{} arrows run upward:\n{}", upward.len(), upward.join("\n"));
}

#[test]
fn files_do_not_use_one_another_in_a_circle() {
    let mut found = String::new();
    for (member, roots) in &*ROOTS {
        for arrows in roots.iter().map(arrows) {
            for circle in circles(&arrows) {
                found += &format!("a circle of {} files in {member}\n", circle.len());
                for file in &circle {
                    for target in arrows[file].intersection(&circle) {
                        found += &format!("    {} uses {}\n", file.display(), target.display());
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}
