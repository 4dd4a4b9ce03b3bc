//! The commands, as people type them, without a server.

use std::{fs, path::Path};

use assert_cmd::Command;
use muster_farm::store::KEY_FILES;
use muster_prover::files::SIGNATURES_FILE;
use serde_json::Value;

use crate::fixture::{made, Farm};

fn farm(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster-farm"));
    command.args(words).env_remove("TEMPORAL_ADDRESS").env_remove("TEMPORAL_PROFILE");
    command
}

/// `submit`, or `plan`, of all requests of a farm.
fn requests(command: &str, farm_of: &Farm) -> Command {
    let mut words = farm(&[command, "--store", &farm_of.place(), "--threshold", "2", "--batch"]);
    words.arg(farm_of.batch()).arg("--keys").arg(made().dir.path().join("keys"));
    words
}

fn submit(farm: &Farm, out: &Path) -> Command {
    let mut words = requests("submit", farm);
    words.arg("--out").arg(out);
    words
}

/// What a command printed, as JSON.
fn json(command: &mut Command) -> Value {
    serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap()
}

/// What a command says that fails with this status.
fn refused(command: &mut Command, status: i32) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{said}");
    said
}

#[tokio::test]
async fn proofs_come_out_and_a_node_over_them() {
    let at = Farm::new().await;
    (1..=3).for_each(|message| drop(at.folder(message)));
    let out = at.dir.path().join("proofs");
    let said = json(submit(&at, &out).args(["--json", "--tree", "2"]));
    assert_eq!((&said["proven"], &said["failed"]), (&3.into(), &0.into()));
    assert_eq!(said["nodes"].as_array().map(Vec::len), Some(3), "two nodes and the one over them");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3);
    let status = json(&mut farm(&["status", "--store", &at.place(), "--json"]));
    assert_eq!(status["results"], 6);
    // Once more, and they are there; but nothing is overwritten without being asked for.
    let said = refused(&mut submit(&at, &out), 2);
    assert!(said.contains("already exists"), "{said}");
    submit(&at, &out).arg("--force").assert().success();

    let job = json(submit(&at, &out).args(["--json", "--force"]))["jobs"][0]["job"].clone();
    let path = at.dir.path().join("proof.json");
    let result = ["result", "--store", &at.place(), "--out", path.to_str().unwrap()];
    farm(&result).arg(job.as_str().unwrap()).assert().success();
    let said = refused(farm(&result).arg(format!("0x{:064x}", 7)).arg("--force"), 2);
    assert!(said.contains("a result of"), "{said}");
}

/// What somebody put into the store in place of a proof is not given out: it is proven anew.
/// One bad signature is dropped and named, and stops neither its own folder nor the others.
#[tokio::test]
async fn signatures_that_do_not_count_are_dropped() {
    let at = Farm::new().await;
    let [good, bad, few] = [1, 2, 3].map(|message| at.folder(message).join(SIGNATURES_FILE));
    let read = |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    let theirs = read(&good)["signatures"][0].clone();
    let mut signed = read(&bad);
    let list = signed["signatures"].as_array_mut().unwrap();
    // Before the good ones, in a member's name; and by nobody.
    let member = list[0]["member"].clone();
    list.insert(0, serde_json::json!({ "member": member, "signature": theirs["signature"] }));
    list.push(serde_json::json!({ "member": 77, "signature": theirs["signature"] }));
    fs::write(&bad, signed.to_string()).unwrap();
    let mut signed = read(&few);
    signed["signatures"][0]["signature"] = theirs["signature"].clone();
    fs::write(&few, signed.to_string()).unwrap();
    let out = at.dir.path().join("proofs");
    let output = submit(&at, &out).arg("--json").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in ["signatures[0]: member", "signer 77 is not in the set", "below the threshold 2"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["proven"], &report["failed"]), (&2.into(), &1.into()));
    let dropped = |place: usize| report["jobs"][place]["dropped"].as_array().unwrap().len();
    assert_eq!([0, 1, 2].map(dropped), [0, 2, 1]);
    // None may be dropped: nothing is begun.
    let said = refused(submit(&at, &out).args(["--force", "--strict"]), 1);
    assert!(said.contains("not all signatures count"), "{said}");
}

