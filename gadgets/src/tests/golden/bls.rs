//! What a signature of BLS costs, with everything in one gate, with lookups of 16 bits in two columns.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{foreign, sha256_cells, Costs, Row};
use crate::{
    curve::pairing::{
        samples::{point, twist_point},
        AssignedGroupPoint, AssignedTwistPoint, PairingEquations, TRANSCRIPT_WIDTH,
    },
    hash::to_curve::FixedMessage,
    signature::bls::chip::{equations, AssignedSigned, KeySums, MessagePoint, PointGroup},
};
use muster_forgery::testing::SHA256_GATE;
use muster_gates::{foreign::Equation, GateContext, Gates, Layout, PoseidonLayout};
use muster_schemes::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    hash::to_curve::Tag,
    signature::bls::tags::{BLS12381_G1, BLS12381_G2, BN254_G1},
};

/// Bytes of a message.
const BYTES: usize = 32;

fn row(curve: PairingCurve, more: Vec<Equation>, build: impl FnOnce(&mut GateContext)) -> Row {
    let layout = foreign::layout(&[equations(curve), more].concat());
    let layout = Layout {
        sha256: Some(SHA256_GATE),
        poseidon: vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 1, lanes: 1 }],
        constant_rows: 4096,
        ..layout
    };
    let mut gates = Gates::new(&layout, false);
    let ctx = &mut gates.context();
    build(ctx);
    let relations = ctx.chips.foreign().count();
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
fn hash<G: PointGroup>(
    ctx: &mut GateContext,
    (curve, tag): (PairingCurve, &[u8]),
) -> MessagePoint<G::Point> {
    let halves = ctx.assign_witnesses([Fr::zero(); BYTES / 16]);
    let message = FixedMessage::new(&halves, BYTES);
    let tag = Tag::new(tag).expect("a tag");
    G::hash(ctx, &PairingEquations::new(curve), &message, &tag)
}

fn min_sig(curve: PairingCurve, tag: &[u8]) -> Row {
    row(curve, BasePoint::hash_equations(curve), |ctx| {
        let (equations, chip) = (PairingEquations::new(curve), ctx.chips.foreign());
        let signed = AssignedSigned {
            key: AssignedTwistPoint::new(chip, &equations, &twist_point(curve, 5)),
            message: hash::<BasePoint>(ctx, (curve, tag)),
            signature: AssignedGroupPoint::new(chip, &equations, &point(curve, 7, false)),
        };
        // What is filled in does not matter to the cost.
        let _ = TwistPoint::assert_verifies(&signed, ctx, &equations);
    })
}

/// The sum of keys, and a message that `message` takes to a point.
fn summed<G: PointGroup>(
    curve: PairingCurve,
    more: Vec<Equation>,
    keys: usize,
    message: impl FnOnce(&mut GateContext) -> MessagePoint<<G::Other as PointGroup>::Point>,
) -> Row {
    let sums = KeySums::<G>::new(curve);
    row(curve, [sums.all(), more].concat(), |ctx| {
        let (equations, chip) = (PairingEquations::new(curve), ctx.chips.foreign());
        let key = G::generator(curve);
        let walk = G::walk(curve, &vec![key.clone(); keys]).expect("a sum");
        let keys: Vec<_> = (0..keys).map(|_| key.addend(ctx, chip)).collect();
        let signed = AssignedSigned {
            key: sums.sum_of_trusted_keys(ctx.chips, &keys, &walk),
            message: message(ctx),
            signature: G::Other::generator(curve).point(chip, &equations),
        };
        let _ = G::assert_verifies(&signed, ctx, &equations);
    })
}

/// A message whose point is public.
fn given(ctx: &mut GateContext) -> MessagePoint<AssignedTwistPoint> {
    let curve = PairingCurve::Bn254;
    let public = ctx.assign_witnesses([Fr::zero(); 8]);
    let point = twist_point(curve, 3);
    let equations = PairingEquations::new(curve);
    point.public(ctx, &equations, &public)
}

/// Adds the rows of this family.
pub(super) fn bls(costs: &mut Costs) {
    let [bn254, bls12381] = [PairingCurve::Bn254, PairingCurve::Bls12381];
    costs.insert("bls: min-sig over BN254, 32 bytes".into(), min_sig(bn254, BN254_G1));
    costs.insert("bls: min-sig over BLS12-381, 32 bytes".into(), min_sig(bls12381, BLS12381_G1));
    let keys = [2, 3];
    let given = |keys| summed::<BasePoint>(bn254, vec![], keys, given);
    insert(costs, ("min-pk", "over BN254, the point given"), keys.map(given));
    let min_pk = hashed::<BasePoint>;
    let rows = keys.map(|keys| min_pk((bls12381, BLS12381_G2), keys));
    insert(costs, ("min-pk", "over BLS12-381, 32 bytes"), rows);
    let min_sig = hashed::<TwistPoint>;
    let rows = keys.map(|keys| min_sig((bn254, BN254_G1), keys));
    insert(costs, ("min-sig", "over BN254, 32 bytes"), rows);
    let rows = keys.map(|keys| min_sig((bls12381, BLS12381_G1), keys));
    insert(costs, ("min-sig", "over BLS12-381, 32 bytes"), rows);
}

/// The sum of keys, and a message that is hashed.
fn hashed<G: PointGroup>((curve, tag): (PairingCurve, &[u8]), keys: usize) -> Row {
    summed::<G>(curve, G::Other::hash_equations(curve), keys, |ctx| {
        hash::<G::Other>(ctx, (curve, tag))
    })
}

/// The cost for two keys, and that of one more.
fn insert(costs: &mut Costs, (order, name): (&str, &str), [two, three]: [Row; 2]) {
    let more = three.iter().map(|(what, count)| (what.clone(), count - two[what]));
    let group = if order == "min-sig" { " in G2" } else { "" };
    costs.insert(format!("bls: one more key{group} {name}"), more.collect());
    costs.insert(format!("bls: {order} {name}, two keys"), two);
}
