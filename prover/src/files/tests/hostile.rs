//! Whatever a network's file has in it, an importer refuses it by the file's name.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::files::{
    axelar::Axelar,
    beacon::Beacon,
    cctp::Cctp,
    cometbft::Cometbft,
    drand::Drand,
    eigenda::EigenDa,
    hyperlane::Hyperlane,
    imported::Importer,
    near::Near,
    safe::Safe,
    sui::{Network, Sui},
    vaa::{Guardians, Vaa},
};

/// How long a file of strangers may take.
const LIMIT: Duration = Duration::from_millis(100);
/// Length of junk.
const LONG: usize = 10 << 20;

/// Files that no network writes.
fn junk(long: usize) -> Vec<Vec<u8>> {
    let texts = [
        "",
        "{",
        "}",
        "[",
        "null",
        "7",
        "\"\"",
        "[]",
        "{}",
        "[[]]",
        "[{}]",
        "{\"a\":",
        "-1e999",
        "{\"result\": null}",
        "{\"result\": {}}",
        "{\"result\": []}",
        "{\"data\": {}}",
        "{\"messages\": [{}]}",
        "{\"inner_lite\": 1}",
        "0x",
        "0x00",
        "\u{feff}",
        "\0",
        "{\"guardianSet\": 1}",
        "{\"validators\": 1, \"epoch\": 1}",
        "\u{1b}[2J",
    ];
    let mut all: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    // Deep, long, and neither text nor a known encoding.
    for part in ["[", "{\"a\":", "{\"result\":", "A", "0", "\0", "\n", "[0,", "\"", "1"] {
        all.push(part.as_bytes().repeat(long / part.len()));
    }
    all.push((0..long).map(|i| (i * 7 + i / 251) as u8).collect());
    all.push(vec![0xff; long]);
    all.push([&[1][..], &vec![0xff; long]].concat());
    all.push(format!("{{\"result\": [{}0]}}", "0,".repeat(long / 2)).into_bytes());
    all.push(format!("{{\"result\": \"{}\"}}", "0".repeat(long)).into_bytes());
    all
}

/// Refuses junk in each of its files, and says which file it is.
fn refuses(
    dir: &Path,
    name: &str,
    long: usize,
    importer: &dyn Fn(PathBuf) -> Result<(), String>,
) -> Duration {
    let mut slowest = Duration::ZERO;
    for (number, bytes) in junk(long).into_iter().enumerate() {
        let path = dir.join(format!("{name}.junk"));
        fs::write(&path, &bytes).expect("a file");
        let start = Instant::now();
        let refused = importer(path);
        let taken = start.elapsed();
        let reason = refused.expect_err(&format!("{name} took junk {number}"));
        assert!(reason.contains(&format!("{name}.junk")), "{name} {number}: {reason}");
        assert!(reason.len() < 2000, "{name} {number}: {} bytes", reason.len());
        slowest = slowest.max(taken);
    }
    slowest
}

fn said(importer: &impl Importer) -> Result<(), String> {
    importer.import().map(drop).map_err(|error| error.to_string())
}

/// An importer by the file that it is given, which says what is wrong with it.
type Named<'a> = (&'static str, Box<dyn Fn(PathBuf) -> Result<(), String> + 'a>);

