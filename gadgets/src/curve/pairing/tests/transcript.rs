//! What the challenges of a product depend on.

use std::collections::BTreeSet;

use super::{
    super::transcript::{coefficients, evaluation_point, Claim},
    *,
};
use muster_forgery::forger::Failure;
use muster_gates::Forged;
use muster_schemes::curve::pairing::{
    program::{uses_root, Plan, DEGREE},
    witness::Witness,
};

/// Hands out the claim for a product of two pairs, none of whose points is fixed.
fn claimed(
    curve: PairingCurve,
    test: impl FnOnce(&mut GateContext, (Claim, Witness)),
) -> TestCircuit {
    TestCircuit::new(pairing_layout(curve, 14, 13, 10), |ctx| {
        let equations = PairingEquations::new(curve);
        let arithmetic = Arithmetic { chip: ctx.chips.foreign(), equations: &equations };
        let pairs = product(curve, 2, 3).map(|pair| RawPair { is_fixed: false, ..pair });
        let arguments = Arguments::new(ctx.chips, &equations, &pairs);
        let plan = Plan::new(curve.parameters(), &[false; 2]);
        let (mut witness, _) = Witness::regardless(curve, &plan, &pairs);
        let seconds = arguments.seconds.iter().flatten().zip(&witness.walks);
        let seconds: Vec<_> =
            seconds.map(|(point, steps)| point.walk(&arithmetic, steps).1).collect();
        // Three of them stand for all.
        witness.products.drain(2..witness.products.len() - 1);
        let firsts = arguments.firsts.iter();
        let claim = Claim::new(ctx, &arithmetic, (firsts, &seconds), &witness);
        test(ctx, (claim, witness));
    })
}

/// All that is claimed, by what it is.
fn parts(claim: &mut Claim) -> Vec<&mut AssignedLimbs> {
    let firsts = claim.firsts.iter_mut().flatten();
    let seconds = claim.seconds.iter_mut().flatten().flatten();
    let root = claim.root.iter_mut().flatten();
    let factors = root.chain(&mut claim.inverse).chain(&mut claim.scale);
    let products = claim.products.iter_mut().flatten();
    firsts.chain(seconds).chain(factors).chain(products).collect()
}

#[test]
fn the_first_challenge_binds_all_that_is_claimed() {
    for curve in sampled(PairingCurve::ALL, 2) {
        claimed(curve, |ctx, (mut claim, witness)| {
            let factors = if uses_root(curve.parameters()) { 2 } else { 1 };
            let coefficients = DEGREE * (factors + witness.products.len()) + DEGREE / 2;
            // Two coordinates over Fp and two over Fp² of each pair.
            let count = 2 * (2 + 4) + coefficients;
            assert_eq!((parts(&mut claim).len(), witness.products.len()), (count, 3), "{curve}");
            let chip = ctx.chips.foreign();
            let limbs = chip.block().format().limbs();
            let mut seen = BTreeSet::from([claim.rho(ctx, chip).value().clone()]);
            for (part, limb) in (0..count).flat_map(|part| (0..limbs).map(move |l| (part, l))) {
                let mut other = claim.clone();
                let place = parts(&mut other).swap_remove(part);
                *place = place.lying_limb(limb);
                let is_new = seen.insert(other.rho(ctx, chip).value().clone());
                assert!(is_new, "{curve}: limb {limb} of part {part}");
            }
        });
    }
}

#[test]
fn the_second_challenge_binds_the_first_and_the_quotient() {
    const COEFFICIENTS: usize = 40;
    for curve in sampled(PairingCurve::ALL, 2) {
        claimed(curve, |ctx, (claim, witness)| {
            let chip = ctx.chips.foreign();
            let limbs = chip.block().format().limbs();
            let rho = claim.rho(ctx, chip);
            let quotient = &witness.quotient(rho.value(), 256)[..COEFFICIENTS];
            let quotient = coefficients(ctx, chip, quotient);
            let mut z = |rho: &AssignedLimbs, quotient: &[AssignedLimbs]| {
                evaluation_point(ctx, chip, (rho, quotient)).value().clone()
            };
            let mut seen = BTreeSet::from([z(&rho, &quotient)]);
            for limb in 0..limbs {
                assert!(seen.insert(z(&rho.lying_limb(limb), &quotient)), "{curve}: limb {limb}");
                for i in 0..COEFFICIENTS {
                    let mut other = quotient.clone();
                    other[i] = other[i].lying_limb(limb);
                    assert!(seen.insert(z(&rho, &other)), "{curve}: limb {limb} of {i}");
                }
            }
        });
    }
}

/// What packs and squeezes limbs, of any number of elements that the last permutation takes: all is bound, but what another
/// gate computes or takes.
#[test]
fn challenges_are_determined() {
    // Sums of limbs, which the foreign gate binds and the permutation takes.
    let counted = [(PairingCurve::Bn254, 530), (PairingCurve::Bls12381, 752)];
    for (curve, passed_on) in sampled(counted, 2) {
        let test = claimed(curve, |ctx, (claim, _)| {
            let chip = ctx.chips.foreign();
            let rho = claim.rho(ctx, chip);
            for count in 1..=DEGREE {
                let (firsts, seconds) = (vec![], vec![]);
                let (scale, products) = (vec![], vec![]);
                let inverse = claim.inverse[..count].to_vec();
                let few = Claim { firsts, seconds, root: None, inverse, scale, products };
                for _ in 0..2 {
                    few.rho(ctx, chip);
                    evaluation_point(ctx, chip, (&rho, &claim.inverse[..count]));
                }
            }
        });
        test.assert_satisfied();
        assert_eq!(test.open_values(), (vec![], passed_on), "{curve}");
    }
}