#[tokio::test]
async fn a_planted_proof_is_not_given_out() {
    let at = Farm::new().await;
    (1..=2).for_each(|message| drop(at.folder(message)));
    let out = at.dir.path().join("proofs");
    let said = json(submit(&at, &out).arg("--json"));
    let file = |place: usize| {
        let job = said["jobs"][place]["job"].as_str().unwrap();
        at.dir.path().join("store/results").join(format!("{}.json", &job[2..]))
    };
    let honest = fs::read_to_string(file(1)).unwrap();
    let public = |path: &Path| -> Value {
        serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap()["public_inputs"].clone()
    };
    let message = public(&file(1));
    for planted in [fs::read_to_string(file(0)).unwrap(), "{}".into()] {
        fs::write(file(1), &planted).unwrap();
        assert_eq!(json(submit(&at, &out).args(["--force", "--json"]))["proven"], 2);
        let given = out.join("request-00002.json");
        assert_eq!(public(&given), message);
        assert_eq!(fs::read(&given).unwrap(), fs::read(file(1)).unwrap());
        assert_ne!(fs::read_to_string(&given).unwrap(), honest, "made anew");
        // A node over it holds.
        fs::write(file(1), planted).unwrap();
        fs::remove_dir_all(&out).unwrap();
        submit(&at, &out).args(["--tree", "2"]).assert().success();
    }
    // Whoever looks after the farm can have it done again, too.
    let job = said["jobs"][1]["job"].as_str().unwrap();
    farm(&["retry", "--store", &at.place(), job]).assert().success();
    assert!(!file(1).exists());
}

/// Keys that are pinned no more are proven with no more; others that are pinned in their place only by force.
#[tokio::test]
async fn keys_are_unpinned_and_pinned_again() {
    let at = Farm::new().await;
    let (_, keys, place) = (at.folder(1), at.dir.path().join("keys"), at.place());
    let command = |words: &[&str]| {
        let mut command = farm(words);
        command.args(["--store", &place]).env("MUSTER_PARAMS", at.dir.path().join("srs"));
        command
    };
    let mut keygen = command(&["keygen", "--scheme", "schnorr-babyjubjub", "--signers", "4"]);
    keygen.args(["--slots", "2", "--insecure-srs", "--proving-key", "--json", "--out"]).arg(&keys);
    let key = json(&mut keygen)["vk_digest"].as_str().unwrap().to_owned();
    let submit = || {
        let mut words = command(&["submit", "--threshold", "2", "--force"]);
        words
            .arg("--keys")
            .arg(&keys)
            .arg("--batch")
            .arg(at.batch())
            .arg("--out")
            .arg(at.dir.path().join("out"));
        words
    };
    command(&["unpin", &key]).assert().success();
    let said = refused(&mut command(&["unpin", &key]), 2);
    assert!(said.contains("is missing"), "{said}");
    let said = refused(&mut submit(), 1);
    assert!(said.contains("bad input: store: keys/"), "{said}");
    let pin = || {
        let mut words = command(&["pin", "--insecure", "--insecure-srs"]);
        words.arg("--keys").arg(&keys);
        words
    };
    let path = at.dir.path().join(format!("store/keys/{}.json", &key[2..]));
    let wrong = serde_json::json!({ "files": [key, key, key], "srs": key }).to_string();
    fs::write(&path, &wrong).unwrap();
    let said = refused(&mut pin(), 2);
    assert!(said.contains("is pinned with other files: --force"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), wrong);
    pin().arg("--force").assert().success();
    submit().assert().success();
    // Nor are keys pinned that give no proofs.
    let honest = at.store.pinned(&key.parse().unwrap()).await.unwrap();
    for (digest, name) in at.exchanged(&honest).await.files.iter().zip(KEY_FILES) {
        fs::write(keys.join(name), at.store.get(digest).await.unwrap()).unwrap();
    }
    let said = refused(pin().arg("--force"), 2);
    assert!(said.contains("they do not belong to their circuit"), "{said}");
    assert_eq!(at.store.pinned(&key.parse().unwrap()).await.unwrap(), honest);
}

