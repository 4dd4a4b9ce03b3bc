//! `muster root`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use muster_gadgets::membership::MerkleTree;
use serde_json::json;

use super::{report::Report, shape::TreeArgs};
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
    #[command(flatten)]
    tree: TreeOfArgs,
}

/// Which tree a committee is committed by.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TreeOfArgs {
    /// Take arity and depth from these keys.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["arity", "depth"])]
    keys: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeArgs,
}

impl TreeOfArgs {
    /// The keys whose tree is used.
    pub(super) fn key(&self) -> Result<Option<VerifierKey>, Error> {
        self.keys.as_deref().map(VerifierKey::load).transpose()
    }

    /// The tree over the committee in the file `path`.
    pub(super) fn tree(
        &self,
        key: Option<&VerifierKey>,
        path: &Path,
        file: &CommitteeFile,
    ) -> Result<Arc<MerkleTree>, Error> {
        match key {
            Some(key) => file.tree(path, &key.shape().terms()?),
            None => {
                let (arity, depth) = self.tree.dimensions(file.committee.members().len())?;
                Ok(file.committee.tree(arity, depth)?)
            }
        }
    }
}

pub(super) fn run(args: &RootArgs) -> Result<Report, Error> {
    let key = args.tree.key()?;
    let file = CommitteeFile::read(&args.committee)?;
    let tree = args.tree.tree(key.as_ref(), &args.committee, &file)?;
    let members = file.committee.members();
    let root = field_to_hex(&tree.root());
    let weight: u64 = members.iter().map(|member| member.weight).sum();
    let json = json!({
        "key_set_root": root,
        "scheme": file.scheme.name(),
        "members": members.len(),
        "weight": weight,
        "arity": tree.arity(),
        "depth": tree.depth(),
    });
    Ok(Report { text: root, json })
}
