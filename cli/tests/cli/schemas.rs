//! The schemas of files, and their readers: a file that `muster` wrote is held to its schema, and what the schema refuses of
//! such files with something wrong, the reader refuses, too. No reader speaks of the code's types.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Parser;
use muster_cli::{
    files::{
        bls_threshold, frost,
        pvss::{
            self, read_stakes, AttestationFile, CertificateFile, ProposalFile, PublicFile,
            SecretFile, SessionFile, SharesFile,
        },
        MessagesFile,
    },
    SweepArgs,
};
use muster_prover::{
    files::{
        beacon::Beacon,
        cctp::Cctp,
        cometbft::{read_precommit, Cometbft},
        eigenda::EigenDa,
        hyperlane::Hyperlane,
        imported::Importer,
        safe::Safe,
        CommitteeFile, Gathered, ProofFile,
    },
    keys::KeyFiles,
    Request, Scheme, Seats, Shape,
};
use muster_sweep::{
    proofs::elsewhere::{Asked, Record},
    Existing, Machine, Results, Row, Store,
};
use muster_testing::schema::{assert_in_words, assert_reader, Schema};
use muster_threshold::{
    bls::MinSigBasicBls12381,
    frost::{Ed25519Sha512, SuiteName},
};
use serde_json::{json, Map, Value};

use crate::support::{fixture, keys_and_proof, run_in, write};