/// Limbs of which one element that is absorbed consists, and more.
const PACKED: usize = 20;

/// Two claims and two quotients; in one of these four one limb is another one.
fn packed(ctx: &mut GateContext, lie: Option<(usize, usize)>) {
    let chip = ctx.chips.foreign();
    let numbers: Vec<_> = (1..=DEGREE).map(|i| (BigUint::from(1u8) << 240usize) / i).collect();
    let honest = coefficients(ctx, chip, &numbers);
    let limbs = chip.block().format().limbs();
    let rho = honest[0].clone();
    for absorbed in 0..4 {
        let mut inverse = honest.clone();
        if let Some((_, limb)) = lie.filter(|(lied, _)| *lied == absorbed) {
            let element = &mut inverse[limb / limbs];
            *element = element.lying_limb(limb % limbs);
        }
        let (firsts, seconds, scale, products) = (vec![], vec![], vec![], vec![]);
        let few = Claim { firsts, seconds, root: None, inverse, scale, products };
        if absorbed % 2 == 0 {
            few.rho(ctx, chip);
        } else {
            evaluation_point(ctx, chip, (&rho, &few.inverse));
        }
    }
}

/// What is absorbed is what was packed, and what is not is 0: a prover who permutes another state, and writes all that follows from it,
/// is refused by its copy. Of one block that is not full, and of a full one with another behind it.
#[test]
fn states_are_bound() {
    let layout = Layout { constant_rows: 64, ..pairing_layout(PairingCurve::Bn254, 14, 13, 10) };
    let challenges = |ctx: &mut GateContext| {
        let chip = ctx.chips.foreign();
        // Blocks that are full and not, first ones and others, each at an even and an odd visit. `DEGREE + 1` elements leave one
        // packed element for the second block.
        for count in [1, 1, 2 * DEGREE, DEGREE + 1, 1, 2 * DEGREE, DEGREE + 1] {
            let zeros = vec![BigUint::ZERO; count];
            let inverse = coefficients(ctx, chip, &zeros);
            let (firsts, seconds, scale, products) = (vec![], vec![], vec![], vec![]);
            let few = Claim { firsts, seconds, root: None, inverse, scale, products };
            few.rho(ctx, chip);
            evaluation_point(ctx, chip, (&few.inverse[0], &few.inverse[1..]));
        }
    };
    let mut permutations = 0;
    let mut test = TestCircuit::new(layout, |ctx| {
        challenges(ctx);
        permutations = ctx.chips.poseidon(TRANSCRIPT_WIDTH).count();
    });
    test.assert_satisfied();
    assert!(permutations > 8, "one of them is full");
    let lies = (0..permutations).flat_map(|id| (0..TRANSCRIPT_WIDTH).map(move |i| (id, i)));
    for lie in sampled(lies, 8) {
        let forged = test.written_by(|ctx| {
            ctx.chips.poseidon(TRANSCRIPT_WIDTH).lie(lie.0, lie.1);
            challenges(ctx);
        });
        assert_eq!(test.failing(forged), ["copy"], "{lie:?}");
    }
}

/// Limbs are packed as they are: a prover who writes all that follows from another limb is refused by its copy; with the limb as it is,
/// by the sum; and with a constant that makes up for it, by that.
#[test]
fn packed_limbs_are_bound() {
    for curve in sampled(PairingCurve::ALL, 2) {
        let layout = Layout { vertical_columns: 1, ..pairing_layout(curve, 15, 13, 10) };
        let mut test = TestCircuit::new(layout, |ctx| packed(ctx, None));
        test.assert_satisfied();
        let column = test.advice().len() - 1;
        let cells = test.advice().swap_remove(column);
        let lies = (0..4).flat_map(|absorbed| (0..PACKED).map(move |limb| (absorbed, limb)));
        for lie in sampled(lies, 4) {
            let forged = test.written_by(|ctx| packed(ctx, Some(lie)));
            assert_eq!(test.failing(forged.clone()), ["copy"], "{curve} {lie:?}");
            // The first cell that differs in the column is the limb, between the sum before and its power of two.
            let first = forged.iter().position(|cell| cell.column == column);
            let mut forged = forged;
            let Forged { row, value, .. } = forged.remove(first.expect("limbs are added up"));
            let sum = test.failures_with(forged.clone());
            assert!(matches!(sum[..], [Failure::Gate(..)]), "{curve} {lie:?}: {sum:?}");
            if let Some(inverse) = Option::<Fr>::from(cells[row].invert()) {
                let value = cells[row + 1] * value * inverse;
                forged.push(Forged { column, row: row + 1, value });
                assert_eq!(test.failing(forged), ["copy"], "{curve} {lie:?}");
            }
        }
    }
}
