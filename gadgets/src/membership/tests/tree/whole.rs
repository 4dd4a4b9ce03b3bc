//! The root of a set whose keys add up, in circuit.

use super::{super::super::AssignedWhole, *};
use muster_schemes::membership::Whole;

const WHOLE: Whole = Whole {
    tree: Fr::from_raw([11, 0, 0, 0]),
    key: Fr::from_raw([12, 0, 0, 0]),
    weight: 13,
    members: 14,
};

/// Opens a root, with cells that are what they are said to be.
fn opened(root: Fr, whole: &Whole) -> TestCircuit {
    TestCircuit::new(layout(11, &widths(5)), |ctx| {
        let root = ctx.load_witness(root);
        let whole = AssignedWhole::open(ctx, root, whole);
        let AssignedWhole { tree, key, weight, members } = whole;
        for (cell, value) in [tree, key, weight, members].iter().zip([11, 12, 13, 14]) {
            let value = ctx.load_constant(Fr::from(value));
            ctx.constrain_equal(cell, &value);
        }
    })
}

#[test]
fn a_root_is_opened_to_what_it_commits_to() {
    let root = WHOLE.root();
    opened(root, &WHOLE).assert_satisfied();
    assert!(!opened(root + Fr::ONE, &WHOLE).is_satisfied());
    let one = Fr::ONE;
    for other in [
        Whole { tree: WHOLE.tree + one, ..WHOLE },
        Whole { key: WHOLE.key + one, ..WHOLE },
        Whole { weight: WHOLE.weight + 1, ..WHOLE },
        Whole { members: WHOLE.members + 1, ..WHOLE },
    ] {
        assert_ne!(other.root(), root);
        assert!(!opened(other.root(), &other).is_satisfied(), "{other:?}");
        assert!(!opened(root, &other).is_satisfied(), "{other:?}");
    }
}

/// The root itself, for parts of which nothing else is known.
#[test]
fn another_root_is_refused() {
    let mut circuit = TestCircuit::new(layout(11, &widths(5)), |ctx| {
        let root = ctx.load_witness(WHOLE.root());
        AssignedWhole::open(ctx, root, &Whole { weight: 14, ..WHOLE });
    });
    assert_eq!(circuit.failing(vec![]), ["copy"]);
}

/// Each lane is bound: the tag and the zero to constants, the others by who reads them.
#[test]
fn every_part_of_the_root_is_bound() {
    let mut circuit = opened(WHOLE.root(), &WHOLE);
    let forger = circuit.forger();
    let place = |lane: usize| (POSEIDON + lane % 3, lane / 3);
    let value = |lane: usize| forger.value(place(lane)) + Fr::from(1 + lane as u64);
    let starts: Vec<_> = (0..6).map(|lane| (place(lane), value(lane))).collect();
    let forged = forger.rewrite(&starts);
    assert_eq!(circuit.failing(forged.clone()), ["copy"]);
    let broken = circuit.broken_copies(forged);
    for lane in 0..6 {
        assert!(broken.contains(&place(lane)), "lane {lane}");
    }
}
