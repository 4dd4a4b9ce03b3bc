//! Tests of the script, which `bash` runs with something else in muster's place, and of gathering, with rows that nobody ran.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use muster_circuits::{Request, Scheme};
use muster_prover::ProofKind;
use serde_json::{json, Value};

use super::{
    run,
    script::{Array, Common, SCRIPT},
};
use crate::{
    proofs::{
        elsewhere::{Asked, FarRow},
        tests::{ask, machine},
        Ask, Case, Degree, Sweep,
    },
    Allowance, Existing,
};

fn left(name: &str, bytes: u64, seconds: f64) -> FarRow {
    let asked = Asked {
        shape: json!({ "a": "it's \"a\" $shape", "b": [1, 2] }),
        case: "8/16".into(),
        repeat: 3,
        kind: "fast".into(),
        memory: "fast".into(),
    };
    FarRow { name: name.into(), words: name.into(), asked, srs_degree: 11, bytes, seconds }
}

fn common(dir: &Path) -> Common {
    Common {
        muster: dir.join("my muster's"),
        dir: dir.join("my cluster"),
        cache: dir.join("my srs"),
        srs: Some(dir.join("a ceremony")),
        srs_g2: None,
    }
}

#[test]
fn the_script_asks_for_what_the_largest_needs() {
    let rows = vec![left("large", 100 << 20, 60.0), left("small", 10 << 20, 1.0)];
    let array = Array::new(rows, 4);
    let script = array.script(&common(Path::new("/x")));
    for line in [
        "#!/bin/bash",
        "#SBATCH --array=0-1",
        "#SBATCH --cpus-per-task=4",
        // 115 MiB and 10 minutes, and twenty times a minute.
        "#SBATCH --mem=115M",
        "#SBATCH --time=0:30:00",
        "#SBATCH --requeue",
        "dir='/x/my cluster'",
        r"muster='/x/my muster'\''s'",
    ] {
        assert!(script.lines().any(|found| found == line), "{line}: {script}");
    }
    assert!(!script.contains("exclusive"));
    // The smallest row first.
    assert!(script.find("0) row small --case 8/16") < script.find("1) row large --case 8/16"));
    assert_eq!(array.commands("/x/sweep.sbatch"), ["sbatch /x/sweep.sbatch"]);
    assert_eq!(array.commands("/my x/y")[0], "sbatch '/my x/y'");
    // One thread takes twice as long as two.
    let slow = Array::new(vec![left("large", 1, 3600.0)], 1).script(&common(Path::new("/x")));
    assert!(slow.contains("--time=40:10:00\n") && slow.contains("--mem=1M\n"), "{slow}");
}

/// Small rows need not wait for a machine that the large ones need.
#[test]
fn unlike_needs_are_submitted_apart() {
    let rows = [(30_u64, 60.0), (1, 1.0), (2, 2.0), (5, 6.0)];
    let rows = rows.map(|(gib, seconds)| left(&format!("row-{gib}"), gib << 30, seconds));
    let array = Array::new(rows.to_vec(), 2);
    let commands = array.commands("/x/sweep.sbatch");
    let expected = [
        "sbatch --array=0-1 --mem=2356M --time=0:11:00 /x/sweep.sbatch",
        "sbatch --array=2-2 --mem=5888M --time=0:12:00 /x/sweep.sbatch",
        "sbatch --array=3-3 --mem=35328M --time=0:30:00 /x/sweep.sbatch",
    ];
    assert_eq!(commands, expected);
    assert!(array.script(&common(Path::new("/x"))).contains("--mem=35328M\n"));
}

