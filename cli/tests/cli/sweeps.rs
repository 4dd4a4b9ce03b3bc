//! Sweeps: rows at once, and rows as tasks of an array, which `bash` runs in place of Slurm.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::support::{fixture, run_args, Run};

const ASKED: &str = "--scheme schnorr-babyjubjub --case 1/2 2/3 --degree 7 10 --threads 1";

fn sweep(dir: &Path, out: &str, more: &[&str]) -> Run {
    let args = ["sweep", "--out", out].into_iter().chain(ASKED.split_whitespace());
    run_args(dir, args.chain(more.iter().copied()), &[])
}

fn rows(dir: &Path, out: &str) -> Vec<Value> {
    let json = fs::read(dir.join(out).join("results.json")).unwrap();
    let results: Value = serde_json::from_slice(&json).unwrap();
    results["rows"].as_array().unwrap().clone()
}

/// A row without what no two runs have in common.
fn shape(mut row: Value) -> Value {
    let fields = row.as_object_mut().unwrap();
    for (name, value) in fields.iter_mut() {
        if (name.ends_with("_s") || name == "peak_bytes") && !value.is_null() {
            *value = "measured".into();
        }
    }
    row
}

fn shapes(rows: Vec<Value>) -> Vec<Value> {
    rows.into_iter().map(shape).collect()
}

/// Runs a task, as Slurm does, in a group of processes of its own.
fn task(script: &Path, number: usize) -> Child {
    let mut bash = Command::new("bash");
    bash.arg(script).env("SLURM_ARRAY_TASK_ID", number.to_string()).current_dir("/");
    bash.process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a task and what it has started.
fn kill(mut task: Child) {
    let group = format!("-{}", task.id());
    let killed = Command::new("kill").args(["-KILL", "--", &group]).status().unwrap();
    assert!(killed.success() && !task.wait().unwrap().success());
}

fn files(dir: PathBuf) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The rows of an array are those of a sweep, in a folder whose name has spaces, though a task is killed half way.
#[test]
fn an_array_of_tasks() {
    let dir = fixture().scratch("slurm");
    let (cluster, out) = ("a cluster", "the results");
    let gather = |parts: &[&str]| sweep(&dir, out, &["--slurm", cluster]).expect(0, parts);
    let script = dir.join(cluster).join("sweep.sbatch");
    gather(&["missing", "schnorr-babyjubjub 1/2 at 2^10", "2/3", "sbatch '", "does not fit"]);
    let text = fs::read_to_string(&script).unwrap();
    assert!(text.contains("#SBATCH --array=0-1\n") && text.contains("#SBATCH --cpus-per-task=1\n"));

    let killed = task(&script, 0);
    let started = Instant::now();
    while files(dir.join(cluster).join("logs")).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(10));
    }
    kill(killed);
    assert!(files(dir.join(cluster).join("rows")).is_empty());
    assert!(task(&script, 1).wait().unwrap().success());
    let run = gather(&["missing", "at 2^10", "prove"]);
    assert_eq!(run.stdout.matches("missing").count(), 1, "{run:?}");
    let text = fs::read_to_string(&script).unwrap();
    assert!(text.contains("#SBATCH --array=0-0\n"), "{text}");
    assert_eq!(rows(&dir, out).len(), 3);

    assert!(task(&script, 0).wait().unwrap().success());
    gather(&["No row is left."]);
    assert!(!script.exists());
    sweep(&dir, "ordinary", &[]).expect(0, &[]);
    let (gathered, ordinary) = (rows(&dir, out), rows(&dir, "ordinary"));
    assert_eq!(shapes(gathered), shapes(ordinary));
    for name in ["results.csv", "results.svg", "results.phases.svg", "results.html"] {
        assert!(dir.join(out).join(name).exists(), "{name}");
    }
    let json = sweep(&dir, out, &["--slurm", cluster, "--json"]).expect(0, &[]).json();
    assert!(json["rows"].is_array() && json["slurm"]["commands"] == serde_json::json!([]));
}

/// A file that is no row of the sweep is named, with the field, and what was gathered before stays.
#[test]
fn arrays_with_foreign_files() {
    let dir = fixture().scratch("slurm-foreign");
    sweep(&dir, "out", &["--slurm", "cluster"]).expect(0, &["sbatch"]);
    let row = dir.join("cluster/rows/schnorr-babyjubjub-1-2-at-2-10.json");
    fs::write(&row, "{ \"asked\": 7 }").unwrap();
    let parts = ["1-2-at-2-10.json", "asked"];
    sweep(&dir, "out", &["--slurm", "cluster"]).expect(2, &parts);
    fs::remove_file(&row).unwrap();
    fs::write(dir.join("cluster/rows/other.json"), "{}").unwrap();
    sweep(&dir, "out", &["--slurm", "cluster"]).expect(2, &["other.json", "no row of this sweep"]);
    sweep(&dir, "out", &["--slurm", "cluster", "--jobs", "2"]).expect(2, &["--jobs"]);
}

/// Rows that run at once are those of a sweep that runs them one after the other.
#[test]
fn rows_at_once() {
    let dir = fixture().scratch("sweep-jobs");
    let run = sweep(&dir, "two", &["--jobs", "2", "--json"]).expect(0, &["[4/4]"]);
    let results = run.json();
    assert_eq!(
        (&results["machine"]["jobs"], &results["machine"]["threads"]),
        (&2.into(), &1.into())
    );
    sweep(&dir, "one", &[]).expect(0, &["[4/4]"]);
    assert_eq!(shapes(rows(&dir, "two")), shapes(rows(&dir, "one")));
    // The rows of both are told apart.
    let more = ["--resume", "--case", "1/3"];
    sweep(&dir, "two", &more).expect(0, &["another machine", "machine 1: ", "2 rows at once"]);
}

/// The rows that need nothing but to be told that they do not fit are there at once; the others wait.
#[test]
fn a_budget_leaves_out_what_does_not_fit() {
    let dir = fixture().scratch("sweep-budget");
    let run = sweep(&dir, "out", &["--budget", "0s"]);
    run.expect(0, &["no room for 2 of 4 rows", "--resume", "does not fit"]);
    assert_eq!(rows(&dir, "out").len(), 2);
    let page = fs::read_to_string(dir.join("out/results.html")).unwrap();
    assert!(page.contains("muster sweep --out out") && page.contains("--budget 0s"), "{page}");
    sweep(&dir, "none", &["--budget", "soon"]).expect(2, &["--budget"]);
    sweep(&dir, "none", &["--budget", "1m", "--slurm", "tasks"]).expect(2, &["cannot be used"]);
}
