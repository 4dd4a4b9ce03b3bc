//! What holds of every hash function: messages of any length, their padding, and their halves.

mod hashes;
mod lies;
mod nist;

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    AssignedValue, QuantumCell,
};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::hash::padding::Message;
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{Forged, GateContext, Layout};

pub(crate) use hashes::{Keccak256, Sha256, Sha512};
pub(crate) use nist::agrees_with_nist;

/// How many cells of the vertical gate other gates take apart.
pub(crate) struct OpenCells {
    /// Of messages: their length and bound, and how many cells and how many classes of them.
    messages: [((usize, usize), [usize; 2]); 3],
    /// Of two halves.
    halves: usize,
}

/// A hash function in circuit and its native twin.
pub(crate) trait Hash {
    /// Lengths with a bound, around the borders of blocks.
    const LENGTHS: &'static [(usize, usize)];

    /// Cells of the vertical gate that stand for what other gates make or take apart.
    const OPEN: OpenCells;

    fn layout(k: u32) -> Layout;

    fn native(message: &[u8]) -> Vec<u8>;

    fn digest(ctx: &mut GateContext, halves: &[QuantumCell<Fr>]) -> Vec<AssignedValue<Fr>>;

    fn digest_up_to(ctx: &mut GateContext, message: Message) -> Vec<AssignedValue<Fr>>;
}

pub(crate) fn circuit<H: Hash>(k: u32, build: impl FnOnce(&mut GateContext)) -> TestCircuit {
    TestCircuit::new(H::layout(k), |ctx| {
        // The mock prover cannot tell of a failure whose gate reaches above the first row.
        if H::layout(k).keccak_lanes == 0 {
            H::digest(ctx, &[]);
        }
        build(ctx);
    })
}

/// Bytes as halves, zeros behind them.
pub(crate) fn halves(message: &[u8], count: usize) -> Vec<Fr> {
    let mut bytes = message.to_vec();
    bytes.resize(16 * count, 0);
    let half = |half: &[u8]| half.iter().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    bytes.chunks(16).map(|bytes| Fr::from_u128(half(bytes))).collect()
}

/// The bytes of a digest.
pub(crate) fn bytes(digest: &[AssignedValue<Fr>]) -> Vec<u8> {
    let half = |cell: &AssignedValue<Fr>| {
        let mut bytes = cell.value().to_repr();
        bytes.reverse();
        bytes[16..].to_vec()
    };
    digest.iter().flat_map(half).collect()
}

/// A circuit that hashes `length` bytes of `message`, at most `bound`, and the digest that it finds.
pub(crate) fn up_to<H: Hash>(
    message: &[u8],
    length: usize,
    bound: usize,
) -> (TestCircuit, Vec<u8>) {
    let mut digest = vec![];
    let test = circuit::<H>(13, |ctx| {
        let cells = ctx.assign_witnesses(halves(message, bound.div_ceil(16)));
        let length = ctx.load_witness(Fr::from(length as u64));
        let message = Message { halves: &cells, length, bound };
        digest = bytes(&H::digest_up_to(ctx, message));
    });
    (test, digest)
}

/// Numbers of halves, one of them a constant.
fn agrees_with_the_native_hash<H: Hash>(counts: &[usize]) {
    let mut rng = ChaCha20Rng::seed_from_u64(20);
    let test = circuit::<H>(15, |ctx| {
        for count in counts {
            let mut message = vec![0; 16 * count];
            rng.fill_bytes(&mut message);
            let constant = rng.gen_range(0..=*count);
            let cells: Vec<_> = halves(&message, *count)
                .into_iter()
                .enumerate()
                .map(|(i, half)| match i {
                    i if i == constant => QuantumCell::Constant(half),
                    _ => QuantumCell::Existing(ctx.load_witness(half)),
                })
                .collect();
            let digest = H::digest(ctx, &cells);
            assert_eq!(bytes(&digest), H::native(&message));
        }
    });
    test.assert_satisfied();
}