/// Each importer, with junk for one of its files and good ones for those that it reads before.
fn all(dir: &Path, long: usize) -> Vec<(&'static str, Duration)> {
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::write(&path, text).expect("a file");
        path
    };
    let address = "0x5afe000000000000000000000000000000005afe";
    let list = write("list.txt", address);
    let message = write(
        "message.json",
        "{\"messages\": [{\"message\": \"0x000000000000000000000000\", \"attestation\": \"0x\"}]}",
    );
    let word = format!("0x{}", "11".repeat(32));
    let checkpoint = write(
        "checkpoint.json",
        &format!("{{\"value\": {{\"checkpoint\": {{\"merkle_tree_hook_address\": \"{word}\", \"mailbox_domain\": 1, \"root\": \"{word}\", \"index\": 5}}, \"message_id\": \"{word}\"}}, \"serialized_signature\": \"0x\"}}"),
    );
    let vaa = write("vaa.hex", &format!("01{}00{}", "00".repeat(4), "00".repeat(60)));
    let safe = write(
        "safe.json",
        &format!("{{\"address\": \"{address}\", \"owners\": [\"{address}\"], \"threshold\": 1}}"),
    );
    let info = write(
        "info.json",
        "{\"public_key\": \"868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31\", \"period\": 30, \"genesis_time\": 1595431050, \"groupHash\": \"176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a\", \"schemeID\": \"pedersen-bls-chained\"}",
    );
    let hash = "1".repeat(32);
    let block = write(
        "block.json",
        &format!("{{\"prev_block_hash\": \"{hash}\", \"next_block_inner_hash\": \"{hash}\", \"inner_rest_hash\": \"{hash}\", \"inner_lite\": {{\"height\": 1, \"epoch_id\": \"{hash}\", \"next_epoch_id\": \"{hash}\", \"prev_state_root\": \"{hash}\", \"outcome_root\": \"{hash}\", \"timestamp_nanosec\": \"1\", \"next_bp_hash\": \"{hash}\", \"block_merkle_root\": \"{hash}\"}}, \"approvals_after_next\": []}}"),
    );
    // A summary of Sui without anything in it, its epoch again, a signature and no signers.
    let summary = format!(
        "{}20{}00{}000000{}{}083a30000000000000",
        "00".repeat(24),
        "00".repeat(32),
        "00".repeat(40),
        "00".repeat(8),
        "00".repeat(48)
    );
    let summary = write("summary.hex", &summary);
    // A batch of a quorum with one operator, who has no key yet.
    let [root, point] = ["A".repeat(43), "A".repeat(86)];
    let batch = write(
        "batch.json",
        &format!("{{\"signedBatch\": {{\"header\": {{\"batchRoot\": \"{root}=\", \"referenceBlockNumber\": \"1\"}}, \"attestation\": {{\"quorumApks\": [\"{point}==\"], \"sigma\": \"{point}==\", \"quorumNumbers\": [0]}}}}}}"),
    );
    let state = [32u8, 1, 32, 1, 7, 8, 9].map(|number| format!("{number:064x}")).concat();
    let state = write("state.txt", &format!("0x{state}"));
    let eigenda = |batch: PathBuf, operators: PathBuf, keys: PathBuf| EigenDa {
        batch,
        operators,
        keys: vec![keys],
        quorum: None,
        confirmation: 55,
    };
    let cctp = |message: PathBuf, attesters: PathBuf| Cctp { message, attesters, threshold: 1 };
    let hyperlane = |one: PathBuf, validators: PathBuf| Hyperlane {
        checkpoints: vec![one],
        validators,
        threshold: 1,
    };
    let of_safe = |safe: PathBuf, transaction: PathBuf| Safe {
        safe,
        transaction,
        chain_id: None,
        eth_sign: false,
    };
    let drand = |round: PathBuf, info: PathBuf| Drand { round, info, chain_hash: None };
    let near = |block: PathBuf, producers: PathBuf| Near { block, producers };
    let sui =
        |network, checkpoint: PathBuf, committee: PathBuf| Sui { network, checkpoint, committee };
    let cometbft =
        |commit: PathBuf| Cometbft { commit, validators: vec![list.clone()], chain_id: None };
    let beacon = |update: PathBuf| Beacon {
        update,
        committee: list.clone(),
        fork_version: None,
        genesis_validators_root: None,
    };
    let of_vaa = |vaa: PathBuf, guardians: Guardians| Vaa { vaa, guardians };
    let axelar = |transaction: PathBuf| Axelar {
        transaction,
        domain_separator: [0; 32],
        signers_hash: None,
    };
    let importers: Vec<Named<'_>> = vec![
        ("axelar", Box::new(|junk| said(&axelar(junk)))),
        ("cctp", Box::new(|junk| said(&cctp(junk, list.clone())))),
        ("cctp-attesters", Box::new(|junk| said(&cctp(message.clone(), junk)))),
        ("hyperlane", Box::new(|junk| said(&hyperlane(junk, list.clone())))),
        ("hyperlane-validators", Box::new(|junk| said(&hyperlane(checkpoint.clone(), junk)))),
        ("vaa", Box::new(|junk| said(&of_vaa(junk, Guardians::List(list.clone()))))),
        ("vaa-guardians", Box::new(|junk| said(&of_vaa(vaa.clone(), Guardians::List(junk))))),
        ("vaa-upgrade", Box::new(|junk| said(&of_vaa(vaa.clone(), Guardians::Upgrade(junk))))),
        ("safe", Box::new(|junk| said(&of_safe(junk, list.clone())))),
        ("safe-transaction", Box::new(|junk| said(&of_safe(safe.clone(), junk)))),
        ("drand-info", Box::new(|junk| said(&drand(list.clone(), junk)))),
        ("drand", Box::new(|junk| said(&drand(junk, info.clone())))),
        ("near", Box::new(|junk| said(&near(junk, list.clone())))),
        ("near-producers", Box::new(|junk| said(&near(block.clone(), junk)))),
        ("sui", Box::new(|junk| said(&sui(Network::Sui, junk, list.clone())))),
        ("iota", Box::new(|junk| said(&sui(Network::Iota, junk, list.clone())))),
        ("sui-committee", Box::new(|junk| said(&sui(Network::Sui, summary.clone(), junk)))),
        ("eigenda", Box::new(|junk| said(&eigenda(junk, state.clone(), list.clone())))),
        ("eigenda-operators", Box::new(|junk| said(&eigenda(batch.clone(), junk, list.clone())))),
        ("eigenda-keys", Box::new(|junk| said(&eigenda(batch.clone(), state.clone(), junk)))),
        ("cometbft", Box::new(|junk| said(&cometbft(junk)))),
        ("beacon", Box::new(|junk| said(&beacon(junk)))),
    ];
    let run = |(name, importer): &Named<'_>| (*name, refuses(dir, name, long, importer));
    importers.iter().map(run).collect()
}

#[test]
fn junk_is_refused_by_the_name_of_its_file() {
    let dir = tempfile::tempdir().expect("a directory");
    all(dir.path(), 1 << 18);
}

/// Takes an optimised build: `cargo test --release -p muster-prover measure_junk -- --ignored --nocapture`.
#[test]
#[ignore = "measures: in an optimised build"]
fn measure_junk() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, slowest) in all(dir.path(), LONG) {
        println!("{name}: {slowest:?} at most");
        assert!(slowest < LIMIT, "{name} takes {slowest:?}");
    }
}
