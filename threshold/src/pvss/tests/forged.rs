//! Range proofs by a dealer that knows every secret and does what it can for a statement that does not hold.

use ff::Field as _;
use muster_testing::sampled;

use super::{
    cheating::{by_variant, encrypted, reason},
    forger::Forger,
    support::{rng, Stage},
};
use crate::{
    pairing_curve::Fr,
    pvss::{
        equations::{hold, Factors},
        verify,
        verify::prepare,
        witness::Witness,
        Dealt, Equation, Session, Variant,
    },
};

/// Every variant, with chunks of one length or the other.
fn stages() -> impl Iterator<Item = Stage> {
    let of = |variant| sampled([8, 16], 2).into_iter().map(move |bits| Stage::of(variant, bits));
    Variant::ALL.into_iter().flat_map(of)
}

/// Whether a dealing would be taken without one of the merged equations.
fn only_refused_by(session: &Session, dealt: &Dealt, equation: Equation) -> bool {
    let prepared = prepare(session, dealt).unwrap();
    let holds = |factors: Factors| hold(session, &[(&prepared, factors)]);
    !holds(prepared.factors.clone()) && holds(prepared.factors.without(equation))
}

#[test]
fn a_forger_that_forges_nothing_is_accepted() {
    for stage in stages() {
        let witness = Witness::draw(&stage.session, &Fr::from(99), &mut rng(11));
        let mut forger = Forger::honest(&stage, witness);
        assert!(verify(&stage.session, &forger.deal()).is_ok());
        // What is fitted is what it is.
        forger.fitted = true;
        assert!(verify(&stage.session, &forger.deal()).is_ok());
    }
}

/// f(1) is not zero, the dealer knows it, and answers for the mask by which Ĉ and C do differ: what ties f to
/// the ciphertexts is all that sees it.
#[test]
fn a_value_at_one_with_answers_for_the_other_mask() {
    for stage in stages() {
        let witness = Witness::draw(&stage.session, &Fr::from(99), &mut rng(11));
        let mut forger = Forger::honest(&stage, witness);
        forger.committed[0] = Fr::from(5);
        let dealt = forger.deal();
        let link = by_variant(&stage, Equation::Binding, Equation::Commitment);
        assert_eq!(reason(&stage, &dealt), link);
        assert!(only_refused_by(&stage.session, &dealt, link));
    }
}

/// A witness with a chunk of which `first` is so and `next` of the one after it in its share, and its place.
fn with_chunks(
    stage: &Stage,
    first: impl Fn(u32) -> bool,
    next: impl Fn(u32) -> bool,
) -> (Witness, usize) {
    let chunks = stage.session.shape().chunks();
    for seed in 0.. {
        let witness = Witness::draw(&stage.session, &Fr::from(99), &mut rng(seed));
        let fits = |place: &usize| {
            let last = (place + 1).is_multiple_of(chunks);
            !last && first(witness.chunks[*place]) && next(witness.chunks[place + 1])
        };
        if let Some(place) = (0..witness.chunks.len() - 1).find(fits) {
            return (witness, place);
        }
    }
    unreachable!("chunks of all values are drawn")
}

/// A dealing whose chunk at `place` is `value` and the one after it has what the share needs then: the share, its
/// commitment, the ciphertexts' sum and what ties them to C are those of an honest dealing.
fn carried<'a>(stage: &'a Stage, (mut witness, place): (Witness, usize), value: Fr) -> Forger<'a> {
    let radix = Fr::from(1u64 << stage.session.shape().chunk_bits());
    let carry = (witness.values[place] - value) * radix.invert().unwrap();
    witness.values[place] = value;
    witness.values[place + 1] += carry;
    let next = place + 1;
    let changed = witness.values[next] - Fr::from(u64::from(witness.chunks[next]));
    assert!(changed == Fr::ONE || changed == -Fr::ONE);
    let moved =
        if changed == Fr::ONE { witness.chunks[next] + 1 } else { witness.chunks[next] - 1 };
    witness.chunks[next] = moved;
    let mut forger = Forger::honest(stage, witness);
    for place in [place, next] {
        encrypted(stage, &mut forger.statement, &forger.witness, place);
    }
    forger
}

/// What a dealer may write for the bits of a chunk that has none: bits of another chunk, or digits that are no bits
/// but add up to it.
fn refuses(stage: &Stage, mut forger: Forger<'_>, place: usize, value: Fr) {
    let bits = forger.digits.len();
    let mut small = vec![Fr::ZERO; bits];
    small[0] = value;
    let mut high = vec![Fr::ZERO; bits];
    high[bits - 1] = value * Fr::from(1u64 << (bits - 1)).invert().unwrap();
    for digits in sampled([vec![Fr::ONE; bits], vec![Fr::ZERO; bits], small, high], 2) {
        for (own, digit) in forger.digits.iter_mut().zip(digits) {
            own[place] = digit;
        }
        forger.fitted = false;
        assert_eq!(reason(stage, &forger.deal()), Equation::Range);
        forger.fitted = true;
        let dealt = forger.deal();
        assert_eq!(reason(stage, &dealt), Equation::Opening);
        assert!(only_refused_by(&stage.session, &dealt, Equation::Opening));
    }
}

#[test]
fn a_chunk_of_minus_one_that_is_committed_to() {
    for stage in stages() {
        let largest = (1u32 << stage.session.shape().chunk_bits()) - 1;
        // (B − 1, c) and (−1, c + 1) are the same share.
        let found = with_chunks(&stage, |own| own == largest, |next| next < largest);
        let place = found.1;
        refuses(&stage, carried(&stage, found, -Fr::ONE), place, -Fr::ONE);
    }
}

#[test]
fn a_chunk_of_the_radix_that_is_committed_to() {
    for stage in stages() {
        let radix = Fr::from(1u64 << stage.session.shape().chunk_bits());
        // (0, c) and (B, c − 1) are.
        let found = with_chunks(&stage, |own| own == 0, |next| next > 0);
        let place = found.1;
        refuses(&stage, carried(&stage, found, radix), place, radix);
    }
}
