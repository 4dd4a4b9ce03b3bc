//! `muster prove`: one proof, or with --batch those of a directory.

mod batch;
mod request;

use std::io::Write;

use muster_prover::{
    encoding::to_hex,
    estimate::Size,
    files::{CommitteeFile, Listing},
    keys::KeyFiles,
    output::Output,
    VerifierKey,
};
use muster_sweep::{
    memory::{human, peak},
    memory_name,
};
use serde_json::json;

use self::request::{read, shared, Ready};
use crate::{
    memory::{prepare, Plan},
    progress::Progress,
    report::{joined, statement_json, statement_rows, Report},
    shape::selected,
    srs_args::srs_of_keys,
    table, Error,
};

pub(super) use request::ProveArgs;

/// One proof, or a directory of them.
pub(super) fn run(args: &ProveArgs, json: bool) -> Result<(), Error> {
    match &args.batch {
        Some(dir) => batch::run(args, dir, json),
        None => prove(args)?.print(json),
    }
}

fn prove(args: &ProveArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let (mut output, file) = Output::single(&args.out, args.force)?;
    let files = KeyFiles::open(&args.keys)?;
    let (ready, plan) = ready(args, files.verifier())?;
    let keys = progress.run("reading the keys", || read(files))?;
    let srs = srs_of_keys(&args.srs, &keys.verifier(), &progress)?;
    let what = format!("proving in about {} of memory", human(plan.bytes));
    let mut profile = prepare(&srs, &keys, plan.memory, &progress)?;
    let (made, taken) = progress.timed(&what, || ready.prove(&srs, &keys));
    let (written, spent) = made?;
    let taken = profile.total() + taken;
    profile += spent;
    output.write(&file, |writer| writer.write_all(written.to_json().as_bytes()))?;
    output.commit()?;
    let bytes = written.proof.bytes().len();
    let mut rows = statement_rows(&ready.statement);
    rows.extend([
        ("verifying key", to_hex(&keys.vk_digest())),
        ("kind", written.proof.kind().name().to_owned()),
        ("proof", table::bytes(bytes as u64)),
        ("memory", plan.describe()),
        ("time", table::time(taken)),
    ]);
    let selected = selected(&ready.selection, keys.shape());
    let (path, profiled) = (args.out.display(), args.profile.text(&profile));
    let Ready { dropped, insecure, .. } = &ready;
    let text =
        format!("{insecure}{dropped}{selected}proof in {path}\n{}{profiled}", table::table(&rows));
    let json = json!({
        "proof": args.out.display().to_string(),
        "taken": ready.selection.taken(),
        "left_out": ready.selection.left_out(),
        "dropped": dropped.to_json(),
        "insecure_keys": insecure.to_json(),
        "kind": written.proof.kind(),
        "proof_bytes": bytes,
        "vk_digest": to_hex(&keys.vk_digest()),
        "srs": written.srs,
        "prove_s": taken.as_secs_f64(),
        "memory": memory_name(plan.memory),
        "estimate_bytes": plan.bytes,
        "peak_bytes": peak(),
        "profile": args.profile.json(&profile),
    });
    Ok(Report { text, json: joined(statement_json(&ready.statement), json) })
}

/// The statement, which was found to hold, and how it is to be proven. Whether there is room and memory for it is asked
/// before any key or signature is looked at.
fn ready(args: &ProveArgs, key: &VerifierKey) -> Result<(Ready, Plan), Error> {
    let shape = key.shape();
    let (Some(committee), Some(signatures)) = (&args.committee, &args.signatures) else {
        unreachable!("they are required without --batch");
    };
    let listing = Listing::read_for(committee, args.admission.admission(), &shape.terms()?)?;
    let committees = shared(committee, listing.members());
    let plan = args.memory.plan((&Size::for_key(key), committees), 1, 1)?;
    let members = CommitteeFile::of(&listing)?;
    Ok((Ready::read(args, (committee, &members), signatures, shape)?, plan))
}