/// Whatever paths and shapes hold, words arrive whole.
#[test]
fn tasks_run_by_bash() {
    let dir = tempfile::tempdir().expect("a directory");
    let common = common(dir.path());
    fs::create_dir_all(common.dir.join("logs")).expect("made");
    let says = "#!/bin/bash\nprintf '%s\\n' \"$MUSTER_PARAMS\" \"$@\"\n";
    fs::write(&common.muster, says).expect("written");
    fs::set_permissions(&common.muster, fs::Permissions::from_mode(0o755)).expect("executable");
    let rows = vec![left("one", 1, 1.0), left("two", 2, 1.0)];
    let shape = rows[0].asked.shape.to_string();
    let script = dir.path().join(SCRIPT);
    fs::write(&script, Array::new(rows, 4).script(&common)).expect("written");
    let bash = |task: Option<&str>| {
        let mut bash = Command::new("bash");
        bash.arg(&script).current_dir("/");
        match task {
            Some(task) => bash.env("SLURM_ARRAY_TASK_ID", task),
            None => bash.env_remove("SLURM_ARRAY_TASK_ID"),
        };
        bash.output().expect("bash is here").status.success()
    };
    assert!(bash(Some("1")) && !bash(Some("2")) && !bash(None));
    let said = fs::read_to_string(common.dir.join("logs/two.log")).expect("read");
    let path = |path: PathBuf| path.display().to_string();
    let expected = [
        path(common.cache),
        "--threads".into(),
        "4".into(),
        "sweep-row".into(),
        "--case".into(),
        "8/16".into(),
        "--repeat".into(),
        "3".into(),
        "--kind".into(),
        "fast".into(),
        "--memory".into(),
        "fast".into(),
        "--shape".into(),
        shape,
        "--srs".into(),
        path(dir.path().join("a ceremony")),
        "--record".into(),
        path(common.dir.join("rows/two.json")),
    ];
    assert!(said.lines().eq(expected.iter().map(String::as_str)), "{said}");
    assert!(!common.dir.join("logs/one.log").exists());
}

/// A sweep of two rows that run, at each of these degrees.
fn sweep(dir: &Path, degrees: &[u32]) -> Sweep {
    let request = |case: Case, degree| Request {
        absent: Some(case.signers - case.signing),
        degree: Some(degree),
        ..Request::new(Scheme::Schnorr, case.signers, case.signing)
    };
    let cases = [Case { signing: 1, signers: 2 }, Case { signing: 2, signers: 3 }];
    let row = |case: Case, degree| {
        let ask = Ask { case, ..ask("schnorr-babyjubjub", Degree::Fixed(degree), 1, 2) };
        (ask, request(case, degree))
    };
    let rows = cases.iter().flat_map(|case| degrees.iter().map(|degree| row(*case, *degree)));
    Sweep {
        rows: rows.collect(),
        repeat: 3,
        kind: ProofKind::default(),
        memory: Allowance::default(),
        budget: None,
        jobs: 1,
        out: dir.join("out"),
        existing: Existing::Resume,
        srs: None,
        srs_g2: None,
    }
}

fn gather(dir: &Path, degrees: &[u32]) -> Result<(), String> {
    let result = run(&sweep(dir, degrees), &dir.join("slurm"), false);
    result.map_err(|error| error.to_string())
}

const NAMES: [&str; 2] = ["schnorr-babyjubjub-1-2-at-2-12", "schnorr-babyjubjub-2-3-at-2-12"];

/// A row's file, with what its task in the script asks for.
fn record(dir: &Path, name: &str) -> Value {
    let script = fs::read_to_string(dir.join("slurm").join(SCRIPT)).expect("a script");
    let task = script.lines().find(|line| line.contains(name)).expect("a task");
    let words: Vec<&str> = task.split(' ').collect();
    let after = |option: &str| {
        let place = words.iter().position(|word| *word == option).expect("an option");
        words[place + 1]
    };
    let shape = task.split_once("--shape '").and_then(|(_, rest)| rest.rsplit_once("' ;;"));
    let shape: Value = serde_json::from_str(shape.expect("a shape").0).expect("JSON");
    let asked = json!({
        "shape": shape, "case": after("--case"), "repeat": 3, "kind": "fast", "memory": after("--memory"),
    });
    let measured = json!({
        "keygen_s": 1.0, "prove_s": 2.0, "verify_s": 0.1, "proof_bytes": 3616, "peak_bytes": 1 << 20,
        "proving_key_bytes": 100, "srs": "insecure", "phases": { "witness_s": 0.5 },
    });
    json!({ "asked": asked, "machine": machine(), "measured": measured })
}

fn leave(dir: &Path, name: &str, record: &Value) {
    let path = dir.join("slurm/rows").join(format!("{name}.json"));
    fs::write(path, record.to_string()).expect("written");
}

fn results(dir: &Path) -> Value {
    let json = fs::read(dir.join("out/results.json")).expect("results");
    serde_json::from_slice(&json).expect("JSON")
}