#[test]
fn agree_with_the_native_hash() {
    agrees_with_the_native_hash::<Keccak256>(&[0, 1, 4, 8, 9, 17]);
    agrees_with_the_native_hash::<Sha256>(&[0, 1, 3, 4, 6, 7]);
    agrees_with_the_native_hash::<Sha512>(&[0, 1, 6, 7, 8, 14, 15]);
}

fn every_length<H: Hash>() {
    let mut rng = ChaCha20Rng::seed_from_u64(21);
    for &(length, bound) in H::LENGTHS {
        let mut message = vec![0; length];
        rng.fill_bytes(&mut message);
        let (test, digest) = up_to::<H>(&message, length, bound);
        assert_eq!(digest, H::native(&message), "{length} of {bound}");
        test.assert_satisfied();
    }
}

#[test]
fn every_length_of_keccak() {
    every_length::<Keccak256>();
}

#[test]
fn every_length_of_sha256() {
    every_length::<Sha256>();
}

#[test]
fn every_length_of_sha512() {
    every_length::<Sha512>();
}

fn refuses_bytes_behind_the_message_and_larger_lengths<H: Hash>() {
    let message = [0xff; 140];
    for (written, length, bound) in
        [(4, 3, 32), (17, 16, 32), (17, 1, 32), (1, 0, 32), (32, 31, 40)]
    {
        let (test, _) = up_to::<H>(&message[..written], length, bound);
        assert!(!test.is_satisfied(), "{written} bytes for a length of {length}");
    }
    for (length, bound) in [(33, 32), (41, 40), (48, 40)] {
        let (test, _) = up_to::<H>(&[], length, bound);
        assert!(!test.is_satisfied(), "{length} of {bound}");
    }
}

#[test]
fn refuse_bytes_behind_the_message_and_larger_lengths() {
    refuses_bytes_behind_the_message_and_larger_lengths::<Keccak256>();
    refuses_bytes_behind_the_message_and_larger_lengths::<Sha256>();
    refuses_bytes_behind_the_message_and_larger_lengths::<Sha512>();
}

fn refuses_halves_that_are_too_large<H: Hash>() {
    let hash = |half: Fr| {
        circuit::<H>(13, |ctx| {
            let half = ctx.load_witness(half);
            H::digest(ctx, &[half.into()]);
        })
    };
    let bound = Fr::from_u128(u128::MAX) + Fr::ONE;
    assert!(hash(bound - Fr::ONE).is_satisfied());
    assert!(!hash(bound).is_satisfied());
    assert!(!hash(-Fr::ONE).is_satisfied());
}

#[test]
fn refuse_halves_that_are_too_large() {
    refuses_halves_that_are_too_large::<Keccak256>();
    refuses_halves_that_are_too_large::<Sha256>();
    refuses_halves_that_are_too_large::<Sha512>();
}

/// Another digest or message in its cells.
fn results_are_bound<H: Hash>() {
    let mut values = vec![];
    let mut test = circuit::<H>(13, |ctx| {
        let halves = ctx.assign_witnesses(halves(b"abc", 1));
        let length = ctx.load_witness(Fr::from(3));
        let digest = H::digest_up_to(ctx, Message { halves: &halves, length, bound: 16 });
        values.extend(digest.iter().chain(&halves).map(|cell| *cell.value()));
    });
    test.assert_satisfied();
    for value in values {
        let forged = test.replace(&[(value, value + Fr::ONE)]);
        assert!(!forged.is_empty());
        assert!(!test.is_satisfied_with_all(forged));
    }
}

#[test]
fn digests_and_messages_are_bound() {
    results_are_bound::<Keccak256>();
    results_are_bound::<Sha256>();
    results_are_bound::<Sha512>();
}

/// Cells of the vertical gate: the taking apart of a length, the padding, and the choice of a block.
fn every_cell_is_bound<H: Hash>((length, bound): (usize, usize)) {
    let (mut test, _) = up_to::<H>(&vec![7; length], length, bound);
    test.assert_satisfied();
    let advice = test.advice();
    // The vertical gate has the last column.
    let column = advice.len() - 1;
    let survivors: Vec<_> = (0..test.gates().usage().vertical_cells)
        .step_by(17)
        .filter(|row| {
            let value = Fr::ONE - advice[column][*row];
            test.is_satisfied_with(Forged { column, row: *row, value })
        })
        .collect();
    assert!(survivors.is_empty(), "{survivors:?}");
}

