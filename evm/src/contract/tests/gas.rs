//! The gas report, `contracts/gas.json`. Gas is exact: it depends on the code and on how many zeros
//! a proof has among its bytes, which counts for the transaction alone.

use muster_circuits::{Columns, Goal, PublicMessage, Request, Scheme, Shape};
use serde_json::{json, Value};

use super::{
    stage::{Scene, Stage},
    *,
};
use crate::contract::fixture::pretty;

/// The budget of `submit` in execution gas, for the layouts that are meant for contracts.
fn budget(shape: &Shape) -> u64 {
    match shape.scheme {
        Scheme::SchnorrSecp256k1 | Scheme::Ed25519 => 1_150_000,
        _ if !shape.keys.is_coordinates() => 1_150_000,
        _ if shape.public_message() == PublicMessage::Digest => 540_000,
        _ => 480_000,
    }
}

/// What the circuit's layout was chosen for.
fn goals(shape: &Shape) -> Vec<&'static str> {
    let fits = |goal| {
        let Shape { scheme, keys, rule, message, capacity, slots, mode, arity, mask, .. } =
            shape.clone();
        let message = Some(message);
        let mode = (shape.public_message() == PublicMessage::Element).then_some(mode);
        let request = Request::new(scheme, capacity, slots);
        Shape::fit(&Request { keys, rule, message, mode, arity, mask, goal, ..request }).unwrap()
            == *shape
    };
    let named = [(Goal::Speed, "fastest"), (Goal::Gas, "on-chain")];
    named.into_iter().filter(|(goal, _)| fits(*goal)).map(|(_, name)| name).collect()
}

/// The most that a call with a bad proof takes: one whose last check fails, and one for each point
/// that is none.
fn worst_rejection(
    generated: &Generated,
    stage: &mut Stage,
    message: &crate::bridge::Message,
) -> u64 {
    let points = (0..generated.proof.len()).step_by(POINT);
    let gas = |place: usize| {
        let mut proof = generated.proof.clone();
        proof[place + WORD - 1] ^= 1;
        let calldata = Calldata::of(&generated.inputs, &proof).submit(message);
        let outcome = stage.evm.call(stage.client, &calldata).unwrap();
        assert!(!outcome.success);
        outcome.execution_gas
    };
    points.map(gas).max().unwrap()
}

/// What the light client spends on a message, if the committee signed for it.
struct Submitted {
    execution: u64,
    transaction: u64,
    rejected_at_most: u64,
}

fn submitted(generated: &Generated, stage: &mut Stage, scene: &Scene) -> Option<Submitted> {
    let (shape, message) = (generated.key.shape(), scene.message());
    if !is_for_clients(shape) {
        return None;
    }
    let calldata = Calldata::of(&generated.inputs, &generated.proof).submit(&message);
    let submit = stage.evm.call(stage.client, &calldata).unwrap();
    assert!(submit.success);
    let rejected_at_most = worst_rejection(generated, stage, &message);
    assert!(rejected_at_most <= submit.execution_gas * 6 / 5);
    let (execution, transaction) = (submit.execution_gas, submit.transaction_gas);
    Some(Submitted { execution, transaction, rejected_at_most })
}

fn row(generated: &Generated, scene: &Scene) -> Value {
    let shape = generated.key.shape();
    let mut stage = Stage::new(generated, scene);
    let calldata = generated.bring(&generated.inputs, &generated.proof);
    let (mut evm, verifier) = generated.deployed();
    let verify = evm.call(verifier, &calldata.verifier()).unwrap();
    let wrapped = stage.evm.call(stage.wrapper, &calldata.verify()).unwrap();
    assert!(verify.accepted() && wrapped.accepted());
    let submit = submitted(generated, &mut stage, scene);
    let goals = goals(shape);
    if goals.contains(&"on-chain") {
        let gas = submit.as_ref().map_or(wrapped.execution_gas, |submit| submit.execution);
        assert!(gas <= budget(shape), "{}: {gas}", generated.dir.display());
    }
    let mut row = json!({
        "scheme": shape.scheme,
        "keys": shape.keys,
        "signing": shape.slots,
        "signers": shape.capacity,
        "layout": goals,
        "degree": shape.degree(),
        "advice": Columns::of(&shape.layout).advice,
        "commitments": Columns::of(&shape.layout).commitments(),
        "proof_bytes": generated.proof.len(),
        "runtime_bytes": generated.code("runtime.bin").len(),
        "verifier": verify.execution_gas,
        "wrapper": wrapped.execution_gas,
    });
    if shape.mask {
        row["mask_words"] = shape.mask_inputs().len().into();
    }
    if let Some((_, parts)) =
        generated.manifest()["deployment"].as_array().and_then(|steps| steps.split_last())
    {
        row["parts_bytes"] = parts.iter().map(|part| part["runtime_bytes"].clone()).collect();
    }
    if let Some(Submitted { execution, transaction, rejected_at_most }) = submit {
        row["submit"] = execution.into();
        row["submit_transaction"] = transaction.into();
        row["submit_rejected_at_most"] = rejected_at_most.into();
    }
    row
}

/// Figures of others, for the verification of one proof.
fn published() -> Value {
    json!([
        { "what": "Halo2 verifiers in production", "from": 333_000, "to": 364_000 },
        { "what": "Espresso, state prover (PLONK)", "from": 385_000, "to": 385_000 },
        { "what": "Spectre, step, after a second proof that aggregates", "from": 324_000, "to": 345_000 },
        { "what": "Groth16: 207,000 and 7,200 a public input, of which there are 3", "from": 228_600, "to": 228_600 },
    ])
}

#[test]
fn the_gas_report() {
    let scene = Scene::read();
    let rows: Vec<_> = all().iter().map(|generated| row(generated, &scene)).collect();
    let found = pretty(&json!({
        "unit": "gas of the execution under the rules of the Osaka fork; submit_transaction has the 21,000 and the calldata",
        "rows": rows,
        "published": published(),
    }));
    let path = root().join("../gas.json");
    if updates_golden() {
        fs::write(&path, &found).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == found,
        "the gas differs from contracts/gas.json; if that is meant, run\n  \
         MUSTER_UPDATE_GOLDEN=1 cargo test -p muster-evm the_gas_report\nfound:\n{found}"
    );
}
