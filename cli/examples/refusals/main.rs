//! What it costs to refuse files that somebody has tampered with: the time and the peak of memory for each kind of file,
//! and the worst over the dearest shapes of key directories that the bounds let through and over many random ones.
//!
//! ```sh
//! cargo run --release -p muster-cli --example refusals -- 2000 1
//! cargo run --release -p muster-cli --example refusals -- files 200000
//! ```
//!
//! The first number counts random directories, the second is their seed. With `files` the number is that of the members of
//! committees and of signatures. Everything is read by a process of its own, whose peak is what the system tells of it (Linux
//! alone).

use std::{
    env,
    error::Error,
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use muster_circuits::{KeyKind, MessageForm, Request, Scheme, Shape};
use muster_gates::{poseidon::rows_each, Layout};
use muster_params::Srs;
use muster_prover::{Keys, VerifierKey};
use muster_schemes::signature::MAX_MESSAGE_BYTES;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use serde_json::json;

#[path = "../../tests/hostile/directory.rs"]
mod directory;
mod files;
#[path = "../../tests/hostile/json.rs"]
mod json;

use directory::Directory;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    if env::var_os(files::COMMAND).is_some() {
        return files::command();
    }
    let arguments: Vec<_> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["load", dir] => load(Path::new(dir)),
        ["files", members] => files::survey(members.parse()?, &base()?),
        [count, seed] => survey(count.parse()?, seed.parse()?),
        _ => {
            Err("two numbers: random directories, seed; or `files` and a number of members".into())
        }
    }
}

/// Reads a directory, and prints what that took.
fn load(dir: &Path) -> Fallible<()> {
    let (verifier, verifier_took) = timed(|| VerifierKey::load(dir).map(drop));
    let (keys, keys_took) = timed(|| Keys::load(dir).map(drop));
    println!("{}", json!([verifier.is_ok(), verifier_took, keys.is_ok(), keys_took, peak()?]));
    Ok(())
}

/// The most memory that this process has had, in KiB.
fn peak() -> Fallible<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(peak.and_then(|peak| peak.split_whitespace().next()).ok_or("no peak of memory")?.parse()?)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

/// What reading a directory took.
struct Cost {
    verifier_refused: bool,
    verifier: Duration,
    keys_refused: bool,
    keys: Duration,
    peak: u64,
}

fn cost(dir: &Path) -> Fallible<Cost> {
    let child = Command::new(env::current_exe()?).arg("load").arg(dir).output()?;
    if !child.status.success() {
        return Err(format!("{}: {}", child.status, String::from_utf8_lossy(&child.stderr)).into());
    }
    let (read, verifier, loaded, keys, peak): (bool, _, bool, _, u64) =
        serde_json::from_slice(&child.stdout)?;
    Ok(Cost { verifier_refused: !read, verifier, keys_refused: !loaded, keys, peak })
}

fn survey(count: usize, seed: u64) -> Fallible<()> {
    let base = base()?;
    let dir = tempfile::tempdir()?;
    println!("| directory | verifying key | | keys | | peak |\n|---|---|---|---|---|---|");
    for (name, directory) in dear(&base)? {
        directory.write(dir.path());
        let Cost { verifier_refused, verifier, keys_refused, keys, peak } = cost(dir.path())?;
        let verdict = |refused| if refused { "refused" } else { "read" };
        println!(
            "| {name} | {} | {verifier:.1?} | {} | {keys:.1?} | {} MiB |",
            verdict(verifier_refused),
            verdict(keys_refused),
            peak >> 10
        );
    }
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let (mut refused, mut slowest, mut largest) = (0, Duration::ZERO, 0);
    for _ in 0..count {
        let mut directory = base.clone();
        (0..rng.gen_range(1..5)).for_each(|_| directory.change(rng.r#gen()));
        if rng.r#gen() {
            directory.fit();
        }
        if rng.r#gen() {
            let _ = directory.seal();
        }
        directory.write(dir.path());
        let cost = cost(dir.path())?;
        if cost.verifier_refused || cost.keys_refused {
            refused += 1;
            largest = largest.max(cost.peak);
        }
        for (took, refused) in
            [(cost.verifier, cost.verifier_refused), (cost.keys, cost.keys_refused)]
        {
            slowest = if refused { slowest.max(took) } else { slowest };
        }
    }
    println!("\n{refused} of {count} refused: at most {slowest:.1?} and {} MiB", largest >> 10);
    Ok(())
}

