//! What computes: its name, its threads, and where the time goes.

use serde_json::Value;

use crate::support::{fixture, names, run_in_with, Run};

/// What the second process of these tests is told.
const ENGINE: &str = "MUSTER_ENGINE";

fn prove(out: &str, options: &str) -> Run {
    prove_with(out, options, &[])
}

fn prove_with(out: &str, options: &str, environment: &[(&str, &str)]) -> Run {
    let out = fixture().scratch(out).join("proof.json");
    let line = format!(
        "prove --keys keys --committee schnorr/committee.json --signatures schnorr/signatures.json \
         --threshold 2 --out {} {options}",
        out.display()
    );
    run_in_with(&fixture().dir, &line, environment)
}

#[test]
fn versions_name_what_computes() {
    let version = |line: &str, engine| run_in_with(&fixture().dir, line, &[(ENGINE, engine)]);
    let short = version("-V", "").expect(0, &[]).stdout;
    assert_eq!(short, format!("muster {}\n", env!("CARGO_PKG_VERSION")));
    let long = version("--version", "portable").expect(0, &["halo2-axiom: 0.5"]).stdout;
    assert!(long.starts_with(&short) && long.contains("\nengine: portable"), "{long}");
    version("--version", "").expect(0, &["engine: ", "the fastest on this machine"]);
    version("--version", "gpu").expect(0, &["engine: none", "MUSTER_ENGINE is \"gpu\""]);
}

#[test]
fn engines_by_name() {
    prove_with("portable", "", &[(ENGINE, "portable")]).expect(0, &["proof in"]);
    prove_with("unknown", "", &[(ENGINE, "gpu")]).expect(2, &["MUSTER_ENGINE", "gpu", "ifma"]);
    // Before any work, in every command.
    let out = fixture().scratch("unknown-engine");
    for line in [
        "prove --keys none --committee none --signatures none --threshold 2 --out OUT/proof",
        "demo",
        "keygen --scheme schnorr-babyjubjub --signers 2 --slots 1 --insecure-srs --out OUT/keys",
        "sweep --scheme schnorr-babyjubjub --case 1/2 --out OUT/sweep",
        "calldata none --keys none",
    ] {
        let line = line.replace("OUT", &out.display().to_string());
        let run = run_in_with(&fixture().dir, &line, &[(ENGINE, "gpu")]);
        let run = run.expect(2, &["MUSTER_ENGINE is \"gpu\""]);
        assert_eq!(run.stderr.lines().count(), 1, "{line}: {}", run.stderr);
    }
    assert!(names(&out).is_empty());
}

#[test]
fn threads() {
    for number in ["1", "3"] {
        prove("threads", &format!("--threads {number}")).expect(0, &["proof in"]);
    }
    for bad in ["0", "-1", "many", "1025"] {
        fixture().run(&format!("--threads={bad} schemes")).expect(2, &["--threads", "1 to 1024"]);
    }
}

#[test]
fn profiles() {
    let phases = ["witness", "commitments", "transforms", "quotient", "openings", "verification"];
    let text = prove("profile", "--profile").expect(0, &phases).stdout;
    let line = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line("phase"), ["phase", "seconds", "share", "count"]);
    let shares = phases.map(|phase| line(phase)[2].trim_end_matches('%').parse::<f64>().unwrap());
    assert!(shares.iter().sum::<f64>() <= 101.0 && shares[1] > 1.0, "{text}");

    let json = prove("profile", "--profile --json").expect(0, &[]).json();
    let named = |value: &Value| value["phase"].as_str().unwrap().to_owned();
    let names: Vec<_> = json["profile"].as_array().unwrap().iter().map(named).collect();
    assert!(phases.iter().all(|phase| names.iter().any(|name| name == phase)), "{names:?}");
    let json = prove("profile", "--json").expect(0, &[]).json();
    assert!(json["profile"].is_null());
}

/// Whatever the build could drop, programs drop nothing.
#[test]
fn no_constraint_is_dropped() {
    let asked = [("MUSTER_DROP", "list")];
    run_in_with(&fixture().dir, "schemes", &asked).expect(2, &["drop constraints"]);
}
