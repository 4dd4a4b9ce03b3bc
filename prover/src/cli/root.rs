//! `muster root`.

use std::path::PathBuf;

use serde_json::json;

use super::{Report, TreeArgs};
use crate::{encoding::field_to_hex, files::CommitteeFile, Error, VerifierKey};

/// The commitment to a committee's keys and weights: the root of its Poseidon tree.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster root sample/committee.json
  muster root sample/committee.json --keys keys
  muster root sample/committee.json --arity 2 --depth 20")]
pub(super) struct RootArgs {
    /// The committee's file.
    committee: PathBuf,
    /// Take arity and depth from these keys.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["arity", "depth"])]
    keys: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(super) fn run(args: &RootArgs) -> Result<Report, Error> {
    let shape = args.keys.as_deref().map(VerifierKey::load).transpose()?;
    let CommitteeFile { scheme, committee } = CommitteeFile::read(&args.committee)?;
    let members = committee.members().len();
    let tree = match &shape {
        Some(key) => key.shape().tree(&committee)?,
        None => {
            let (arity, depth) = args.tree.dimensions(members)?;
            committee.tree(arity, depth)?
        }
    };
    let root = field_to_hex(&tree.root());
    let weight: u64 = committee.members().iter().map(|member| member.weight).sum();
    let json = json!({
        "key_set_root": root,
        "scheme": scheme.name(),
        "members": members,
        "weight": weight,
        "arity": tree.arity(),
        "depth": tree.depth(),
    });
    Ok(Report { text: root, json })
}
