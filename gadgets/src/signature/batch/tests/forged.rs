//! Coefficients that were squeezed from something other than what they batch.
//!
//! The prover writes its own witness: everything is right, but for the cells of the transcript that hold what it
//! likes. All gates and lookups hold, and what refuses it is the copies that bind these cells.

use ff::{Field, PrimeField};
use halo2_base::halo2_proofs::plonk::Assigned;

use super::super::*;
use crate::field::edwards_scalar::order;
use muster_forgery::{
    forger::Place,
    testing::{layout, TestCircuit},
};
use muster_gates::{poseidon::rows_each, Forged, Layout};
use muster_schemes::{
    curve::edwards::{mul_generator, Scalar},
    hash::poseidon::hash_with_domain,
};

const SCHEME: Challenge = Challenge { domain: Fr::one(), factor: 1 };
const MESSAGE: u64 = 0xbeef;
/// So many that the transcript is absorbed by several permutations and stretched by one.
const SIGNATURES: usize = 12;

fn secret(number: usize) -> Scalar {
    Scalar::from(90_001 + 2 * number as u64)
}

fn times_generator(scalar: Scalar) -> RawPoint {
    let point = mul_generator(&scalar).to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// A key and its signature of the message.
#[derive(Clone, Debug)]
struct Signed {
    key: RawPoint,
    signature: RawSignature,
}

impl Signed {
    /// That of member `number`, as if `base` times the generator were the generator.
    fn new(number: usize, base: Scalar) -> Self {
        Self::hashing(number, base, &|_, value| value)
    }

    /// The same with a challenge of which the domain, with the number 0, and the inputs behind it are changed.
    fn hashing(number: usize, base: Scalar, change: &dyn Fn(usize, Fr) -> Fr) -> Self {
        let (secret, nonce) = (secret(number), Scalar::from(1_000_003 + number as u64));
        let (r, key) = (times_generator(base * nonce), times_generator(base * secret));
        let inputs = [r.x, r.y, key.x, key.y, Fr::from(MESSAGE)];
        let inputs: Vec<_> = (1..).zip(inputs).map(|(i, value)| change(i, value)).collect();
        let c = hash_with_domain(change(0, SCHEME.domain), &inputs);
        let s = nonce + Scalar::from_base(&c) * secret;
        Self { key, signature: RawSignature { x: r.x, y: r.y, s: s.to_bytes() } }
    }

    fn all(count: usize, base: Scalar) -> Vec<Self> {
        (0..count).map(|number| Self::new(number, base)).collect()
    }
}

/// What the prover puts in the place of the elements and domains of the transcript.
struct Prank<'a> {
    absorbed: &'a dyn Fn(usize, Fr) -> Fr,
    more: Vec<Fr>,
    domains: (Fr, Fr),
    /// The same of the challenges, by the number of the signature.
    hashed: &'a dyn Fn(usize, usize, Fr) -> Fr,
}

impl Default for Prank<'_> {
    fn default() -> Self {
        Self {
            absorbed: &|_, value| value,
            more: vec![],
            domains: domains(),
            hashed: &|_, _, value| value,
        }
    }
}

/// The batch as [`assert_verify`] builds it; a prank makes the witness alone. Gives what is squeezed.
fn build(ctx: &mut GateContext, signed: &[Signed], prank: Option<&Prank>) -> Vec<Fr> {
    let message = ctx.load_witness(Fr::from(MESSAGE));
    let keys: Vec<_> =
        signed.iter().map(|signed| AssignedPoint::new(ctx, 0, &signed.key)).collect();
    let pairs = keys.iter().zip(signed);
    let items: Vec<_> = pairs
        .map(|(public_key, Signed { signature, .. })| Item { public_key, signature })
        .collect();
    let Some(prank) = prank else {
        assert_verify(ctx, 0, SCHEME, message, &items);
        return vec![];
    };
    let opened: Vec<_> = items
        .iter()
        .enumerate()
        .map(|(i, Item { public_key: key, signature: RawSignature { x, y, s } })| {
            let r = AssignedPoint::new(ctx, 0, &RawPoint { x: *x, y: *y });
            let mut inputs = [r.x(), r.y(), key.x(), key.y(), message];
            for (input, lane) in inputs.iter_mut().zip(1..) {
                *input = unnamed((prank.hashed)(i, lane, *input.value()));
            }
            let domain = (prank.hashed)(i, 0, SCHEME.domain);
            respond(ctx, r, (domain, inputs), s)
        })
        .collect();
    let honest = transcript(&opened).into_iter().enumerate();
    let absorbed = honest.map(|(i, cell)| (prank.absorbed)(i, *cell.value()));
    let absorbed: Vec<_> = absorbed.chain(prank.more.iter().copied()).map(unnamed).collect();
    let poseidon = ctx.chips.poseidon(HASH_WIDTH);
    let squeezed = squeeze(poseidon, prank.domains, &absorbed, opened.len() / 2);
    assert_batch(ctx, 0, SCHEME, &items, opened, &squeezed);
    squeezed.iter().map(|cell| *cell.value()).collect()
}