#[tokio::test]
async fn secrets_and_cancelled_jobs_are_not_begun() {
    let at = Farm::new().await;
    let (folder, out) = (at.folder(1), at.dir.path().join("proofs"));
    let plan = json(&mut requests("plan", &at));
    let flow = &plan["workflows"][0];
    assert_eq!((&flow["type"], &flow["queue"]), (&"Proofs".into(), &"muster".into()));
    let job = flow["jobs"][0].as_str().unwrap();
    assert_eq!(flow["id"], format!("prove-{}", &job[2..]));
    assert_eq!(flow["input"]["tasks"][0]["job"]["work"]["kind"], "prove");

    let mark = ["--store", &at.place(), job];
    farm(&["cancel", "--reason", "the block is old"]).args(mark).assert().success();
    let said = refused(&mut submit(&at, &out), 1);
    assert!(said.contains("cancelled: the block is old"), "{said}");
    farm(&["retry"]).args(mark).assert().success();
    submit(&at, &out).assert().success();

    fs::write(folder.join("secrets.json"), "{}").unwrap();
    for command in ["submit", "plan"] {
        let mut words = requests(command, &at);
        if command == "submit" {
            words.arg("--out").arg(&out);
        }
        let said = refused(&mut words, 2);
        assert!(said.contains("secrets do not belong on a farm"), "{said}");
    }
}

/// The files of `muster sweep`, from rows that ran as jobs; what the store has is not measured again.
#[tokio::test]
async fn a_sweep_leaves_the_files_of_a_sweep() {
    let at = Farm::new().await;
    let out = at.dir.path().join("results");
    let sweep = |more: &[&str]| {
        let mut words = farm(&["sweep", "--store", &at.place(), "--case", "1/2"]);
        words.args(["--scheme", "schnorr-babyjubjub", "--degree", "6", "11", "--out"]);
        words.arg(&out).args(more).env("MUSTER_PARAMS", at.dir.path().join("srs"));
        words
    };
    let said = json(&mut sweep(&["--json"]));
    let rows = said["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["status"], &rows[1]["status"]), (&"does-not-fit".into(), &"ok".into()));
    assert!(out.join("results.csv").exists() && out.join("results.svg").exists());
    let said = refused(&mut sweep(&[]), 2);
    assert!(said.contains("--resume continues"), "{said}");
    let time = |said: &Value| said["rows"][1]["prove_s"].as_f64().unwrap();
    let again = json(&mut sweep(&["--json", "--force"]));
    assert!((time(&again) - time(&said_of(&out))).abs() < f64::EPSILON);
    let anew = json(&mut sweep(&["--json", "--force", "--series", "anew"]));
    assert!((time(&anew) - time(&again)).abs() > f64::EPSILON, "it was measured again");
    let said = refused(&mut sweep(&["--jobs", "2"]), 2);
    assert!(said.contains("--jobs: not for rows that run elsewhere"), "{said}");
}

fn said_of(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("results.json")).unwrap()).unwrap()
}

