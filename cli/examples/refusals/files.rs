//! Files of each other kind, long and bad, and the commands that read them.

use std::{
    env,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    process::{self, Command},
    time::Instant,
};

use muster_circuits::Scheme;
use muster_prover::Keys;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::{directory::Directory, peak, Fallible};

/// In the environment of a process that is to run a command of `muster`.
pub(crate) const COMMAND: &str = "MUSTER_REFUSALS_COMMAND";
/// What its last line starts with.
const PEAK: &str = "peak of KiB ";

/// Runs the command of this process's arguments, and says what memory that took.
pub(crate) fn command() -> Fallible<()> {
    let code = muster_cli::main();
    eprintln!("{PEAK}{}", peak()?);
    process::exit(i32::from(code != process::ExitCode::SUCCESS))
}

/// Refuses a file of each kind.
pub(crate) fn survey(members: usize, base: &Directory) -> Fallible<()> {
    let temporary = tempfile::tempdir()?;
    let dir = temporary.path();
    println!("| file | size | time | peak | verdict |\n|---|---|---|---|---|");
    for &scheme in Scheme::ALL {
        committees(dir, scheme, members)?;
        if !scheme.is_aggregate() {
            signatures(dir, scheme, members)?;
        }
    }
    let proof = format!("{{\"scheme\": \"{}", "0".repeat(8 << 20));
    std::fs::write(dir.join("proof.json"), &proof[..(8 << 20)])?;
    base.write(dir);
    measure("proof of 8 MiB", dir, "verify --unchecked --keys . proof.json", "proof.json")?;
    proving_key(dir, base)
}

/// Committees whose members have keys of the right length: all the same, or other ones that are no points.
fn committees(dir: &Path, scheme: Scheme, members: usize) -> Fallible<()> {
    let sample = format!("sample --scheme {scheme} --signers 4 --signing 2 --force --out .");
    run(dir, &sample)?;
    let good = std::fs::read(dir.join("committee.json"))?;
    let good: serde_json::Value = serde_json::from_slice(&good)?;
    let key = good["members"][0]["public_key"].as_str().ok_or("a member has a key")?.to_owned();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut fill = |name: &str, copies: bool| {
        let mut file = BufWriter::new(File::create(dir.join(name))?);
        write!(file, "{{\"scheme\": \"{scheme}\", \"members\": [")?;
        for member in 0..members {
            let comma = if member == 0 { "" } else { "," };
            let key = if copies { key.clone() } else { random(&mut rng, key.len()) };
            writeln!(file, "{comma}{{\"public_key\": \"{key}\", \"weight\": 1}}")?;
        }
        file.write_all(b"]}")
    };
    fill("copies.json", true)?;
    fill("bad.json", false)?;
    let what = format!("{scheme}: committee of {members}");
    measure(&format!("{what} copies"), dir, "root copies.json", "copies.json")?;
    measure(&format!("{what}, keys made up"), dir, "root bad.json", "bad.json")
}

/// Signatures of the right length: all by one member, or by each of the four and made up.
fn signatures(dir: &Path, scheme: Scheme, count: usize) -> Fallible<()> {
    let good = std::fs::read(dir.join("signatures.json"))?;
    let good: serde_json::Value = serde_json::from_slice(&good)?;
    let signature = &good["signatures"][0];
    let text = signature["signature"].as_str().ok_or("there is a signature")?;
    let mut file = BufWriter::new(File::create(dir.join("many.json"))?);
    write!(file, "{{\"message\": {}, \"signatures\": [", good["message"])?;
    for number in 0..count {
        let comma = if number == 0 { "" } else { "," };
        let member = &signature["member"];
        writeln!(file, "{comma}{{\"member\": {member}, \"signature\": \"{text}\"}}")?;
    }
    file.write_all(b"]}")?;
    drop(file);
    let line = "check --committee committee.json --signatures many.json --threshold 1";
    measure(&format!("{scheme}: {count} signatures by one member"), dir, line, "many.json")
}

/// Keys of 2^20 rows of which the numbers are all zero, with less memory allowed than a proof takes.
fn proving_key(dir: &Path, base: &Directory) -> Fallible<()> {
    run(dir, "sample --scheme schnorr-babyjubjub --signers 4 --signing 2 --force --out .")?;
    let mut large = base.clone();
    large.manifest["shape"]["layout"]["k"] = 20.into();
    large.fit();
    large.seal().ok_or("the shape is one")?;
    large.proving.clear();
    large.write(dir);
    let length = Keys::proving_key_bytes(&large.shape().ok_or("the shape is one")?)?;
    File::create(dir.join("proving.key"))?.set_len(length)?;
    let line =
        "prove --keys . --committee committee.json --signatures signatures.json --threshold 2 \
                --out made.json --max-memory 200M";
    measure("proving.key of 2^20 rows, --max-memory 200M", dir, line, "proving.key")
}

/// Bytes in hex, as long as `like`.
fn random(rng: &mut ChaCha20Rng, like: usize) -> String {
    let mut bytes = vec![0; like / 2 - 1];
    rng.fill_bytes(&mut bytes);
    // The tag of SEC 1, and of a compressed point.
    bytes[0] = if rng.r#gen() { 2 } else { 3 };
    format!("0x{}", hex::encode(bytes))
}

fn run(dir: &Path, line: &str) -> Fallible<process::Output> {
    let mut command = Command::new(env::current_exe()?);
    command.args(line.split_whitespace()).current_dir(dir).env(COMMAND, "1");
    Ok(command.output()?)
}

/// Runs a command that refuses `file`, and prints what that took.
fn measure(what: &str, dir: &Path, line: &str, file: &str) -> Fallible<()> {
    let start = Instant::now();
    let output = run(dir, line)?;
    let took = start.elapsed();
    let said = String::from_utf8(output.stderr)?;
    let peak = said.lines().rev().find_map(|line| line.strip_prefix(PEAK)).ok_or("no peak")?;
    let peak: u64 = peak.parse()?;
    let verdict = said.lines().find(|line| line.starts_with("error") || line.starts_with("rej"));
    let size = std::fs::metadata(dir.join(file))?.len() >> 20;
    let verdict = verdict.unwrap_or("accepted").chars().take(90).collect::<String>();
    println!("| {what} | {size} MiB | {took:.2?} | {} MiB | {verdict} |", peak >> 10);
    Ok(())
}
