//! `muster check`.

use std::path::PathBuf;

use muster_circuits::{Scheme, Selection, Shape, Statement, MAX_SLOTS};
use muster_prover::{
    check_constraints,
    encoding::{field_to_hex, message_to_hex},
    files::{weight, CommitteeFile, DroppedList, Gathered},
};
use muster_schemes::decimal;
use serde_json::json;

use super::{
    options::{ChoiceArgs, SeatsArg, StrictArg},
    report::Report,
    shape::{absent, describe, selected, Places, ShapeArgs},
    threshold::ThresholdArg,
};
use crate::{progress::Progress, Error};

/// Check signatures natively, then every constraint of the circuit, without keys or a proof.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster check --committee sample/committee.json --signatures sample/signatures.json --threshold 8
  muster check --committee sample/committee.json --signatures sample/signatures.json \\
      --threshold '>2/3'

Signatures that do not count (they do not hold, are by nobody in the committee, or are a second one by a
member) are dropped and named, each with the rule that it breaks. Exit status 1 if the others do not reach
the threshold; exit status 2 names the file and the field.")]
pub(super) struct CheckArgs {
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    #[command(flatten)]
    seats: SeatsArg,
    /// The signatures' file.
    #[arg(long, value_name = "FILE")]
    signatures: PathBuf,
    #[command(flatten)]
    strict: StrictArg,
    /// The least sum of the signers' weights: a number, or a quorum of the total weight such as
    /// '>2/3' or '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: ThresholdArg,
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
    let file = CommitteeFile::read(&args.committee, args.seats.seats())?;
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
    let key_set_root = file.tree(&args.committee, &terms)?.root();
    let (signatures, dropped) = gathered.sort_out(&terms, &file, &message)?;
    args.strict.allows(&dropped)?;
    let signers = signatures.members().len();
    let (request, slots) = request(signers)?;
    let checked = || {
        let named = terms.signers(slots, committee, &signatures, threshold)?;
        let statement = Statement { key_set_root, threshold, message, signers: named };
        let witness = terms.verify(&statement, committee, &signatures)?;
        let shape = Shape::fit(&request)?;
        let selection = witness.select(&shape)?;
        let what = format!("checking every constraint: {}", describe(&shape));
        Progress::new().run(&what, || check_constraints(&shape, &witness))?;
        Ok(Checked { statement, shape, selection })
    };
    let checked = dropped.named_in(checked())?;
    Ok(report(&checked, (signers, members), &dropped))
}

/// What was found to hold, and by whose signatures.
struct Checked {
    statement: Statement,
    shape: Shape,
    selection: Selection,
}

fn report(checked: &Checked, (signers, members): (usize, usize), dropped: &DroppedList) -> Report {
    let Checked { statement, shape, selection } = checked;
    let (root, message) =
        (field_to_hex(&statement.key_set_root), message_to_hex(&statement.message));
    let threshold = statement.threshold;
    let text = format!(
        "accepted: {signers} signers of {members} with a weight of at least {threshold} signed {message}\n{dropped}{}\
         key-set root {root}\nevery constraint holds: {}",
        selected(selection, shape),
        describe(shape)
    );
    let json = json!({
        "accepted": true,
        "key_set_root": root,
        "threshold": weight::to_json(threshold.into()),
        "message": message,
        "signers": signers,
        "taken": selection.taken(),
        "left_out": selection.left_out(),
        "dropped": dropped.to_json(),
        "shape": shape,
    });
    Report { text, json }
}