/// Keys that workers make are as good as others: proofs are made with them, and they say where their SRS is from.
#[tokio::test]
async fn keys_are_made_and_pinned() {
    let at = Farm::new().await;
    let (_, keys) = (at.folder(1), at.dir.path().join("made"));
    let keygen = |more: &[&str]| {
        let mut words = farm(&["keygen", "--store", &at.place(), "--signers", "4", "--slots", "2"]);
        words.args(["--scheme", "schnorr-babyjubjub", "--out"]).arg(&keys).args(more);
        words.env("MUSTER_PARAMS", at.dir.path().join("srs"));
        words
    };
    let said = refused(&mut keygen(&[]), 2);
    assert!(said.contains("SRS"), "{said}");
    let said = json(keygen(&["--insecure-srs"]).arg("--json"));
    let key = said["vk_digest"].as_str().unwrap();
    let shape: Value = serde_json::from_slice(&fs::read(keys.join("shape.json")).unwrap()).unwrap();
    assert_eq!(shape["vk_digest"], key);
    assert_eq!(shape["srs"]["insecure"], true, "its proofs are marked");
    assert!(keys.join("verifying.key").exists() && !keys.join("proving.key").exists());
    let said = refused(&mut keygen(&["--insecure-srs"]), 2);
    assert!(said.contains("shape.json") && said.contains("exists"), "{said}");
    keygen(&["--insecure-srs", "--force", "--proving-key"]).assert().success();
    assert!(keys.join("proving.key").exists());

    let mut submit = farm(&["submit", "--store", &at.place(), "--threshold", "2", "--batch"]);
    submit.arg(at.batch()).arg("--keys").arg(&keys).arg("--out").arg(at.dir.path().join("proofs"));
    assert_eq!(json(submit.arg("--json"))["proven"], 1);
    let proof = fs::read(at.dir.path().join("proofs/request-00001.json")).unwrap();
    let proof: Value = serde_json::from_slice(&proof).unwrap();
    assert_eq!(proof["vk_digest"], key);
}

/// Keys for contracts are asked for as `muster keygen` is; the same keys are the same job, whether their stride is named or not.
#[tokio::test]
async fn keys_for_contracts_are_made_and_pinned() {
    let at = Farm::new().await;
    let (_, keys) = (at.folder(1), at.dir.path().join("made"));
    let keygen = |more: &[&str]| {
        let mut words = farm(&["keygen", "--store", &at.place(), "--signers", "4", "--slots", "2"]);
        words.args(["--scheme", "schnorr-babyjubjub", "--insecure-srs", "--json", "--out"]);
        words.arg(&keys).args(more).env("MUSTER_PARAMS", at.dir.path().join("srs"));
        words
    };
    for (more, reason) in [
        (&["--kind", "quick"][..], "'quick'"),
        (&["--stride", "5"], "--stride: for keys of --kind compact alone"),
        (&["--kind", "fast", "--stride", "5"], "--stride: for keys of --kind compact alone"),
        (&["--kind", "compact", "--stride", "0"], "--stride"),
        (&["--kind", "compact", "--stride", "257"], "--stride"),
    ] {
        let said = refused(&mut keygen(more), 2);
        assert!(said.contains(reason), "{said}");
    }
    assert!(!keys.exists() && !at.dir.path().join("srs").exists(), "before anything is made");
    let said = json(&mut keygen(&["--kind", "compact"]));
    assert_eq!(said["kind"], "compact");
    let stride = said["packs"]["stride"].to_string();
    let again = json(&mut keygen(&["--kind", "compact", "--stride", &stride, "--force"]));
    assert_eq!(again, said);

    let mut submit = farm(&["submit", "--store", &at.place(), "--threshold", "2", "--batch"]);
    submit.arg(at.batch()).arg("--keys").arg(&keys).arg("--out").arg(at.dir.path().join("proofs"));
    assert_eq!(json(submit.arg("--json"))["proven"], 1);
    let proof = fs::read(at.dir.path().join("proofs/request-00001.json")).unwrap();
    let proof: Value = serde_json::from_slice(&proof).unwrap();
    assert_eq!((&proof["vk_digest"], &proof["kind"]), (&said["vk_digest"], &said["kind"]));
}