/// Keys of 2 of 4.
fn base() -> Fallible<Directory> {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 4, 2))?;
    let dir = tempfile::tempdir()?;
    Keys::make(&Srs::insecure(shape.degree())?, &shape)?.save(dir.path(), false)?;
    Ok(Directory::read(dir.path()))
}

/// Every kind of circuit.
fn requests() -> impl Iterator<Item = Request> {
    let sha256 = Some(MessageForm::Sha256 { most: MAX_MESSAGE_BYTES });
    let schemes = Scheme::ALL.iter().map(|scheme| Request::new(*scheme, 4, 2));
    schemes.chain([
        Request { mask: true, ..Request::new(Scheme::Schnorr, 4, 2) },
        Request { keys: KeyKind::Address, ..Request::new(Scheme::EcdsaSecp256k1, 4, 2) },
        Request { message: sha256, ..Request::new(Scheme::Ed25519, 4, 2) },
        Request { message: sha256, ..Request::new(Scheme::BlsBls12381, 4, 2) },
        Request { absent: Some(2), ..Request::new(Scheme::BlsBn254, 4, 2) },
    ])
}

/// Gives a gate as many lanes as it may have.
fn widen(shape: &mut Shape, set: fn(&mut Layout, usize)) {
    for lanes in [2, 4, 8, 16, 32] {
        let mut wider = shape.clone();
        set(&mut wider.layout, lanes);
        if wider.check().is_ok() {
            *shape = wider;
        }
    }
}

/// The largest shapes of each kind of circuit, with keys of the right length whose last point is
/// none: everything before it is looked at.
fn dear(base: &Directory) -> Fallible<Vec<(String, Directory)>> {
    let mut all = vec![("the keys themselves".to_owned(), base.clone())];
    for request in requests() {
        let mut shape = Shape::fit(&Request { arity: 16, ..request })?;
        shape.slots = 64;
        let layout = &mut shape.layout;
        (layout.k, layout.vertical_columns, layout.range_columns) = (24, 1 << 10, 1 << 10);
        for gate in &mut layout.poseidon {
            let columns = [6, 3, 2, 1].into_iter();
            let mut laid_out = columns.filter(|n| rows_each(gate.width, *n).is_some());
            (gate.columns, gate.lanes) = (laid_out.next().ok_or("some columns will do")?, 16);
        }
        for relations in &mut layout.foreign {
            relations.columns = 40;
        }
        layout.keccak_lanes = (32 * layout.keccak_lanes).min(32);
        widen(&mut shape, |layout, lanes| layout.edwards_lanes = lanes);
        widen(&mut shape, |layout, lanes| {
            for gate in [&mut layout.sha256, &mut layout.sha512].into_iter().flatten() {
                gate.lanes = lanes;
            }
        });
        shape.check()?;
        for good in [false, true] {
            let mut directory = base.clone();
            directory.manifest["shape"] = serde_json::to_value(&shape)?;
            directory.fit();
            if !good {
                directory.verifying.last_mut().ok_or("a key has points")?.clone_from(&0xff);
            }
            directory.seal().ok_or("the shape is one")?;
            let last = if good { "" } else { ", the last point none" };
            let form = if shape.message == MessageForm::Public { "" } else { " of bytes" };
            let mask = if shape.mask { " with a mask" } else { "" };
            let what = format!("{}{form} {:?}{mask}", shape.scheme_name(), shape.mode);
            all.push((format!("largest of {what}{last}"), directory));
        }
    }
    Ok(all)
}
