//! Fiat and Shamir: each challenge follows from all that was said before it, and from nothing else.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::{
    circuit::circuit,
    mirror::{items, opened, quotient, squeezed, value, Insight, AFTER},
    sample::{rng, Keys},
};
use crate::{
    logup::{
        blinded::{to_bytes, value_of, Blinded},
        trace::Trace,
    },
    polynomial::{powers, Numbers},
    profile::Stopwatch,
};

/// A circuit that has lookups with helpers, differences, inputs and more rotations than 0.
pub(super) fn rich() -> (super::sample::Sample, Keys) {
    let sample = (0..).map(circuit).find(|sample| {
        let arrangement = sample.protocol.arrangement();
        let helpers = arrangement.helpers().len();
        let opened = arrangement.polynomials();
        let turned = opened.iter().filter(|opened| opened.rotations.len() > 1).count();
        let has_all = helpers > 0 && arrangement.chunks() > 1 && sample.protocol.tables().len() > 1;
        has_all && sample.inputs.len() > 1 && turned > 3 && super::judge::judge(sample).is_ok()
    });
    let sample = sample.unwrap();
    let keys = Keys::of(&sample);
    (sample, keys)
}

/// The list of the tests is that of prover and verifier: from its challenges follows all that they say.
#[test]
fn the_mirror_shows_the_prover() {
    let (sample, keys) = rich();
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    assert_eq!(keys.verify(&sample, &insight.proof), Ok(()));
    let challenges = insight.challenges;
    let protocol = keys.key.protocol();

    let made = protocol.advice() + 1 + protocol.tables().len();
    let (mut rng, mut watch) = (rng(0), Stopwatch::start());
    let mut trace =
        Trace { system: &keys.prover.system, key: &keys.columns, rng: &mut rng, watch: &mut watch };
    let arguments = trace.arguments(&insight.columns[..made], &challenges.rows[..4]).unwrap();
    let numbers = |columns: &[Blinded]| -> Vec<Numbers> {
        columns.iter().map(|column| column.numbers.clone()).collect()
    };
    assert_eq!(numbers(&arguments), numbers(&insight.columns[made..]), "θ, β_L, β, γ");

    let columns = insight.coefficients(&keys);
    let pieces = quotient(&keys, &columns, &challenges.rows);
    let xn = challenges.x.pow([protocol.rows() as u64]);
    let at_x = |pieces: &[Numbers]| -> Fr {
        let parts = pieces.iter().zip(powers(xn));
        parts.map(|(piece, power)| power * value_of(piece, challenges.x)).sum()
    };
    assert_ne!(pieces, insight.pieces);
    assert_eq!(at_x(&pieces), at_x(&insight.pieces), "y");

    let polynomials = Insight::polynomials(&keys, &columns);
    let values = opened(&keys).flat_map(|opened| {
        let of = polynomials[keys.prover.system.columns.place(opened.polynomial)];
        let points = opened.rotations.iter();
        let points = points.map(|rotation| keys.prover.system.point(challenges.x, *rotation));
        points.map(|point| value(&keys, of, point)).collect::<Numbers>()
    });
    let values: Vec<u8> = values.flat_map(|value| to_bytes(&value)).collect();
    assert_eq!(values, items(&keys, &sample.inputs, &insight.proof)[5], "x");

    let again = insight.reopened(&keys, &sample.inputs, |_| ());
    assert_eq!(again, insight.proof, "α, u");
}

#[test]
fn each_item_changes_every_later_challenge_and_no_earlier_one() {
    let (sample, keys) = rich();
    let items = items(&keys, &sample.inputs, &keys.prove(&sample, 1));
    let before = squeezed(&items);
    for item in 0..items.len() {
        for byte in [0, items[item].len() / 2, items[item].len() - 1] {
            let mut changed = items.clone();
            changed[item][byte] ^= 1;
            let challenges = squeezed(&changed);
            for (place, after) in AFTER.into_iter().enumerate() {
                let differs = challenges[place] != before[place];
                assert_eq!(differs, item < after, "item {item}, challenge {place}");
            }
        }
    }
}

/// Squeezing changes the state, or challenges of one round would be equal.
#[test]
fn challenges_of_a_proof_are_pairwise_different() {
    let (sample, keys) = rich();
    let challenges = squeezed(&items(&keys, &sample.inputs, &keys.prove(&sample, 2)));
    for (place, one) in challenges.iter().enumerate() {
        assert!(!challenges[..place].contains(one) && !bool::from(one.is_zero()), "{place}");
    }
}