/// Whoever asks for keys takes none that somebody planted.
#[tokio::test]
async fn planted_keys_are_not_pinned() {
    let at = Farm::new().await;
    let keys = at.dir.path().join("made");
    let keygen = |signers: &str, more: &[&str]| {
        let mut words = farm(&["keygen", "--store", &at.place(), "--slots", "2", "--json"]);
        words.args(["--signers", signers, "--scheme", "schnorr-babyjubjub", "--insecure-srs"]);
        words.arg("--out").arg(&keys).args(more);
        words.env("MUSTER_PARAMS", at.dir.path().join("srs"));
        words
    };
    let name = |said: Value| said["job"].as_str().unwrap()[2..].to_owned();
    let (first, second) =
        (name(json(&mut keygen("4", &[]))), name(json(&mut keygen("5", &["--force"]))));
    let pinned = || fs::read_dir(at.dir.path().join("store/keys")).unwrap().count();
    let before = pinned();
    let result = |name: &str| at.dir.path().join(format!("store/results/{name}.json"));
    // The right keys, but pinned with another SRS.
    let honest = fs::read_to_string(result(&second)).unwrap();
    let mut other: Value = serde_json::from_str(&honest).unwrap();
    other["pinned"]["srs"] = format!("0x{:064x}", 7).into();
    let key = other["key"].clone();
    // They are made anew, and found to be those that are pinned.
    for planted in [other.to_string(), fs::read_to_string(result(&first)).unwrap()] {
        fs::write(result(&second), planted).unwrap();
        assert_eq!(json(&mut keygen("5", &["--force"]))["vk_digest"], key);
        assert_eq!(fs::read_to_string(result(&second)).unwrap(), honest);
    }
    assert_eq!(pinned(), before);
}

/// Ceremonies leave the files that they leave elsewhere; what the store has is not held again.
#[tokio::test]
async fn ceremonies_are_measured() {
    let at = Farm::new().await;
    let out = at.dir.path().join("frost");
    let frost = |more: &[&str]| {
        let mut words = farm(&["simulate", "frost", "--store", &at.place(), "--json", "--suite"]);
        words.args(["ed25519", "p256", "--case", "2/3", "--repeat", "3", "--out"]).arg(&out);
        words.args(more);
        words
    };
    let said = json(&mut frost(&[]));
    let rows = said["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["suite"], &rows[1]["suite"]), (&"ed25519".into(), &"p256".into()));
    assert!(out.join("frost.csv").exists() && out.join("frost.svg").exists());
    let said = refused(&mut frost(&[]), 2);
    assert!(said.contains("--resume continues"), "{said}");
    let again = json(&mut frost(&["--force"]));
    assert_eq!(again["rows"][0]["round1_ms"], rows[0]["round1_ms"]);

    let stakes = at.dir.path().join("few.json");
    fs::write(&stakes, "[3, 1, 2]").unwrap();
    let results = at.dir.path().join("results");
    let dkg = |stakes: &Path| {
        let mut words = farm(&["simulate", "dkg", "--store", &at.place(), "--chunk-bits", "8"]);
        words.arg("--stakes").arg(stakes).arg("--out").arg(&results);
        words
    };
    dkg(&stakes).assert().success();
    let result = fs::read(results.join("few.json")).unwrap();
    let result: Value = serde_json::from_slice(&result).unwrap();
    assert_eq!(
        (&result["measured"]["players"], &result["measured"]["verified"]),
        (&3.into(), &true.into())
    );
    assert!(refused(&mut dkg(&stakes), 2).contains("exists"));
    fs::write(&stakes, "[0]").unwrap();
    fs::remove_dir_all(&results).unwrap();
    let said = refused(&mut dkg(&stakes), 1);
    assert!(said.contains("bad input"), "{said}");
}

/// A folder that nobody made a farm is perhaps a disk that is not mounted.
#[tokio::test]
async fn an_empty_folder_is_no_farm() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("store");
    let place = place.to_str().unwrap();
    for _ in 0..2 {
        let said = refused(&mut farm(&["status", "--store", place]), 2);
        assert!(said.contains(place) && said.contains("muster-farm init"), "{said}");
        fs::create_dir_all(place).unwrap();
    }
    farm(&["init", "--store", place]).assert().success();
    farm(&["init", "--store", place]).assert().success();
    farm(&["status", "--store", place]).assert().success();
    let key = dir.path().join("key");
    fs::write(&key, "5a".repeat(32)).unwrap();
    let mut sealed = farm(&["init", "--store", place, "--codec-key"]);
    let said = refused(sealed.arg(&key), 2);
    assert!(said.contains("--force"), "{said}");
    sealed.arg("--force").assert().success();
    // A key may come from a program that asks a key service, through a pipe.
    let plan = |key: &str| {
        let script = format!(
            r#""$0" sweep --store "$1" --codec-key {key} --scheme schnorr-babyjubjub \
            --degree 6 --case 1/2 --out "$2""#
        );
        let mut words = Command::new("bash");
        words.args(["-c", &script, env!("CARGO_BIN_EXE_muster-farm"), place]);
        words.arg(dir.path().join("out")).env_remove("TEMPORAL_ADDRESS");
        words
    };
    let said = refused(&mut plan("<(printf 5b%.0s {1..32})"), 2);
    assert!(said.contains("not the key of this farm"), "{said}");
    plan("<(printf 5a%.0s {1..32})").assert().success();
}

