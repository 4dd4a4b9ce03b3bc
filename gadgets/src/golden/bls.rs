//! What a signature of BLS costs, with everything in one gate, with lookups of 16 bits in two columns.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::{foreign, sha256_cells, Costs, Row};
use crate::{
    curve::pairing::{
        chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations, TRANSCRIPT_WIDTH},
        samples::{point, twist_point},
    },
    hash::to_curve::chip::FixedMessage,
    signature::bls::chip::{equations, AssignedSigned, Hashed, KeySums, MessagePoint, PointGroup},
};
use muster_forgery::testing::SHA256_GATE;
use muster_gates::{foreign::Equation, Chips, Gates, Layout, PoseidonLayout};
use muster_schemes::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1},
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

/// The sum of keys, and a message that `message` takes to a point.
fn summed<G: PointGroup>(
    curve: PairingCurve,
    more: Vec<Equation>,
    keys: usize,
    message: impl FnOnce(&mut Context<Fr>, &Chips) -> MessagePoint<<G::Other as PointGroup>::Point>,
) -> Row {
    let sums = KeySums::<G>::new(curve);
    row(curve, [sums.all(), more].concat(), |ctx, chips| {
        let (equations, chip) = (PairingEquations::new(curve), chips.foreign());
        let key = G::generator(curve);
        let walk = G::walk(curve, &vec![key.clone(); keys]).expect("a sum");
        let keys: Vec<_> = (0..keys).map(|_| key.addend(ctx, chip, &chips.range)).collect();
        let signed = AssignedSigned {
            key: sums.sum_of_trusted_keys(chips, &keys, &walk),
            message: message(ctx, chips),
            signature: G::Other::generator(curve).point(chip, &equations),
        };
        let _ = G::assert_verifies(&signed, ctx, chips, &equations);
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
    let keys = [2, 3];
    let bn254 = |keys| summed::<BasePoint>(PairingCurve::Bn254, vec![], keys, given);
    insert(costs, ("min-pk", "over BN254, the point given"), keys.map(bn254));
    let bls12381 = |keys| {
        let hashes = Bls12381G2::equations();
        summed::<BasePoint>(PairingCurve::Bls12381, hashes, keys, hash::<Bls12381G2>)
    };
    insert(costs, ("min-pk", "over BLS12-381, 32 bytes"), keys.map(bls12381));
    let bn254 = |keys| {
        summed::<TwistPoint>(PairingCurve::Bn254, Bn254G1::equations(), keys, hash::<Bn254G1>)
    };
    insert(costs, ("min-sig", "over BN254, 32 bytes"), keys.map(bn254));
    let bls12381 = |keys| {
        let hashes = Bls12381G1::equations();
        summed::<TwistPoint>(PairingCurve::Bls12381, hashes, keys, hash::<Bls12381G1>)
    };
    insert(costs, ("min-sig", "over BLS12-381, 32 bytes"), keys.map(bls12381));
}

/// The cost for two keys, and that of one more.
fn insert(costs: &mut Costs, (order, name): (&str, &str), [two, three]: [Row; 2]) {
    let more = three.iter().map(|(what, count)| (what.clone(), count - two[what]));
    let group = if order == "min-sig" { " in G2" } else { "" };
    costs.insert(format!("bls: one more key{group} {name}"), more.collect());
    costs.insert(format!("bls: {order} {name}, two keys"), two);
}
