//! What is said where a circuit refuses what the native check has accepted. No such circuit is known,
//! so these are given the public inputs of another statement.

use halo2_base::{
    gates::{
        circuit::{builder::BaseCircuitBuilder, CircuitBuilderStage},
        RangeInstructions,
    },
    halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr},
};
use muster_circuits::{CircuitShape, KeyKind, PointHash, Request, Scheme, Shape, Statement};

use crate::{
    proof::check,
    sample::{Plan, Sample, Source},
    Error, BAD_INPUT,
};

/// What is said of the public inputs of a statement that is true until `edit`.
fn verdict(scheme: Scheme, edit: impl FnOnce(&mut Statement)) -> Result<(), Error> {
    let shape = Shape::fit(&Request::new(scheme, 4, 2)).unwrap();
    let tree = (shape.arity, shape.depth);
    let keys = KeyKind::Coordinates;
    let plan = Plan {
        scheme,
        keys,
        form: None,
        hash: PointHash::default(),
        signers: 4,
        signing: 2,
        message: None,
        tree,
    };
    let Sample { committee, signatures, message, .. } =
        Sample::new(&plan, Source::from_text("constraints")).unwrap();
    let key_set_root = shape.tree(&committee).unwrap().root();
    let mut statement = Statement { key_set_root, threshold: 2, message, signers: None };
    let witness = shape.terms().unwrap().verify(&statement, &committee, &signatures).unwrap();
    let circuit = shape.circuit(&witness, false).unwrap();
    edit(&mut statement);
    check(&circuit.mock(statement.public_inputs()).unwrap())
}

fn named(scheme: Scheme, edit: impl FnOnce(&mut Statement)) -> Vec<String> {
    let error = verdict(scheme, edit).unwrap_err();
    assert_eq!(error.exit_code(), BAD_INPUT, "nobody who signed is to blame");
    let text = error.to_string();
    assert!(text.starts_with("a bug in Muster: ") && text.contains("please report it"), "{text}");
    // One line, and no cell.
    assert!(!text.contains(['\n', '@']) && !text.contains("0x"), "{text}");
    let Error::Unsatisfied(names) = error else { panic!("{error:?}") };
    assert!(!names.is_empty() && names.iter().all(|name| text.contains(name)), "{text}");
    names
}

#[test]
fn constraints_are_named_and_no_cells_shown() {
    for scheme in [Scheme::Schnorr, Scheme::Musig] {
        verdict(scheme, |_| ()).unwrap();
        let edits: [fn(&mut Statement); 3] = [
            |statement| statement.threshold = 3,
            |statement| statement.key_set_root += Fr::one(),
            |statement| statement.message = Fr::one().into(),
        ];
        for edit in edits {
            let names = named(scheme, edit);
            assert!(names.iter().all(|name| name.contains("public inputs")), "{names:?}");
        }
    }
}

/// What no public input can break.
#[test]
fn copies_and_lookups_are_named() {
    const DEGREE: usize = 9;
    let stage = CircuitBuilderStage::Mock;
    let builder = BaseCircuitBuilder::<Fr>::from_stage(stage).use_k(DEGREE);
    let mut builder = builder.use_lookup_bits(DEGREE - 1).use_instance_columns(1);
    let range = builder.range_chip();
    let ctx = builder.main(0);
    let cells = ctx.assign_witnesses([Fr::one(), Fr::from(1 << DEGREE)]);
    ctx.constrain_equal(&cells[0], &cells[1]);
    range.range_check(ctx, cells[1], DEGREE - 1);
    builder.calculate_params(Some(DEGREE));
    let prover = MockProver::run(DEGREE as u32, &builder, vec![vec![]]).unwrap();
    let Err(Error::Unsatisfied(names)) = check(&prover) else { panic!("neither holds") };
    for broken in ["a copy of a cell", "the lookup"] {
        assert!(names.iter().any(|name| name.starts_with(broken)), "{names:?}");
    }
}

/// Relations show their cells by a code of halo2 that panics for the first of them.
#[test]
fn nothing_panics_over_a_relation() {
    for scheme in [Scheme::EcdsaP256, Scheme::SchnorrSecp256k1] {
        verdict(scheme, |_| ()).unwrap();
        named(scheme, |statement| statement.message = [7; 32].into());
        named(scheme, |statement| statement.threshold = 3);
    }
}