#[tokio::test]
async fn what_is_no_farm_is_named() {
    let at = Farm::new().await;
    let (_, out) = (at.folder(1), at.dir.path().join("proofs"));
    let said = refused(submit(&at, &out).args(["--address", "no address"]), 2);
    assert!(said.contains("--address"), "{said}");
    let said = refused(submit(&at, &out).args(["--tree", "1"]), 2);
    assert!(said.contains("from 2 to 1024"), "{said}");
    let key = at.dir.path().join("store/keys");
    let pinned = fs::read_dir(key).unwrap().next().unwrap().unwrap().path();
    fs::write(&pinned, "{}").unwrap();
    let said = refused(&mut submit(&at, &out), 1);
    assert!(said.contains("bad input: store: keys/"), "{said}");
}

/// What cannot be said was not said; that nobody listens any more is no error.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_an_error() {
    let size = ["size", "--seconds", "0.06", "--rate", "10", "--workers", "4"];
    for words in [&size[..], &[&size[..], &["--json"]].concat(), &["--help"], &["--version"]] {
        let run = |out: std::process::Stdio| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_muster-farm"));
            command.args(words).stdout(out).output().unwrap()
        };
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let failed = run(full.into());
        let said = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert_eq!(failed.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("standard output") && !said.contains("panicked"), "{said}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert!(run(writer.into()).status.success(), "{words:?}");
    }
}

/// A folder's name reaches no terminal as it is, and its proof is not put over what it is made from.
#[tokio::test]
async fn names_are_shown_and_inputs_stay() {
    let at = Farm::new().await;
    let folder = at.folder(1);
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let out = at.batch();
    // The place of the proof is a link to the request's own signatures.
    let signatures = folder.join("signatures.json");
    let before = fs::read(&signatures).unwrap();
    std::os::unix::fs::symlink(&signatures, out.join(format!("{name}.json"))).unwrap();
    let said = refused(submit(&at, &out).arg("--force"), 2);
    assert!(said.contains("not a regular file"), "{said}");
    assert_eq!(fs::read(&signatures).unwrap(), before);
    let missing = at.dir.path().join("\u{1b}[31m");
    let place = at.place();
    let mut pin = farm(&["pin", "--store", &place, "--keys", missing.to_str().unwrap()]);
    let said = refused(&mut pin, 2);
    assert!(said.contains("\\u{1b}[31m") && !said.contains('\u{1b}'), "{said}");
}