/// A value without a cell, which is all that a witness is made of.
fn unnamed(value: Fr) -> AssignedValue<Fr> {
    AssignedValue { value: Assigned::Trivial(value), cell: None }
}

fn columns() -> Layout {
    Layout { vertical_columns: 2, range_columns: 2, ..layout(12, &[HASH_WIDTH]) }
}

/// A batch of true signatures.
struct Batch {
    circuit: TestCircuit,
    signed: Vec<Signed>,
}

impl Batch {
    fn new(count: usize) -> Self {
        let signed = Signed::all(count, Scalar::ONE);
        let circuit = TestCircuit::new(columns(), |ctx| {
            build(ctx, &signed, None);
        });
        circuit.assert_satisfied();
        Self { circuit, signed }
    }

    /// What the pranked generator squeezes for these signatures.
    fn squeezed(&self, prank: &Prank) -> Vec<Fr> {
        let mut squeezed = vec![];
        self.circuit.written_by(|ctx| {
            squeezed = build(ctx, &self.signed, Some(prank));
        });
        squeezed
    }

    fn forged(&self, signed: &[Signed], prank: &Prank) -> Vec<Forged> {
        self.circuit.written_by(|ctx| {
            build(ctx, signed, Some(prank));
        })
    }

    /// Asserts that nothing but copies refuses the witness, and that one cell of each is a lane of Poseidon
    /// that absorbs or starts with one of `values`, which stood there.
    fn assert_only_copies_refuse(&mut self, what: &str, forged: Vec<Forged>, values: &[Fr]) {
        assert_eq!(self.circuit.failing(forged.clone()), ["copy"], "{what}");
        let advice = self.circuit.advice();
        // Six columns of the Edwards gate, then three of inputs of S-boxes.
        let lane = |place: &Place| (6..9).contains(&place.0);
        let broken = self.circuit.broken_copies(forged.clone());
        let mut refused: Vec<_> = broken.into_iter().filter(lane).collect();
        refused.retain(|(column, row)| {
            forged.iter().any(|forged| (forged.column, forged.row) == (*column, *row))
        });
        assert!(!refused.is_empty(), "{what}");
        for (column, row) in refused {
            assert!(values.contains(&advice[column][row]), "{what}: {column}, {row}");
        }
    }
}

#[test]
fn a_generator_without_a_prank_writes_the_witness() {
    let batch = Batch::new(2);
    assert!(batch.forged(&batch.signed, &Prank::default()).is_empty());
}

/// Two signatures whose errors cancel, since their coefficients were known before `s`.
#[test]
fn responses_are_absorbed() {
    let mut batch = Batch::new(2);
    let old = responses(&batch.signed);
    let squeezed = batch.squeezed(&Prank::default());
    let z = halves(&squeezed[0]).map(|half| scalar(&Coefficient::witness(half)));
    let error = Scalar::from(0xbad);
    let errors = [error, -error * z[0] * z[1].invert().expect("not zero")];
    let mut bad = batch.signed.clone();
    for (Signed { signature, .. }, error) in bad.iter_mut().zip(errors) {
        let s = Scalar::from_bytes(&signature.s).expect("reduced");
        signature.s = (s + error).to_bytes();
    }
    let absorbed = |i: usize, value| if i % 2 == 1 { old[i / 2] } else { value };
    let prank = Prank { absorbed: &absorbed, ..Prank::default() };
    let forged = batch.forged(&bad, &prank);
    let new = responses(&bad);
    // The lanes hold what they held; what they are copies of has changed.
    assert_eq!(batch.circuit.failing(forged.clone()), ["copy"]);
    let advice = batch.circuit.advice();
    let broken = batch.circuit.broken_copies(forged.clone());
    let value = |place: &Place| {
        let new = forged.iter().find(|forged| (forged.column, forged.row) == *place);
        new.map_or(advice[place.0][place.1], |forged| forged.value)
    };
    assert!(!broken.is_empty());
    assert!(broken.iter().map(value).all(|value| old.contains(&value) || new.contains(&value)));
}

fn responses(signed: &[Signed]) -> Vec<Fr> {
    let field = |signed: &Signed| Fr::from_repr(signed.signature.s).expect("below the order");
    signed.iter().map(field).collect()
}

/// An integer modulo the order of the subgroup.
fn scalar(value: &num_bigint::BigInt) -> Scalar {
    let order = num_bigint::BigInt::from(order().clone());
    let reduced = ((value % &order) + &order) % &order;
    let mut bytes = reduced.to_bytes_le().1;
    bytes.resize(32, 0);
    Scalar::from_bytes(&bytes.try_into().expect("32 bytes")).expect("reduced")
}

