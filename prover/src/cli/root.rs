//! `muster root`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::builder::RangedU64ValueParser;
use muster_gadgets::membership::{KeySetTree, WeightShift};
use serde_json::json;

use super::{
    options::{warn_of_trust, ChoiceArgs, RuleArg, SeatsArg},
    report::Report,
    shape::TreeArgs,
    threshold::ThresholdArg,
};
use crate::{
    encoding::field_to_hex,
    files::{weight::to_json, CommitteeFile, Listing},
    output::Output,
    Error, VerifierKey,
};

/// The commitment to a committee's keys and weights: the root of its Poseidon tree or, where keys add up (BLS), a hash of this root,
/// the sum of all keys and that of all weights.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster root sample/committee.json
  muster root sample/committee.json --keys keys
  muster root sample/committee.json --arity 2 --depth 20
  muster root sample/committee.json --threshold '>2/3'
  muster root near/committee.json --rule strict
  muster root beacon/committee.json --rule trusted-keys
  muster root beacon/committee.json --rule trusted-keys --seats
  muster root stakes.json --weight-shift 70 --threshold '>2/3' --out committee.json

Weights are below 2^60. Wider ones, up to 2^128, are shifted: what stands for the weight w is
w/2^S rounded down, for the threshold T it is T/2^S rounded up. Whoever reaches the one has reached
the other, but perhaps not conversely. Members of whose weights nothing is left are left out. All
other commands take the committee that --out writes, and the threshold that is printed.")]
pub(super) struct RootArgs {
    /// The committee's file.
    committee: PathBuf,
    #[command(flatten)]
    tree: TreeOfArgs,
    /// Refuse members whom a set under this rule cannot hold, as keys with the rule would. The root is the same
    /// under all rules.
    #[arg(long, value_enum, value_name = "RULE", conflicts_with = "keys")]
    rule: Option<RuleArg>,
    #[command(flatten)]
    seats: SeatsArg,
    /// Shift weights down by this many bits.
    #[arg(long, value_name = "S", value_parser = RangedU64ValueParser::<u32>::new().range(0..=u64::from(WeightShift::MOST)))]
    weight_shift: Option<u32>,
    /// Print the threshold as well: a sum of weights before the shift, or a part of all of them, such as
    /// '>2/3' or '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: Option<ThresholdArg>,
    /// File for the committee with the shifted weights.
    #[arg(long, value_name = "FILE", requires = "weight_shift")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    force: bool,
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

    /// The committee in the file `path`, if the keys have room for it.
    pub(super) fn committee(
        &self,
        key: Option<&VerifierKey>,
        path: &Path,
        seats: SeatsArg,
    ) -> Result<CommitteeFile, Error> {
        match key {
            Some(key) => CommitteeFile::read_for(path, seats.seats(), &key.shape().terms()?),
            None => CommitteeFile::read(path, seats.seats()),
        }
    }

    /// The tree over the committee in the file `path`.
    pub(super) fn tree(
        &self,
        key: Option<&VerifierKey>,
        path: &Path,
        file: &CommitteeFile,
    ) -> Result<Arc<KeySetTree>, Error> {
        match key {
            Some(key) => file.tree(path, &key.shape().terms()?),
            None => {
                let (arity, depth) =
                    self.tree.dimensions(file.scheme, file.committee.members().len())?;
                Ok(file.committee.tree(arity, depth)?)
            }
        }
    }
}

pub(super) fn run(args: &RootArgs) -> Result<Report, Error> {
    let key = args.tree.key()?;
    let (shift, seats) = (args.weight_shift.and_then(WeightShift::new), args.seats.seats());
    let listing = match shift {
        Some(shift) => Listing::read_narrowed(&args.committee, shift, seats)?,
        None => Listing::read(&args.committee, seats)?,
    };
    if let Some(key) = &key {
        listing.fits(&key.shape().terms()?)?;
    }
    let (file, left_out) = (CommitteeFile::of(&listing)?, listing.left_out());
    let suite = match &key {
        Some(key) => key.shape().suite()?,
        None => ChoiceArgs::of_rule(args.rule).suite(file.scheme, file.keys)?,
    };
    file.admitted(&args.committee, suite, &left_out)?;
    warn_of_trust(suite);
    let tree = args.tree.tree(key.as_ref(), &args.committee, &file)?;
    let threshold = args.threshold.map(|threshold| match shift {
        Some(_) => threshold.before_shift(&file),
        None => threshold.of(&file),
    });
    let threshold = threshold.transpose()?;
    if let Some(out) = &args.out {
        let (mut output, name) = Output::single(out, args.force)?;
        output.write(&name, |writer| file.write(writer))?;
        output.commit()?;
    }
    let (root, weight) = (field_to_hex(&tree.root()), file.total_weight());
    let mut text = root.clone();
    if let Some(threshold) = threshold {
        text += &format!("\nthreshold {threshold} of {weight}");
    }
    if !left_out.is_empty() {
        let members: Vec<_> = left_out.iter().map(usize::to_string).collect();
        text += &format!("\nnothing is left of the weights of members {}", members.join(", "));
    }
    let json = json!({
        "key_set_root": root,
        "scheme": file.scheme.name(),
        "members": file.committee.members().len(),
        "weight": to_json(weight.into()),
        "threshold": threshold.map(|threshold| to_json(threshold.into())),
        "left_out": left_out,
        "arity": tree.arity(),
        "depth": tree.depth(),
    });
    Ok(Report { text, json })
}
