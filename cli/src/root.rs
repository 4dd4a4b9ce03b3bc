//! `muster root`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use muster_circuits::{Rule, Scheme};
use muster_prover::{
    encoding::field_to_hex,
    files::{weight::to_json, CommitteeFile, LeftOut, Merged, Preparation, Prepared},
    output::Output,
    VerifierKey,
};
use muster_schemes::decimal;
use muster_schemes::membership::{Admission, KeySetTree, WeightShift};
use serde_json::json;

use super::{
    options::{warn_of_trust, AdmissionArgs, ChoiceArgs, InsecureKeys},
    report::{list, Report},
    shape::TreeArgs,
    values::ThresholdArg,
};
use crate::{
    values::{rules, schemes},
    Error,
};

/// Print the commitment to a committee's keys and weights: the root of its Poseidon tree or, where
/// keys add up (BLS), a hash of this root, the sum of all keys and the sum of all weights.
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
  muster root validators.json --leave-out-unusable --merge-same-keys --out committee.json
  muster root owners.txt
  muster root keys.csv --scheme ed25519 --out committee.json

A committee may also be a list: in JSON, or a text with a key or an address a line, and perhaps a comma and a
weight behind it. Addresses are those of ecdsa-secp256k1; for keys, --scheme or --keys says of which scheme
they are.

Weights are below 2^60. Wider ones, up to 2^128, are shifted: the weight w becomes w/2^S rounded down,
and the threshold T becomes T/2^S rounded up. Signers who reach the shifted threshold have reached the
original one, but not always the other way round. Members whose weight becomes zero are left out.

A set cannot hold a key that is off the curve, of small order or of another length, one that the rule
refuses, or one whose secret is public knowledge. --leave-out-unusable names such members and leaves them
out of the root. Their weights still count towards the total weight that '>2/3' refers to: nobody can be
counted for them, and no less is needed of the others. What is not even a key in hex is refused all the same.

All other commands take the committee that --out writes, and the threshold that is printed. Signatures
name members by their places in that file.")]
pub(super) struct RootArgs {
    /// The committee's file.
    committee: PathBuf,
    #[command(flatten)]
    tree: TreeOfArgs,
    /// Refuse members that a set under this rule cannot hold, as keys made with the rule would. The
    /// root is the same under all rules.
    #[arg(long, value_parser = rules(), value_name = "RULE", conflicts_with = "keys")]
    rule: Option<Rule>,
    #[command(flatten)]
    admission: AdmissionArgs,
    #[command(flatten)]
    changes: ChangeArgs,
    /// Also print the threshold: a sum of weights before the shift, or a quorum of the total weight
    /// such as '>2/3' or '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: Option<ThresholdArg>,
    /// File for the committee that remains.
    #[arg(long, value_name = "FILE", requires = "changes")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    force: bool,
}

/// What is done to a committee before it is committed to.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(id = "changes", multiple = true)]
struct ChangeArgs {
    /// Scheme of the keys, where the file is a list, which does not say.
    #[arg(long, value_name = "SCHEME", value_parser = schemes(), conflicts_with = "keys")]
    scheme: Option<Scheme>,
    /// Shift weights down by this many bits.
    #[arg(long, value_name = "S", value_parser = decimal::within::<u32>(0..=WeightShift::MOST))]
    weight_shift: Option<u32>,
    /// Leave out members whose keys no set can hold, and name them. Their weights still count
    /// towards the total.
    #[arg(long)]
    leave_out_unusable: bool,
    /// Merge members with the same key into one member with the sum of their weights.
    #[arg(long, conflicts_with = "seats")]
    merge_same_keys: bool,
}

impl ChangeArgs {
    fn shift(self) -> Option<WeightShift> {
        self.weight_shift.and_then(WeightShift::new)
    }

    fn any(self) -> bool {
        self.scheme.is_some()
            || self.weight_shift.is_some()
            || self.leave_out_unusable
            || self.merge_same_keys
    }
}

/// Which tree a committee is committed by.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TreeOfArgs {
    /// Take arity and depth from these keys.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["arity", "depth"])]
    pub(super) keys: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeArgs,
}

impl TreeOfArgs {
    /// The keys whose tree is used.
    fn key(&self) -> Result<Option<VerifierKey>, Error> {
        Ok(self.keys.as_deref().map(VerifierKey::load).transpose()?)
    }

