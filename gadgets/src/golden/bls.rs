//! What a signature of BLS costs, with everything in one gate, with lookups of 16 bits in two columns.

use halo2_base::{
    halo2_proofs::halo2curves::{bls12_381, bn256, bn256::Fr, group::Curve},
    Context,
};
use halo2curves::CurveAffine;
use num_bigint::BigUint;

use super::{foreign, sha256_cells, Costs, Row};
use crate::{
    curve::{
        aggregate::{Coefficients, SumWalk},
        pairing::{
            chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations, TRANSCRIPT_WIDTH},
            tests::{point, twist_point},
            BasePoint, PairingCurve,
        },
    },
    field::foreign::integer::element,
    gate::{foreign::Equation, testing::SHA256_GATE, Chips, Gates, Layout, PoseidonLayout},
    hash::to_curve::{chip::FixedMessage, Bls12381G1, Bls12381G2, Bn254G1},
    signature::bls::chip::{equations, AssignedSigned, Hashed, KeySums, MessagePoint},
};

/// Bytes of a message.
const BYTES: usize = 32;

fn row(
    curve: PairingCurve,
    more: Vec<Equation>,
    build: impl FnOnce(&mut Context<Fr>, &Chips),
) -> Row {
    let layout = foreign::layout(&[equations(curve), more].concat());
    let layout = Layout {
        sha256: Some(SHA256_GATE),
        poseidon: vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 1, lanes: 1 }],
        constant_rows: 4096,
        ..layout
    };
    let mut gates = Gates::new(&layout, false);
    let (ctx, chips) = gates.parts();
    build(ctx, chips);
    let relations = chips.foreign().count();
    let usage = gates.usage();
    let block = layout.blocks().remove(0);
    let poseidon: usize = usage.poseidon.iter().map(|(_, _, cells)| cells).sum();
    let hashes = sha256_cells(usage.sha256_rows) + poseidon;
    let others = usage.vertical_cells + usage.range_cells + hashes;
    Row::from([
        ("relations".into(), relations),
        ("sha256_rows".into(), usage.sha256_rows),
        ("cells".into(), relations * block.cells() + others),
    ])
}

/// The hash of some message.
fn hash<H: Hashed>(ctx: &mut Context<Fr>, chips: &Chips) -> MessagePoint<H::Point> {
    let halves = ctx.assign_witnesses([Fr::zero(); BYTES / 16]);
    let message = FixedMessage::new(&halves, BYTES);
    H::hash(ctx, chips, &PairingEquations::new(H::CURVE), &message)
}

fn min_sig<H: Hashed<Point = AssignedGroupPoint>>() -> Row {
    row(H::CURVE, H::equations(), |ctx, chips| {
        let (equations, chip) = (PairingEquations::new(H::CURVE), chips.foreign());
        let signed = AssignedSigned {
            key: AssignedTwistPoint::new(chip, &equations, &twist_point(H::CURVE, 5)),
            message: hash::<H>(ctx, chips),
            signature: AssignedGroupPoint::new(chip, &equations, &point(H::CURVE, 7, false)),
        };
        // What is filled in does not matter to the cost.
        let _ = signed.assert_verifies(ctx, chips, &equations);
    })
}

/// The sum of keys in the first group, and a message that `message` takes to a point.
fn min_pk<C>(
    curve: PairingCurve,
    more: Vec<Equation>,
    keys: usize,
    message: impl FnOnce(&mut Context<Fr>, &Chips) -> MessagePoint<AssignedTwistPoint>,
) -> Row
where
    C: CurveAffine,
    C::Base: Coefficients<1>,
{
    row(curve, [KeySums::<BasePoint>::new(curve).all(), more].concat(), |ctx, chips| {
        let (equations, chip) = (PairingEquations::new(curve), chips.foreign());
        let keys: Vec<C> =
            (1..=keys as u64).map(|i| (C::generator() * C::Scalar::from(i)).to_affine()).collect();
        let walk = SumWalk::new(&keys).expect("a sum");
        let pair = [element(chip, &BigUint::ZERO), element(chip, &BigUint::ZERO)];
        let pairs = vec![pair; keys.len()];
        let signed = AssignedSigned {
            key: KeySums::<BasePoint>::new(curve).sum_of_trusted_keys(chips, &pairs, &walk),
            message: message(ctx, chips),
            signature: AssignedTwistPoint::new(chip, &equations, &twist_point(curve, 7)),
        };
        let _ = signed.assert_verifies(ctx, chips, &equations);
    })
}

/// A message whose point is public.
fn given(ctx: &mut Context<Fr>, chips: &Chips) -> MessagePoint<AssignedTwistPoint> {
    let curve = PairingCurve::Bn254;
    let public = ctx.assign_witnesses([Fr::zero(); 8]);
    let point = twist_point(curve, 3);
    let equations = PairingEquations::new(curve);
    MessagePoint::<AssignedTwistPoint>::public(ctx, chips, &equations, &point, &public)
}

/// Adds the rows of this family.
pub(super) fn bls(costs: &mut Costs) {
    costs.insert("bls: min-sig over BN254, 32 bytes".into(), min_sig::<Bn254G1>());
    costs.insert("bls: min-sig over BLS12-381, 32 bytes".into(), min_sig::<Bls12381G1>());
    let bn254 = |keys| min_pk::<bn256::G1Affine>(PairingCurve::Bn254, vec![], keys, given);
    let bls12381 = |keys| {
        let hashes = Bls12381G2::equations();
        min_pk::<bls12_381::G1Affine>(PairingCurve::Bls12381, hashes, keys, hash::<Bls12381G2>)
    };
    let [two, three] = [2, 3].map(bn254);
    insert(costs, "over BN254, the point given", [two, three]);
    let [two, three] = [2, 3].map(bls12381);
    insert(costs, "over BLS12-381, 32 bytes", [two, three]);
}

/// The cost for two keys, and that of one more.
fn insert(costs: &mut Costs, name: &str, [two, three]: [Row; 2]) {
    let more = three.iter().map(|(what, count)| (what.clone(), count - two[what]));
    costs.insert(format!("bls: one more key {name}"), more.collect());
    costs.insert(format!("bls: min-pk {name}, two keys"), two);
}
