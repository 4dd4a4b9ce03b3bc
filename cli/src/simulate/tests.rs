//! Ceremonies, what is refused, and results that are not theirs.

use std::path::Path;

use serde_json::{json, Value};

use super::{Simulated, Simulation};

fn simulation(json: Value) -> Simulation {
    serde_json::from_value(json).expect("a simulation")
}

fn frost() -> Value {
    json!({ "protocol": "frost", "suite": "ed25519", "threshold": 2, "signers": 3, "repeat": 3 })
}

fn dkg() -> Value {
    json!({
        "protocol": "dkg", "stakes": [3, 1, 2], "secrecy": "1/2", "reconstruction": "2/3",
        "variant": "compact", "chunk_bits": 8,
    })
}

#[test]
fn ceremonies_are_held_and_their_results_taken() {
    for (asked, other) in [(frost(), dkg()), (dkg(), frost())] {
        let (asked, other) = (simulation(asked), simulation(other));
        let written = serde_json::to_vec(&asked.run().expect("held")).expect("written");
        let parse = |asked: &Simulation| Simulated::parse(Path::new("it"), &written, asked);
        assert_eq!(parse(&asked).expect("taken").asked, asked);
        let reason = parse(&other).expect_err("another's").to_string();
        assert!(reason.contains("not the ceremony that was asked for"), "{reason}");
    }
}

#[test]
fn what_was_measured_is_of_what_was_asked_for() {
    let parse = |asked: &Value, measured: Value| {
        let asked = simulation(asked.clone());
        let mut simulated = serde_json::to_value(asked.run().expect("held")).expect("written");
        simulated["measured"] = measured;
        let bytes = simulated.to_string().into_bytes();
        Simulated::parse(Path::new("it"), &bytes, &asked).expect_err("refused").to_string()
    };
    let other = simulation(json!({ "protocol": "frost", "suite": "p256", "threshold": 2,
        "signers": 3, "repeat": 3 }));
    let other = other.run().expect("held").measured;
    assert!(parse(&frost(), other).contains("a row of another ceremony"));
    assert!(parse(&frost(), json!({})).contains("measured: missing field"));
    assert!(parse(&dkg(), json!({ "verified": false })).contains("does not hold"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let with = |mut json: Value, field: &str, value: Value| {
        json[field] = value;
        simulation(json)
    };
    let cases = [
        (with(frost(), "threshold", json!(4)), "threshold: 4 of 3"),
        (with(frost(), "threshold", json!(1)), "threshold: 1 of 3"),
        (with(frost(), "repeat", json!(0)), "repeat: 0"),
        (with(dkg(), "chunk_bits", json!(12)), "chunk_bits: 12"),
        (with(dkg(), "secrecy", json!("half")), "secrecy: "),
        (with(dkg(), "reconstruction", json!("1/0")), "reconstruction: "),
        (with(dkg(), "variant", json!("chunky3")), "variant: "),
        (with(dkg(), "stakes", json!(vec![1; 5_000])), "stakes: 5000 players"),
    ];
    for (simulation, reason) in cases {
        let found = simulation.check().expect_err(reason);
        assert!(found.starts_with(reason), "{found}");
        assert!(simulation.run().is_err());
    }
    let nobody = with(dkg(), "stakes", json!([]));
    assert!(nobody.run().is_err(), "nobody has a stake");
}
