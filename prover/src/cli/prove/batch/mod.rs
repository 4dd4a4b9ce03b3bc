use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::Duration,
};

use muster_params::Srs;
use serde_json::{json, Value};

use super::{
    one::describe,
    request::{prepare, Request},
    ProveArgs,
};
use crate::{
    cli::{
        estimate::Size,
        memory::{self, Plan},
        report::Report,
        table,
    },
    encoding::{field_to_hex, message_to_hex, to_hex},
    files::weight,
    output::Output,
    progress::Progress,
    srs,
    sweep::memory::{human, peak},
    Error, Keys, Profile,
};

const COMMITTEE: &str = "committee.json";
const SIGNATURES: &str = "signatures.json";

/// A proof that is to be made.
struct Item {
    folder: PathBuf,
    name: String,
}

/// A proof that was made.
struct Made {
    json: Value,
    profile: Profile,
}

/// What became of all.
struct Outcome {
    made: Vec<Made>,
    failed: Vec<(PathBuf, Error)>,
    preparation: Profile,
    taken: Duration,
}

/// Proves all, and says what failed.
pub(super) fn run(args: &ProveArgs, dir: &Path, json: bool) -> Result<(), Error> {
    let progress = Progress::new();
    let items = items(dir)?;
    let count = items.len();
    // It stays until the end, so that the directory does.
    let output = Output::new(&args.out, &[], args.force)?;
    let keys = progress.run("reading the keys", || Keys::load(&args.keys))?;
    let srs = srs::of_keys(&args.srs, keys.srs(), keys.shape().degree(), &progress)?;
    let threads = rayon::current_num_threads();
    let plan = args.memory.plan(&Size::of(keys.shape()), count, threads)?;
    let (at_once, bytes) = (plan.at_once, human(plan.bytes));
    let what = format!("making {count} proofs, {at_once} at once, in about {bytes} of memory");
    let (outcome, taken) = progress.timed(&what, || {
        let preparation = prepare(args, &srs, &keys, plan.memory)?;
        let (made, failed) = prove_all(args, (&srs, &keys), items, plan.at_once);
        Ok::<_, Error>((preparation, made, failed))
    });
    let (preparation, made, failed) = outcome?;
    if !made.is_empty() {
        output.commit()?;
    }
    let outcome = Outcome { made, failed, preparation, taken };
    let report = report(args, &keys, &plan, &outcome);
    if outcome.failed.is_empty() {
        report.print(json);
        return Ok(());
    }
    // With --json an error is an object of its own, and there is to be one.
    if !json {
        report.print(json);
    }
    Err(Error::Batch { count, failed: outcome.failed, made: report.json })
}

/// The folders of a directory that have signatures, by name.
fn items(dir: &Path) -> Result<Vec<Item>, Error> {
    let mut items = vec![];
    for entry in fs::read_dir(dir).map_err(Error::io(dir))? {
        let folder = entry.map_err(Error::io(dir))?.path();
        if folder.join(SIGNATURES).exists() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            items.push(Item { name: format!("{name}.json"), folder });
        }
    }
    if items.is_empty() {
        return Err(Error::file(dir, format!("no folder in it has a {SIGNATURES}")));
    }
    items.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(items)
}

/// Makes the proofs, some at once, in the order of their names. All share the pool of threads: while one of them has work
/// for a single thread only, the others have more.
fn prove_all(
    args: &ProveArgs,
    (srs, keys): (&Srs, &Keys),
    items: Vec<Item>,
    at_once: usize,
) -> (Vec<Made>, Vec<(PathBuf, Error)>) {
    // Before the first file is written: a new output removes what others have left.
    let outputs = items.into_iter().map(|item| {
        let output = Output::new(&args.out, &[&item.name], args.force);
        (item, output)
    });
    let queue = Mutex::new(outputs.collect::<Vec<_>>().into_iter().enumerate());
    let next = || queue.lock().expect("nobody panics who holds it").next();
    let work = || {
        let mut done = vec![];
        while let Some((place, (item, output))) = next() {
            let made =
                rayon::scope(|_| output.and_then(|out| prove(args, (srs, keys), &item, out)));
            done.push((place, item, made));
        }
        done
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..at_once).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().flat_map(|worker| worker.join().expect("it does not panic"));
        done.collect()
    });
    done.sort_by_key(|(place, ..)| *place);
    let (mut proofs, mut failed) = (vec![], vec![]);
    for (_, item, made) in done {
        match made {
            Ok(made) => proofs.push(made),
            Err(error) => failed.push((item.folder, error)),
        }
    }
    (proofs, failed)
}

/// Makes and writes a proof.
fn prove(
    args: &ProveArgs,
    (srs, keys): (&Srs, &Keys),
    item: &Item,
    mut output: Output,
) -> Result<Made, Error> {
    let own = item.folder.join(COMMITTEE);
    let committee = args.committee.as_deref().unwrap_or(&own);
    let request = Request::read(committee, &item.folder.join(SIGNATURES), args.threshold)?;
    let ready = request.check(keys)?;
    let (proof, profile) = ready.prove(args, srs, keys)?;
    output.write(&item.name, |writer| writer.write_all(proof.to_json().as_bytes()))?;
    output.commit()?;
    let statement = &ready.statement;
    let json = json!({
        "folder": item.folder,
        "proof": args.out.join(&item.name),
        "key_set_root": field_to_hex(&statement.key_set_root),
        "threshold": weight::to_json(statement.threshold.into()),
        "message": message_to_hex(&statement.message),
        "taken": ready.selection.taken(),
        "left_out": ready.selection.left_out(),
        "proof_bytes": proof.proof.bytes().len(),
        "prove_s": profile.total().as_secs_f64(),
    });
    Ok(Made { json, profile })
}

fn report(args: &ProveArgs, keys: &Keys, plan: &Plan, outcome: &Outcome) -> Report {
    let Outcome { made, taken, .. } = outcome;
    let mut profile = outcome.preparation.clone();
    made.iter().for_each(|made| profile += made.profile.clone());
    let seconds = taken.as_secs_f64();
    let throughput = made.len() as f64 / seconds;
    let rows = [
        ("verifying key", to_hex(&keys.vk_digest())),
        ("transcript", args.transcript.name().to_owned()),
        ("memory", describe(plan)),
        ("time", table::time(*taken)),
        ("throughput", format!("{throughput:.2} proofs a second, {} at once", plan.at_once)),
    ];
    let (path, profiled) = (args.out.display(), args.profile.text(&profile));
    let text = format!("{} proofs in {path}\n{}{profiled}", made.len(), table::table(&rows));
    let json = json!({
        "proofs": made.iter().map(|made| &made.json).collect::<Vec<_>>(),
        "transcript": args.transcript,
        "vk_digest": to_hex(&keys.vk_digest()),
        "at_once": plan.at_once,
        "memory": memory::name(plan.memory),
        "estimate_bytes": plan.bytes,
        "peak_bytes": peak(),
        "prove_s": seconds,
        "proofs_per_s": throughput,
        "profile": args.profile.json(&profile),
    });
    Report { text, json }
}