/// True signatures under coefficients that the prover chose by what it absorbed in the place of one element.
#[test]
fn every_challenge_and_response_is_absorbed() {
    let mut batch = Batch::new(2);
    for element in 0..4 {
        let old = std::cell::Cell::new(Fr::zero());
        let absorbed = |i: usize, value| {
            if i != element {
                return value;
            }
            old.set(value);
            value + Fr::one()
        };
        let forged =
            batch.forged(&batch.signed, &Prank { absorbed: &absorbed, ..Prank::default() });
        batch.assert_only_copies_refuse("an element", forged, &[old.get()]);
    }
}

/// Signatures of a challenge with another domain, nonce point, key or message than those of the batch.
#[test]
fn what_a_challenge_hashes_is_bound() {
    let mut batch = Batch::new(2);
    for (signature, element) in (0..2).flat_map(|i| (0..6).map(move |element| (i, element))) {
        let old = std::cell::Cell::new(Fr::zero());
        let change = |lane: usize, value: Fr| {
            if lane != element {
                return value;
            }
            old.set(value);
            value + Fr::from(5)
        };
        let mut signed = batch.signed.clone();
        signed[signature] = Signed::hashing(signature, Scalar::ONE, &change);
        let hashed =
            |i: usize, lane, value| if i == signature { change(lane, value) } else { value };
        let forged = batch.forged(&signed, &Prank { hashed: &hashed, ..Prank::default() });
        let what = format!("signature {signature}, element {element}");
        batch.assert_only_copies_refuse(&what, forged, &[old.get()]);
    }
}

/// Each cell that copies bind is rewritten with them: what a batch takes from other gates.
#[test]
fn a_batch_is_determined() {
    assert_eq!(Batch::new(2).circuit.open_classes_given([]), (vec![], 13));
}

/// The same by what fills the last block up, and by the tags that permutations start with.
#[test]
fn what_is_squeezed_has_no_other_source() {
    let mut batch = Batch::new(SIGNATURES);
    let (absorb, stretch) = domains();
    let other = Fr::from(77);
    let pranks = [
        ("filling", Prank { more: vec![other], ..Prank::default() }, Fr::zero()),
        ("absorbing", Prank { domains: (other, stretch), ..Prank::default() }, absorb),
        ("stretching", Prank { domains: (absorb, other), ..Prank::default() }, stretch),
    ];
    for (what, prank, constant) in pranks {
        let forged = batch.forged(&batch.signed, &prank);
        batch.assert_only_copies_refuse(what, forged, &[constant]);
    }
}

/// Signatures for another generator, whose table is written over that of the generator: they are anybody's.
#[test]
fn the_generator_is_a_constant() {
    let base = Scalar::from(5);
    let signed = Signed::all(2, base);
    let mut circuit = TestCircuit::new(columns(), |ctx| {
        build(ctx, &signed, None);
    });
    assert!(!circuit.is_satisfied());
    let forger = circuit.forger();
    // Behind the tables of two keys and of two commitments, twelve rows each.
    let (x, y) = ((0, 4 * 12), (1, 4 * 12));
    let RawPoint { x: was_x, y: was_y } = RawPoint::generator();
    assert_eq!((forger.value(x), forger.value(y)), (was_x, was_y));
    let other = times_generator(base);
    let starts = [(x, other.x), (y, other.y)];
    circuit.assert_only_copies_refuse(&forger, "another generator", &starts);
}

/// Each coordinate alone, with the table.
#[test]
fn each_coordinate_of_the_generator_is_a_constant() {
    let mut circuit = TestCircuit::new(layout(9, &[]), |ctx| {
        AssignedPoint::generator(ctx, 0);
    });
    circuit.assert_satisfied();
    let forger = circuit.forger();
    for column in [0, 1] {
        let value = -forger.value((column, 0));
        circuit.assert_only_copies_refuse(&forger, "a coordinate", &[((column, 0), value)]);
    }
}

/// Every lane of every permutation that absorbs or stretches, with the permutation and all that follow from it:
/// what is batched, the zeros that fill a block up, the tags, the links and the numbers of blocks.
#[test]
fn every_lane_of_the_transcript_is_bound() {
    // Two permutations absorb seven elements and three absorb twelve; two stretch.
    for (elements, absorbing) in [(7, 2), (12, 3)] {
        let mut circuit = TestCircuit::new(layout(9, &[HASH_WIDTH]), |ctx| {
            let values = (0..elements).map(|i| Fr::from(1_000 + i));
            let transcript: Vec<_> = values.map(|value| ctx.load_witness(value)).collect();
            squeeze_pairs(ctx.chips, &transcript, 11);
        });
        circuit.assert_satisfied();
        let forger = circuit.forger();
        let rows = rows_each(HASH_WIDTH, 3).expect("it can be laid out");
        // Six lanes each, three columns a row.
        for permutation in 0..absorbing + 2 {
            for lane in 0..HASH_WIDTH {
                let place = (6 + lane % 3, permutation * rows + lane / 3);
                let value = forger.value(place) + Fr::from(5);
                let what = format!("{elements} elements, permutation {permutation}, lane {lane}");
                circuit.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
            }
        }
    }
}
