//! `muster check`.

use std::path::PathBuf;

use muster_circuits::{Request, Scheme, Selection, Shape, Statement, Witness, MAX_SLOTS};
use muster_prover::{
    check_constraints,
    encoding::{field_to_hex, message_to_hex},
    files::{weight, CommitteeFile, DroppedList, Gathered},
    Error as ProverError,
};
use muster_schemes::decimal;
use serde_json::json;

use crate::{
    options::{AdmissionArgs, ChoiceArgs, InsecureKeys, StrictArg},
    progress::Progress,
    report::Report,
    shape::{absent, describe, fitted, selected, Places, ShapeArgs},
    values::ThresholdArg,
    Error,
};

/// Check signatures natively, then every constraint of the circuit, without keys or a proof. With --native, the signatures
/// alone.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster check --committee sample/committee.json --signatures sample/signatures.json --threshold 8
  muster check --committee sample/committee.json --signatures sample/signatures.json \\
      --threshold '>2/3'
  muster check --native --committee sample/committee.json \\
      --signatures sample/signatures.json --threshold 8

Signatures that do not count (they do not hold, are by nobody in the committee, or are a second one by a
member) are dropped and named, each with the rule that it breaks. Exit status 1 if the others do not reach
the threshold; exit status 2 names the file and the field.")]
pub(super) struct CheckArgs {
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    #[command(flatten)]
    admission: AdmissionArgs,
    /// The signatures' file.
    #[arg(long, value_name = "FILE")]
    signatures: PathBuf,
    #[command(flatten)]
    strict: StrictArg,
    /// The least sum of the signers' weights: a number, or a quorum of the total weight such as
    /// '>2/3' or '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: ThresholdArg,
    /// Fill no circuit: check only that the signatures hold, that they are by distinct members, and
    /// that these reach the threshold.
    #[arg(long, conflicts_with_all = ["slots", "absent", "mode", "degree"])]
    native: bool,
    /// Signature slots of the circuit (default: one per signature). If there are more signatures
    /// than slots, the heaviest are used, only as many as the threshold needs.
    #[arg(long, value_name = "K", value_parser = decimal::read::<usize>)]
    slots: Option<usize>,
    /// The largest number of members who do not sign, where keys add up (default: as many as did
    /// not sign, unless --slots is given).
    #[arg(long, value_name = "A", value_parser = decimal::read::<usize>)]
    absent: Option<usize>,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    shape: ShapeArgs,
}

impl CheckArgs {
    /// What a circuit is searched for, if this many sign.
    fn places(&self, scheme: Scheme, members: usize, signers: usize) -> Result<Places, Error> {
        let slots = self.slots.unwrap_or(signers.clamp(1, MAX_SLOTS));
        let own = members.checked_sub(signers).filter(|_| self.slots.is_none());
        Ok(Places { members, slots, absent: absent(scheme, self.absent)?.or(own) })
    }
}

pub(super) fn run(args: &CheckArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let read = || CommitteeFile::read(&args.committee, args.admission.admission());
    let file = progress.if_slow("checking the committee's keys", read)?;
    let threshold = args.threshold.of(&file)?;
    let CommitteeFile { scheme, keys, ref committee, .. } = file;
    let gathered = Gathered::read(&args.signatures, &file)?;
    let members = committee.members().len();
    let suite = args.choices.suite(scheme, keys)?;
    let message = suite.stated(gathered.message())?;
    let request = |signers: usize| {
        let places = args.places(scheme, members, signers)?;
        Ok::<_, Error>((args.shape.request(suite, places)?, places.slots))
    };
    // Whoever broke a rule is named before a layout is searched for, which takes long.
    let terms = request(gathered.signers())?.0.terms()?;
    let tree = || file.tree(&args.committee, &terms);
    let key_set_root = progress.if_slow("hashing the committee", tree)?.root();
    let sort_out = || gathered.sort_out(&terms, &file, &message);
    let (signatures, dropped) = progress.if_slow("checking the signatures", sort_out)?;
    args.strict.allows(&dropped)?;
    let signers = signatures.members().len();
    let (request, slots) = request(signers)?;
    let checked = || {
        let named = terms.signers(slots, committee, &signatures, threshold)?;
        let statement = Statement { key_set_root, threshold, message, signers: named };
        let verify = || terms.verify(&statement, committee, &signatures);
        let witness = progress.if_slow("checking the statement", verify)?;
        let filled = (!args.native).then(|| fill(&request, &witness, &progress)).transpose()?;
        Ok((statement, filled))
    };
    let (statement, filled) = dropped.named_in(checked())?;
    let insecure = InsecureKeys::of(&file);
    Ok(report(&statement, filled.as_ref(), (signers, members), (&dropped, &insecure)))
}

/// Fills a circuit for the request, and checks every constraint. Gives its shape, and by whose signatures it was filled.
fn fill(
    request: &Request,
    witness: &Witness,
    progress: &Progress,
) -> Result<(Shape, Selection), ProverError> {
    let shape = fitted(request, progress)?;
    let selection = witness.select(&shape)?;
    let what = format!("checking every constraint: {}", describe(&shape));
    progress.run(&what, || check_constraints(&shape, witness))?;
    Ok((shape, selection))
}

/// What is said of a statement that holds, and of the circuit that was filled, if one was asked for.
fn report(
    statement: &Statement,
    filled: Option<&(Shape, Selection)>,
    (signers, members): (usize, usize),
    (dropped, insecure): (&DroppedList, &InsecureKeys),
) -> Report {
    let (root, message) =
        (field_to_hex(&statement.key_set_root), message_to_hex(&statement.message));
    let threshold = statement.threshold;
    let (selected, constraints) = match filled {
        Some((shape, selection)) => {
            (selected(selection, shape), format!("every constraint holds: {}", describe(shape)))
        }
        None => (String::new(), "checked natively: no circuit was filled".to_owned()),
    };
    let text = format!(
        "accepted: {signers} signers of {members} with a weight of at least {threshold} signed {message}\n{insecure}{dropped}{selected}\
         key-set root {root}\n{constraints}"
    );
    let mut json = json!({
        "accepted": true,
        "native": filled.is_none(),
        "key_set_root": root,
        "threshold": weight::to_json(threshold.into()),
        "message": message,
        "signers": signers,
        "dropped": dropped.to_json(),
        "insecure_keys": insecure.to_json(),
    });
    if let Some((shape, selection)) = filled {
        json["taken"] = json!(selection.taken());
        json["left_out"] = json!(selection.left_out());
        json["shape"] = json!(shape);
    }
    Report { text, json }
}