#[test]
fn every_cell_of_the_padding_is_bound() {
    every_cell_is_bound::<Sha256>((61, 70));
    every_cell_is_bound::<Sha512>((125, 135));
}

/// The bits of a length of 61 that tell of another one, with the sums that follow from them.
#[test]
fn lengths_are_taken_apart_in_one_way() {
    let (honest, _) = up_to::<Sha256>(&[7; 61], 61, 70);
    let (other, _) = up_to::<Sha256>(&[7; 61], 62, 70);
    let [honest_cells, other_cells] = [&honest, &other].map(TestCircuit::advice);
    let forged: Vec<_> = honest_cells
        .iter()
        .zip(&other_cells)
        .enumerate()
        .flat_map(|(column, (old, new))| {
            let rows = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new);
            rows.map(move |(row, (_, new))| Forged { column, row, value: *new }).collect::<Vec<_>>()
        })
        .collect();
    // The same circuit: the whole witness of another length is one, but for that the length itself is left.
    let mut test = honest;
    assert!(test.is_satisfied_with_all(forged.clone()));
    let length = Fr::from(62);
    let (kept, rest): (Vec<_>, Vec<_>) = forged.into_iter().partition(|cell| cell.value == length);
    assert!(!kept.is_empty());
    assert!(!test.is_satisfied_with_all(rest));
}

fn is_determined<H: Hash>() {
    let OpenCells { messages, halves: of_halves } = H::OPEN;
    let open = messages.map(|((length, bound), _)| {
        let message: Vec<_> = (1..=length as u8).collect();
        let mut inputs = 0..0;
        let test = circuit::<H>(13, |ctx| {
            inputs.start = ctx.advice.len();
            let halves = ctx.assign_witnesses(halves(&message, bound.div_ceil(16)));
            let length = ctx.load_witness(Fr::from(length as u64));
            inputs.end = ctx.advice.len();
            H::digest_up_to(ctx, Message { halves: &halves, length, bound });
        });
        test.assert_satisfied();
        let (cells, passed_on) = test.open_values_given(inputs.clone());
        let (classes, passed_on_together) = test.open_classes_given(inputs);
        assert!(cells.is_empty() && classes.is_empty(), "{cells:?} {classes:?}");
        ((length, bound), [passed_on, passed_on_together])
    });
    assert_eq!(open, messages);
    let message: Vec<_> = (1..=21).collect();
    let fixed = circuit::<H>(13, |ctx| {
        let halves = halves(&message, 2).into_iter().map(|half| ctx.load_witness(half).into());
        let halves: Vec<QuantumCell<Fr>> = halves.collect();
        H::digest(ctx, &halves);
    });
    fixed.assert_satisfied();
    assert_eq!(fixed.open_values(), (vec![], of_halves));
}

/// Each cell of the vertical gate is rewritten, with all that follows from it.
#[test]
fn hashes_are_determined() {
    is_determined::<Keccak256>();
    is_determined::<Sha256>();
}

/// Of thirteen blocks, one of which ends the message.
#[test]
fn long_hashes_are_determined() {
    const BOUND: usize = 816;
    let message = vec![0x5a; 700];
    let mut inputs = 0..0;
    let test = circuit::<Sha256>(15, |ctx| {
        inputs.start = ctx.advice.len();
        let halves = ctx.assign_witnesses(halves(&message, BOUND / 16));
        let length = ctx.load_witness(Fr::from(message.len() as u64));
        inputs.end = ctx.advice.len();
        Sha256::digest_up_to(ctx, Message { halves: &halves, length, bound: BOUND });
    });
    test.assert_satisfied();
    assert_eq!(test.open_values_given(inputs).0, vec![]);
}

#[test]
fn sha512_is_determined() {
    is_determined::<Sha512>();
}
