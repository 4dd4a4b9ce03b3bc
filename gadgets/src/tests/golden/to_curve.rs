//! What hashes to curves cost, with lookups of 16 bits in two columns and a lane of SHA-256 of four bits a row.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::{foreign, sha256_cells, Costs, Row, KECCAK_CELLS, KECCAK_LOOKUPS};
use crate::hash::{
    padding::Message,
    text::Text,
    to_curve::{FixedMessage, HashToCurve, MapInstructions, PointSearch},
};
use muster_forgery::testing::SHA256_GATE;
use muster_gates::{foreign::Equation, GateContext, Gates, Layout};
use muster_schemes::hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Tag};

/// Candidates of a search: it finds nothing for one of 2^64 digests.
const CANDIDATES: usize = 64;

/// As long as the tags of Ethereum.
const TAG: [u8; 43] = [1; 43];

/// Everything that hashing takes, but for `inputs` cells that are given.
fn row(equations: &[Equation], inputs: usize, build: impl FnOnce(&mut GateContext)) -> Row {
    let layout =
        Layout { keccak_lanes: 1, sha256: Some(SHA256_GATE), ..foreign::layout(equations) };
    let mut gates = Gates::new(&layout, false);
    let ctx = &mut gates.context();
    build(ctx);
    let relations = ctx.chips.foreign().count();
    let usage = gates.usage();
    let mut row = foreign::cells(&layout, &usage);
    row.insert("relations".into(), relations);
    row.insert("sha256_rows".into(), usage.sha256_rows);
    let keccak_rows = usage.keccak_rows;
    if keccak_rows > 0 {
        row.insert("keccak_rows".into(), keccak_rows);
    }
    // The two blocks that stay empty are no part of it.
    let block = layout.blocks().remove(0);
    let lookups = relations * block.lookups() + usage.range_cells + KECCAK_LOOKUPS * keccak_rows;
    row.insert("lookups".into(), lookups);
    let cells = relations * block.cells() + usage.vertical_cells + usage.range_cells;
    let hashed = sha256_cells(usage.sha256_rows) + KECCAK_CELLS * keccak_rows;
    row.insert("cells".into(), cells + hashed - inputs);
    row
}

fn hash<S: MapInstructions<D>, const D: usize>(costs: &mut Costs, bytes: usize) {
    let hash = HashToCurve::<S, D>::default();
    let halves = bytes.div_ceil(16);
    let row = row(&hash.all(), halves, |ctx| {
        let message = ctx.assign_witnesses(vec![Fr::zero(); halves]);
        let message = FixedMessage::new(&message, bytes);
        let tag = Tag::new(&TAG).expect("a tag");
        hash.hash(ctx, &message, &tag);
    });
    costs.insert(format!("hash to curve: {}, {bytes} bytes", S::NAME), row);
}

/// The same with Keccak-256 in place of SHA-256.
fn hash_with_keccak<S: MapInstructions<D>, const D: usize>(costs: &mut Costs, bytes: usize) {
    let hash = HashToCurve::<S, D>::default();
    let halves = bytes.div_ceil(16);
    let row = row(&hash.all(), halves, |ctx| {
        let message = ctx.assign_witnesses(vec![Fr::zero(); halves]);
        let message = FixedMessage::new(&message, bytes);
        let tag = Tag::new(&TAG).expect("a tag");
        hash.hash_with_keccak(ctx, &message, &tag);
    });
    costs.insert(format!("hash to curve: {}, {bytes} bytes, over Keccak-256", S::NAME), row);
}

/// A message of at most so many bytes with its SHA-256, as signers' bytes are hashed that are public by it.
fn hash_up_to<S: MapInstructions<D>, const D: usize>(costs: &mut Costs, bytes: usize) {
    let hash = HashToCurve::<S, D>::default();
    let halves = bytes.div_ceil(16);
    let row = row(&hash.all(), halves + 1, |ctx| {
        let halves = ctx.assign_witnesses(vec![Fr::zero(); halves]);
        let length = ctx.load_witness(Fr::zero());
        let message = Message { halves: &halves, length, bound: bytes };
        let (text, _) = Text::with_sha256(ctx, message);
        let tag = Tag::new(&TAG).expect("a tag");
        hash.hash(ctx, &text, &tag);
    });
    costs
        .insert(format!("hash to curve: {}, up to {bytes} bytes, and their SHA-256", S::NAME), row);
}

/// Adds the rows of this family.
pub(super) fn to_curve(costs: &mut Costs) {
    hash::<Bls12381G2, 2>(costs, 32);
    hash::<Bls12381G1, 1>(costs, 32);
    hash::<Bls12381G1, 1>(costs, 627);
    hash_up_to::<Bls12381G1, 1>(costs, 627);
    hash::<Bn254G1, 1>(costs, 32);
    hash_with_keccak::<Bn254G1, 1>(costs, 32);
    let search = PointSearch::new(CANDIDATES);
    let row = row(&search.all(), 2, |ctx| {
        let digest = [(); 2].map(|()| ctx.load_witness(Fr::zero()));
        search.find(ctx, digest);
    });
    costs.insert(format!("hash to curve: a point of BN254 among {CANDIDATES}"), row);
}

#[test]
fn budgets() {
    let costs = super::all_costs();
    let cells = |name: &str| costs[&format!("hash to curve: {name}")]["cells"];
    assert!(cells("BLS12381G2_XMD:SHA-256_SSWU_RO_, 32 bytes") <= 330_000);
    assert!(cells("BLS12381G1_XMD:SHA-256_SSWU_RO_, 32 bytes") <= 150_000);
    assert!(cells("BN254G1_XMD:SHA-256_SVDW_RO_, 32 bytes") <= 80_000);
}