/// Row by row, in whichever order they are ready; the machine that gathers is none of theirs.
#[test]
fn rows_are_gathered() {
    let dir = tempfile::tempdir().expect("a directory");
    let (dir, script) = (dir.path(), dir.path().join("slurm").join(SCRIPT));
    let tasks = || {
        let script = fs::read_to_string(&script).expect("a script");
        NAMES.map(|name| script.contains(name))
    };
    gather(dir, &[12]).expect("written");
    assert_eq!(tasks(), [true; 2]);
    assert!(!dir.join("out/results.json").exists());
    let [mut first, mut second] = NAMES.map(|name| record(dir, name));
    second["machine"]["kernel"] = "of the second node".into();
    leave(dir, NAMES[1], &second);
    // A file that is being written.
    fs::write(dir.join("slurm/rows/.tmpX.json"), "{").expect("written");
    gather(dir, &[12]).expect("gathered");
    assert_eq!(tasks(), [true, false]);
    let found = results(dir);
    assert_eq!(found["machine"], second["machine"]);
    assert_eq!(found["rows"].as_array().map(Vec::len), Some(1));

    // A row that failed is run again.
    let measured = first["measured"].take();
    first.as_object_mut().expect("a record").remove("measured");
    first["failed"] = "no memory".into();
    leave(dir, NAMES[0], &first);
    let refused = gather(dir, &[12]).expect_err("a row failed");
    assert!(refused.contains("no memory"), "{refused}");
    assert_eq!(tasks(), [true, false]);

    first.as_object_mut().expect("a record").remove("failed");
    first["measured"] = measured;
    leave(dir, NAMES[0], &first);
    gather(dir, &[12]).expect("gathered");
    assert!(!script.exists());
    let found = results(dir);
    let rows = found["rows"].as_array().expect("rows");
    let signing: Vec<_> = rows.iter().map(|row| row["signing"].clone()).collect();
    // In the order in which they were asked for.
    assert_eq!(signing, [1, 2]);
    assert_ne!(rows[0]["machine"], rows[1]["machine"]);
    assert_eq!(rows[0]["prove_s"], 2.0);
    let csv = fs::read_to_string(dir.join("out/results.csv")).expect("read");
    assert!(csv.contains("of the second node"));
    gather(dir, &[12]).expect("gathered again");
    assert_eq!(results(dir), found);
    // More rows come to those that are there, and one without a circuit needs no task.
    gather(dir, &[12, 7]).expect("gathered");
    assert!(!script.exists());
    assert_eq!(results(dir)["rows"].as_array().map(Vec::len), Some(4));
}

/// The file and the field are named.
#[test]
fn files_of_no_row_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let dir = dir.path();
    gather(dir, &[12]).expect("written");
    let good = record(dir, NAMES[0]);
    let set = |at: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(at).expect("a field") = value;
        bad
    };
    let other = record(dir, NAMES[1]);
    let mut both = good.clone();
    both["failed"] = "no".into();
    let mut more = good.clone();
    more["more"] = 1.into();
    let cases = [
        (json!({}), "missing field `asked`"),
        (set("/asked/repeat", json!(4)), "asked.repeat: 4, but the sweep asks for 3"),
        (set("/asked/case", json!("1/3")), "asked.case: 1/3"),
        (set("/asked/kind", json!("compact")), "asked.kind: compact"),
        (set("/asked/shape", other["asked"]["shape"].clone()), "asked.shape"),
        (set("/measured/prove_s", json!("x")), "measured.prove_s: invalid type"),
        (set("/measured/verify_s", json!(0)), "measured.verify_s: 0 is not a valid time"),
        (set("/machine/cores", json!(-1)), "machine.cores"),
        (set("/measured", Value::Null), "measured: missing"),
        (both, "failed: "),
        (more, "unknown field `more`"),
    ];
    for (bad, part) in cases {
        leave(dir, NAMES[0], &bad);
        let refused = gather(dir, &[12]).expect_err(part);
        assert!(refused.contains(NAMES[0]) && refused.contains(part), "{part}: {refused}");
    }
    leave(dir, NAMES[0], &good);
    gather(dir, &[12]).expect("gathered");
    leave(dir, "other", &good);
    let refused = gather(dir, &[12]).expect_err("a row of no sweep");
    assert!(
        refused.contains("other.json") && refused.contains("no row of this sweep"),
        "{refused}"
    );
}