    /// The committee in the file `path`, if the keys have room for it.
    pub(super) fn committee(
        &self,
        key: Option<&VerifierKey>,
        path: &Path,
        admission: Admission,
    ) -> Result<CommitteeFile, Error> {
        Ok(match key {
            Some(key) => CommitteeFile::read_for(path, admission, &key.shape().terms()?)?,
            None => CommitteeFile::read(path, admission)?,
        })
    }

    /// The tree over the committee in the file `path`.
    pub(super) fn tree(
        &self,
        key: Option<&VerifierKey>,
        path: &Path,
        file: &CommitteeFile,
    ) -> Result<Arc<KeySetTree>, Error> {
        match key {
            Some(key) => Ok(file.tree(path, &key.shape().terms()?)?),
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
    let prepared = args.prepared(key.as_ref())?;
    let Prepared { ref file, ref places, .. } = prepared;
    let suite = match &key {
        Some(key) => key.shape().suite()?,
        None => ChoiceArgs::of_rule(args.rule).suite(file.scheme, file.keys)?,
    };
    file.admitted(&args.committee, suite, places)?;
    warn_of_trust(suite);
    let tree = args.tree.tree(key.as_ref(), &args.committee, file)?;
    let threshold = args.threshold.map(|threshold| match args.changes.shift() {
        Some(_) => threshold.before_shift(file),
        None => threshold.of(file),
    });
    let threshold = threshold.transpose()?;
    if let Some(out) = &args.out {
        let (mut output, name) = Output::single(out, args.force)?;
        output.write(&name, |writer| file.write(writer))?;
        output.commit()?;
    }
    Ok(report(&prepared, &tree, threshold))
}

impl RootArgs {
    /// The committee, with the changes that were asked for.
    fn prepared(&self, key: Option<&VerifierKey>) -> Result<Prepared, Error> {
        let (changes, admission) = (self.changes, self.admission.admission());
        if !changes.any() {
            return self.tree.committee(key, &self.committee, admission).map(Prepared::from);
        }
        let rule = match key {
            Some(key) => key.shape().suite()?.rule(),
            None => self.rule,
        };
        let preparation = Preparation {
            scheme: changes.scheme,
            shift: changes.shift(),
            leaves_out_unusable: changes.leave_out_unusable,
            rule,
            merges_same_keys: changes.merge_same_keys,
            admission,
        };
        Ok(match key {
            Some(key) => preparation.read_for(&self.committee, &key.shape().terms()?)?,
            None => preparation.read(&self.committee)?,
        })
    }
}

fn report(prepared: &Prepared, tree: &KeySetTree, threshold: Option<u64>) -> Report {
    let Prepared { file, unusable, vanished, merged, .. } = prepared;
    let (root, weight) = (field_to_hex(&tree.root()), file.total_weight());
    let total = file.weight_of_all();
    let mut text = root.clone();
    if let Some(threshold) = threshold {
        text += &format!("\nthreshold {threshold} of {weight}");
    }
    if !vanished.is_empty() {
        text += &format!("\nthe shift leaves no weight to members {}", list(vanished));
    }
    let unheld = &file.left_out[file.left_out.len() - unusable.len()..];
    for (member, LeftOut { weight, reason, .. }) in unusable.iter().zip(unheld) {
        text += &format!(
            "\nmember {member} is left out: {reason}; its weight {weight} still counts towards the \
             total weight {total}"
        );
    }
    for Merged { member, into } in merged {
        text += &format!(
            "\nmember {member} has the same key as member {into}, who now has the weights of both"
        );
    }
    let insecure = InsecureKeys::of(file);
    text += format!("\n{insecure}").trim_end();
    let mut left_out = [&vanished[..], unusable].concat();
    left_out.sort_unstable();
    let unheld = unusable.iter().zip(unheld).map(|(member, LeftOut { key, weight, reason })| {
        json!({ "member": member, "key": key, "weight": to_json(*weight), "reason": reason })
    });
    let merged =
        merged.iter().map(|Merged { member, into }| json!({ "member": member, "into": into }));
    let json = json!({
        "key_set_root": root,
        "scheme": file.scheme.name(),
        "members": file.committee.members().len(),
        "weight": to_json(weight.into()),
        "total_weight": to_json(total),
        "threshold": threshold.map(|threshold| to_json(threshold.into())),
        "left_out": left_out,
        "unusable": unheld.collect::<Vec<_>>(),
        "merged": merged.collect::<Vec<_>>(),
        "insecure_keys": insecure.to_json(),
        "arity": tree.arity(),
        "depth": tree.depth(),
    });
    Report { text, json }
}