/// The schema of a kind of files, as `muster schema` prints it.
fn schema(name: &str) -> Schema {
    Schema::new(&run_in(&fixture().dir, &format!("schema {name}")).expect(0, &[]).stdout)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Holds what reads a file to the schema: the file is changed where it stands.
#[track_caller]
fn held<E: std::fmt::Display>(
    name: &str,
    (dir, file): (&Path, &str),
    read: impl Fn(&Path) -> Result<(), E>,
) {
    let (path, good) = (dir.join(file), json(&dir.join(file)));
    let text = path.display().to_string();
    assert_reader(&schema(name), &good, |value| {
        write(dir, file, value);
        // The path is this machine's.
        read(&path).map_err(|error| error.to_string().replace(&text, file))
    });
    write(dir, file, &good);
}

/// Holds a file that nothing reads to its schema.
#[track_caller]
fn written(name: &str, path: &Path) {
    assert_eq!(schema(name).check(&json(path)), Ok(()), "{}", path.display());
}

/// A copy of a folder of the fixture.
fn copied(from: &str, files: &[&str], to: &str) -> PathBuf {
    let dir = fixture().scratch(to);
    for file in files {
        fs::copy(fixture().dir.join(from).join(file), dir.join(file)).unwrap();
    }
    dir
}

#[test]
fn committees_and_signatures() {
    let committee = |path: &Path| CommitteeFile::read(path, Seats::One).map(drop);
    let dir = copied("schnorr", &["committee.json", "signatures.json"], "schema-committee");
    held("committee", (&dir, "committee.json"), committee);
    let members = CommitteeFile::read(&dir.join("committee.json"), Seats::One).unwrap();
    held("signatures", (&dir, "signatures.json"), |path| Gathered::read(path, &members).map(drop));
    // Weights shifted down, and a member left out.
    let mut shifted = json(&dir.join("committee.json"));
    shifted["narrowed"] = json!({ "weight_shift": 1, "total_weight": "100" });
    shifted["left_out"] = json!([{ "public_key": "0x00", "weight": "5", "reason": "too short" }]);
    shifted["members"][0]["weight"] = json!("3");
    write(&dir, "shifted.json", &shifted);
    held("committee", (&dir, "shifted.json"), committee);
    // A place for which nobody can sign.
    let places = [(33, "secp256k1"), (96, "bls12381")];
    let places = places.map(|(bytes, key_type)| {
        let key = format!("0x{}", "02".repeat(bytes));
        json!({ "public_key": key, "weight": 5, "empty": key_type })
    });
    let empty = json!({ "scheme": "ed25519", "members": places });
    write(&dir, "empty.json", &empty);
    held("committee", (&dir, "empty.json"), committee);
    let places = ["00".repeat(20), String::new()];
    let places = places.map(|leaf| json!({ "address": format!("0x{leaf}"), "empty": "beefy" }));
    let empty = json!({ "scheme": "ecdsa-secp256k1", "keys": "address", "members": places });
    write(&dir, "empty.json", &empty);
    held("committee", (&dir, "empty.json"), committee);
    let dir = copied("musig", &["committee.json", "signatures.json"], "schema-aggregate");
    let members = CommitteeFile::read(&dir.join("committee.json"), Seats::One).unwrap();
    held("signatures", (&dir, "signatures.json"), |path| Gathered::read(path, &members).map(drop));
}

#[test]
fn committees_that_are_lists() {
    let dir = fixture().scratch("schema-lists");
    let line = "sample --scheme ecdsa-secp256k1 --keys address --signers 3 --signing 2";
    run_in(&dir, &format!("{line} --with-secrets --out .")).expect(0, &[]);
    written("secrets", &dir.join("secrets.json"));
    let committee = |path: &Path| CommitteeFile::read(path, Seats::One).map(drop);
    held("committee", (&dir, "committee.json"), committee);
    let mut list = json(&dir.join("committee.json"))["members"].take();
    for member in list.as_array_mut().unwrap() {
        *member = member["address"].take();
    }
    write(&dir, "list.json", &list);
    held("committee", (&dir, "list.json"), committee);
}

#[test]
fn proofs_and_keys() {
    let dir = copied("", &["fast.json"], "schema-proof");
    held("proof", (&dir, "fast.json"), |path| ProofFile::read(path).map(drop));
    let keys = ["shape.json", "verifying.key", "proving.key"];
    let dir = copied("keys", &keys, "schema-keys");
    held("keys", (&dir, "shape.json"), |path| KeyFiles::open(path.parent().unwrap()).map(drop));
}

/// Layouts with gates of relations and of hashes.
#[test]
fn shapes_of_every_gate() {
    let dir = copied("", &["fast.json"], "schema-shapes");
    let fast = json(&dir.join("fast.json"));
    for (name, request) in [
        ("ecdsa", Request::new(Scheme::EcdsaSecp256k1, 4, 2)),
        ("ed25519", Request::new(Scheme::Ed25519, 4, 2)),
        ("bls", Request::new(Scheme::BlsBn254MinSig, 4, 2)),
    ] {
        let shape = Shape::fit(&request).unwrap();
        let mut proof = fast.clone();
        proof["scheme"] = json!(shape.scheme);
        proof["public_inputs"] =
            vec![fast["public_inputs"][0].clone(); shape.public_inputs()].into();
        proof["shape"] = serde_json::to_value(shape).unwrap();
        let file = format!("{name}.json");
        write(&dir, &file, &proof);
        held("proof", (&dir, &file), |path| ProofFile::read(path).map(drop));
    }
}

#[test]
fn messages_of_chains() {
    let dir = fixture().scratch("schema-messages");
    let hash = format!("0x{}", "ab".repeat(32));
    let message = json!({ "height": "12", "round": 0, "chain_id": "chain",
        "block_id": { "hash": hash, "parts": { "total": 1, "hash": hash } } });
    write(&dir, "message.json", &message);
    held("cometbft-message", (&dir, "message.json"), |path| read_precommit(path).map(drop));
    let messages = json!({ "messages": [{ "nonce": "18446744073709551615", "payload": "0x00" }] });
    write(&dir, "messages.json", &messages);
    held("messages", (&dir, "messages.json"), |path| MessagesFile::read(path).map(drop));
}

/// What contracts are given, which nothing here reads.
#[test]
fn files_for_contracts() {
    let (keys, proof) = keys_and_proof("compact");
    let dir = fixture().scratch("schema-evm");
    let line = format!("export-key --keys {keys} --evm --proof {proof} --out .");
    run_in(&dir, &line).expect(0, &[]);
    written("evm-key", &dir.join("evm-key.json"));
    written("evm-proof", &dir.join("evm-proof.json"));
}

#[test]
fn files_of_frost() {
    let dir = fixture().scratch("schema-frost");
    let run = |line: &str| run_in(&dir, &format!("frost {line}")).expect(0, &[]);
    run("keygen --suite ed25519 --threshold 2 --signers 2 --out .");
    run("commit --share share-1.json --out .");
    run("commit --share share-2.json --out .");
    let nonces = json(&dir.join("nonces-1.json"));
    let both = "--commitments commitment-1.json commitment-2.json --message 0x6869";
    for member in [1, 2] {
        let own = format!("--share share-{member}.json --nonces nonces-{member}.json");
        run(&format!("sign {own} {both} --out signed-{member}.json"));
    }
    let shares = "--shares signed-1.json signed-2.json";
    run(&format!("aggregate --group group.json {both} {shares} --out signature.json"));
    held("frost-nonces", (&dir, "nonces-1.json"), |path| {
        frost::read::<frost::NoncesFile>(path).map(drop)
    });
    write(&dir, "nonces-1.json", &nonces);
    run("dkg commit --suite ed25519 --member 1 --threshold 2 --signers 2 --out .");

    let suite = SuiteName::Ed25519;
    let share: frost::ShareFile = frost::read(&dir.join("share-1.json")).unwrap();
    assert_eq!(frost::Document::suite(&share), suite);
    let (own, key) = (share.decode::<Ed25519Sha512>().unwrap(), share.public_key().clone());
    let message = *b"hi";
    type Read<'a> = &'a dyn Fn(&Path) -> Result<(), String>;
    let text = |error: frost::FieldError| error.to_string();
    let group: Read = &|path| {
        let file: frost::GroupFile = read_frost(path)?;
        file.decode::<Ed25519Sha512>().map(drop).map_err(text)
    };
    let share: Read = &|path| {
        let file: frost::ShareFile = read_frost(path)?;
        file.decode::<Ed25519Sha512>().map(drop).map_err(text)
    };
    let nonces: Read = &|path| {
        let file: frost::NoncesFile = read_frost(path)?;
        file.decode::<Ed25519Sha512>(&own).map(drop).map_err(text)
    };
    let commitment: Read = &|path| {
        let file: frost::CommitmentFile = read_frost(path)?;
        file.decode::<Ed25519Sha512>(&key).map(drop).map_err(text)
    };
    let signed: Read = &|path| {
        let file: frost::SignatureShareFile = read_frost(path)?;
        file.decode::<Ed25519Sha512>(&key).map(drop).map_err(text)
    };
    let signature: Read = &|path| {
        let file: frost::SignatureFile = read_frost(path)?;
        file.decode::<Ed25519Sha512>(&key, &message).map(drop).map_err(text)
    };
    let parcel: Read = &|path| read_frost::<frost::Parcel>(path).map(drop);
    for (name, file, read) in [
        ("frost-group", "group.json", group),
        ("frost-share", "share-1.json", share),
        ("frost-nonces", "nonces-1.json", nonces),
        ("frost-commitment", "commitment-1.json", commitment),
        ("frost-signature-share", "signed-1.json", signed),
        ("frost-signature", "signature.json", signature),
        ("frost-parcel", "dkg-commitment-1.json", parcel),
        ("frost-parcel", "dkg-secret-1.json", parcel),
    ] {
        held(name, (&dir, file), read);
    }
}

fn read_frost<D: frost::Document>(path: &Path) -> Result<D, String> {
    frost::read(path).map_err(|error| error.to_string())
}

#[test]
fn files_of_threshold_bls() {
    use bls_threshold::{GroupFile, SecretFile, ShareFile, SignatureFile};
    type S = MinSigBasicBls12381;
    let dir = fixture().scratch("schema-bls");
    let run = |line: &str| run_in(&dir, &format!("bls-threshold {line}")).expect(0, &[]);
    run("keygen --threshold 2 --signers 3 --out .");
    for signer in [1, 2] {
        let line = format!("sign --secret secret-{signer}.json --message 0x6869");
        run(&format!("{line} --out share-{signer}.json"));
    }
    run("aggregate --group group.json share-1.json share-2.json --out signature.json");
    held("bls-threshold-group", (&dir, "group.json"), |path| {
        GroupFile::read(path)?.decode::<S>(path).map(drop)
    });
    held("bls-threshold-secret", (&dir, "secret-1.json"), |path| {
        SecretFile::read(path)?.decode::<S>(path).map(drop)
    });
    let share = |path: &Path| {
        let file = ShareFile::read(path)?;
        file.message(path)?;
        file.decode::<S>(path).map(drop)
    };
    held("bls-threshold-share", (&dir, "share-1.json"), share);
    let own = json(&dir.join("share-1.json"));
    let entry = json!({ "signer": own["signer"], "signature": own["signature"] });
    let several = json!({ "suite": own["suite"], "message": own["message"],
        "shares": [entry, { "signer": 3, "signature": own["signature"] }] });
    write(&dir, "several.json", &several);
    held("bls-threshold-share", (&dir, "several.json"), share);
    held("bls-threshold-signature", (&dir, "signature.json"), |path| {
        SignatureFile::read(path)?.decode::<S>(path).map(drop)
    });
}

#[test]
fn files_of_a_key_generation() {
    let dir = fixture().scratch("schema-pvss");
    let run = |line: &str| run_in(&dir, line).expect(0, &[]);
    run("pvss srs make --insecure --powers 64 --out s.srs");
    run("pvss keygen --out keys-1");
    run("pvss keygen --out keys-2");
    run("pvss session --keys keys-1/public.json keys-2/public.json --weights 1,1 --threshold 2 \
         --chunk-bits 16 --epoch 7 --srs s.srs --out session.json");
    for player in [1, 2] {
        let own = format!("--keys keys-{player} --out dealing-{player}.bin");
        run(&format!("dkg deal --session session.json {own}"));
    }
    let both = "dealing-1.bin dealing-2.bin";
    run(&format!(
        "dkg propose --session session.json --keys keys-1 {both} --sum sum.bin --out proposal.json"
    ));
    for player in [1, 2] {
        let line = format!("dkg attest --session session.json --keys keys-{player}");
        run(&format!("{line} --proposal proposal.json {both} --out attestation-{player}.json"));
        let line =
            format!("pvss decrypt --session session.json --keys keys-{player} --sum sum.bin");
        run(&format!("{line} --table-bits 12 --out shares-{player}.json"));
    }
    run("dkg certify --session session.json --proposal proposal.json attestation-1.json \
         attestation-2.json --out certificate.json");
    run("pvss reconstruct --session session.json --sum sum.bin shares-1.json shares-2.json \
         --out secret.json");
    written("pvss-opened", &dir.join("secret.json"));
    held("pvss-public", (&dir, "keys-1/public.json"), |path| {
        pvss::read::<PublicFile>(path)?.decode(path).map(drop)
    });
    held("pvss-secret", (&dir, "keys-1/secret.json"), |path| {
        pvss::read::<SecretFile>(path)?.decode(path).map(drop)
    });
    held("pvss-session", (&dir, "session.json"), |path| {
        pvss::read::<SessionFile>(path)?.open(path).map(drop)
    });
    // Stakes that other tools read inexactly are texts.
    write(&dir, "stakes.json", &json!([9_007_199_254_740_993u64, "9007199254740993"]));
    let line = "pvss session --keys keys-1/public.json keys-2/public.json --stakes stakes.json --chunk-bits 16";
    run(&format!("{line} --epoch 7 --srs s.srs --out staked.json"));
    assert_eq!(json(&dir.join("staked.json"))["stakes"], json!(vec!["9007199254740993"; 2]));
    assert_eq!(schema("pvss-session").check(&json(&dir.join("staked.json"))), Ok(()));
    held("pvss-shares", (&dir, "shares-1.json"), |path| {
        pvss::read::<SharesFile>(path)?.decode(path).map(drop)
    });
    held("dkg-proposal", (&dir, "proposal.json"), |path| {
        pvss::read::<ProposalFile>(path)?.decode(path).map(drop)
    });
    held("dkg-attestation", (&dir, "attestation-1.json"), |path| {
        pvss::read::<AttestationFile>(path)?.decode(path).map(drop)
    });
    held("dkg-certificate", (&dir, "certificate.json"), |path| {
        pvss::read::<CertificateFile>(path)?.decode(path).map(drop)
    });
    write(&dir, "stakes.json", &json!([3, "5"]));
    held("stakes", (&dir, "stakes.json"), |path| read_stakes(path).map(drop));
}

/// The options of a sweep, in this process.
#[derive(clap::Parser)]
struct SweepLine {
    #[command(flatten)]
    sweep: SweepArgs,
}

#[test]
fn rows_of_proofs() {
    let dir = fixture().scratch("schema-sweep");
    let asked = "--scheme schnorr-babyjubjub --case 1/2 --degree 7 10 --threads 1";
    run_in(&dir, &format!("sweep {asked} --out .")).expect(0, &["ok"]);
    let line = "sweep --scheme schnorr-babyjubjub --case 1/2 --degree 7 --resume --out";
    held("sweep", (&dir, "results.json"), |path| {
        let out = path.parent().unwrap().to_str().unwrap();
        let line = SweepLine::parse_from(line.split(' ').chain([out]));
        line.sweep.elsewhere().map(drop)
    });
    // The row of a task is what a row of the sweep was measured as.
    let results = json(&dir.join("results.json"));
    let row = &results["rows"][1];
    let phases =
        ["witness_s", "commitments_s", "transforms_s", "arguments_s", "quotient_s", "openings_s"];
    let of = |names: &[&str]| -> Value {
        names
            .iter()
            .map(|name| ((*name).to_owned(), row[*name].clone()))
            .collect::<Map<_, _>>()
            .into()
    };
    let mut measured = of(&[
        "keygen_s",
        "prove_s",
        "verify_s",
        "proof_bytes",
        "peak_bytes",
        "proving_key_bytes",
        "srs",
    ]);
    measured["phases"] = of(&phases);
    let shape = json(&fixture().dir.join("keys/shape.json"))["shape"].take();
    let asked =
        json!({ "shape": shape, "case": "1/2", "repeat": 3, "kind": "fast", "memory": "auto" });
    let record = json!({ "asked": asked, "machine": results["machine"], "measured": measured });
    write(&dir, "record.json", &record);
    let asked: Asked = serde_json::from_value(asked).unwrap();
    let read = |path: &Path| Record::parse(path, &fs::read(path).unwrap(), &asked).map(drop);
    held("sweep-record", (&dir, "record.json"), read);
    let failed = json!({ "asked": asked, "machine": results["machine"], "failed": "no memory" });
    write(&dir, "failed.json", &failed);
    held("sweep-record", (&dir, "failed.json"), read);
}

#[test]
fn rows_of_other_sweeps() {
    let dir = fixture().scratch("schema-sweeps");
    let run = |line: &str| run_in(&dir, &format!("{line} --out .")).expect(0, &[]);
    run("frost sweep --suite ed25519 --case 2/3 --repeat 3");
    resumed::<muster_sweep::frost::Row>("sweep-frost", (&dir, "frost.json"));
    run("bls-threshold sweep --t 2^1 --identities consecutive --repeat 1");
    resumed::<muster_sweep::bls_threshold::Row>("sweep-bls-threshold", (&dir, "results.json"));
    run("pvss sweep --case 2/3 --chunk-bits 8 --table-bits 8 --repeat 1 --force");
    resumed::<muster_sweep::pvss::Row>("sweep-pvss", (&dir, "results.json"));
}

/// Holds the reading of a sweep that goes on to the schema.
#[track_caller]
fn resumed<R: Row>(name: &str, at: (&Path, &str)) {
    let repeat = json(&at.0.join(at.1))["repeat"].as_u64();
    held(name, at, |path| {
        let results = Results::<R>::new(Machine::this(), repeat);
        Store::open_kept(path.parent().unwrap(), Existing::Resume, results).map(drop)
    });
}

/// Files of other networks in their right form, whatever is in them.
fn networks_files() -> Vec<(&'static str, Value)> {
    let (hash, address) = (format!("0x{}", "ab".repeat(32)), format!("0x{}", "11".repeat(20)));
    let (key, point) = (format!("0x{}", "00".repeat(48)), format!("{}==", "A".repeat(86)));
    let part = json!({ "hash": hash, "parts": { "total": 1, "hash": hash } });
    let header = json!({ "beacon": { "slot": "1", "proposer_index": "2", "parent_root": hash,
        "state_root": hash, "body_root": hash } });
    vec![
        ("list", json!([address])),
        ("owners", json!({ "address": address, "owners": [address], "threshold": 1 })),
        (
            "transaction",
            json!({ "safe": address, "to": address, "value": "0", "data": null,
            "operation": 0, "safeTxGas": "0", "baseGas": 0, "gasPrice": "0", "gasToken": null,
            "refundReceiver": null, "nonce": 3, "safeTxHash": hash,
            "confirmations": [{ "owner": address, "signature": "0x00" }] }),
        ),
        (
            "checkpoint",
            json!({ "serialized_signature": "0x00", "value": { "message_id": hash,
            "checkpoint": { "merkle_tree_hook_address": hash, "mailbox_domain": 1, "root": hash,
                "index": 2 } } }),
        ),
        (
            "attested",
            json!({ "messages": [{ "message": "0x00", "attestation": "0x00",
            "status": "complete" }] }),
        ),
        (
            "update",
            json!({ "version": "deneb", "data": { "attested_header": header,
            "finalized_header": header, "finality_branch": [hash], "signature_slot": "3",
            "sync_aggregate": { "sync_committee_bits": "0x00",
                "sync_committee_signature": "0x00" } } }),
        ),
        (
            "source",
            json!({ "data": { "header": header, "current_sync_committee_branch": [hash],
            "current_sync_committee": { "pubkeys": [key], "aggregate_pubkey": key } } }),
        ),
        (
            "commit",
            json!({ "result": { "signed_header": { "header": { "version": { "block": "11" },
            "chain_id": "c", "height": "5", "time": "2024-01-01T00:00:00Z", "last_block_id": part,
            "last_commit_hash": "", "data_hash": "", "validators_hash": "",
            "next_validators_hash": "", "consensus_hash": "", "app_hash": "",
            "last_results_hash": "", "evidence_hash": "", "proposer_address": "" },
            "commit": { "height": "5", "round": 0, "block_id": part, "signatures": [{
                "block_id_flag": 2, "validator_address": "", "timestamp": "",
                "signature": null }] } } } }),
        ),
        (
            "batch",
            json!({ "signedBatch": { "header": { "batchRoot": format!("{}=", "A".repeat(43)),
            "referenceBlockNumber": "1" }, "attestation": { "nonSignerPubkeys": [],
            "quorumApks": [point], "sigma": point, "quorumNumbers": [0] } } }),
        ),
        ("registrations", json!({ "result": [{ "topics": [hash], "data": "0x" }] })),
        (
            "validators",
            json!({ "result": { "block_height": "5", "total": "1", "validators": [{
            "address": "", "pub_key": { "type": "", "value": "" }, "voting_power": "1" }] } }),
        ),
    ]
}

/// Of their readers' types, messages say nothing either.
#[test]
fn importers_speak_of_no_code() {
    let dir = fixture().scratch("schema-imports");
    let path = |name: &str| dir.join(format!("{name}.json"));
    let files = networks_files();
    files.iter().for_each(|(name, file)| drop(write(&dir, &format!("{name}.json"), file)));
    let safe = Safe {
        safe: path("owners"),
        transaction: path("transaction"),
        chain_id: Some(1),
        eth_sign: false,
    };
    let (checkpoints, validators) = (vec![path("checkpoint")], path("list"));
    let hyperlane = Hyperlane { checkpoints, validators, threshold: 1 };
    let cctp = Cctp { message: path("attested"), attesters: path("list"), threshold: 1 };
    let beacon = Beacon {
        update: path("update"),
        committee: path("source"),
        fork_version: None,
        genesis_validators_root: None,
    };
    // A quorum with one operator.
    let state = [32u8, 1, 32, 1, 7, 8, 9].map(|number| format!("{number:064x}")).concat();
    let operators = write(&dir, "state.json", &json!({ "result": format!("0x{state}") }));
    let (batch, keys) = (path("batch"), vec![path("registrations")]);
    let operators = operators.into();
    let eigenda = EigenDa { batch, operators, keys, quorum: None, confirmation: 55 };
    let (commit, validators) = (path("commit"), vec![path("validators")]);
    let cometbft = Cometbft { commit, validators, chain_id: None };
    for (name, good) in &files {
        let import = || match *name {
            "owners" | "transaction" => safe.import(),
            "checkpoint" | "list" => hyperlane.import(),
            "attested" => cctp.import(),
            "update" | "source" => beacon.import(),
            "batch" | "registrations" => eigenda.import(),
            _ => cometbft.import(),
        };
        assert_in_words(good, |value| {
            write(&dir, &format!("{name}.json"), value);
            let text = |error: muster_prover::Error| error.to_string();
            // The path is this machine's.
            import().map(drop).map_err(|error| text(error).replace(&dir.display().to_string(), ""))
        });
        write(&dir, &format!("{name}.json"), good);
    }
}
