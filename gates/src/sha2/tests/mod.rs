mod chains;
mod orders;
mod spare;
mod steps;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::ConstraintSystem,
};
use muster_testing::sampled;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use sha2::{compress512, digest::generic_array::GenericArray};

use super::{
    format::Format,
    spec::{Sha2, Sha256, Sha512, MESSAGE, STATE},
    Sha2Chip, Word,
};
use crate::{
    forgery::testing::{layout, TestCircuit},
    Chips, Forged, Layout, Sha2Layout,
};
use muster_schemes::hash::{sha256, sha512};

/// Bits of a lookup of these circuits.
const RANGE_BITS: usize = 8;
/// Words of a hash value.
const WORDS: usize = 2 * STATE;

/// A hash function and its native twin.
trait Twin: Sha2 {
    fn layout(lanes: usize, bits: usize) -> Layout;

    fn chip(chips: &Chips) -> &Sha2Chip<Self>;

    fn initial() -> [u64; WORDS];

    fn compress(state: [u64; WORDS], block: &[u64; MESSAGE]) -> [u64; WORDS];
}

impl Twin for Sha256 {
    fn layout(lanes: usize, bits: usize) -> Layout {
        Layout { sha256: Some(Sha2Layout { lanes, bits }), ..layout(14, &[]) }
    }

    fn chip(chips: &Chips) -> &Sha2Chip<Self> {
        chips.sha256()
    }

    fn initial() -> [u64; WORDS] {
        sha256::native::INITIAL.map(u64::from)
    }

    fn compress(state: [u64; WORDS], block: &[u64; MESSAGE]) -> [u64; WORDS] {
        let bytes: Vec<_> = block.iter().flat_map(|word| (*word as u32).to_be_bytes()).collect();
        let state = state.map(|word| word as u32);
        sha256::native::compress(state, &bytes.try_into().unwrap()).map(u64::from)
    }
}

impl Twin for Sha512 {
    fn layout(lanes: usize, bits: usize) -> Layout {
        Layout { sha512: Some(Sha2Layout { lanes, bits }), ..layout(13, &[]) }
    }

    fn chip(chips: &Chips) -> &Sha2Chip<Self> {
        chips.sha512()
    }

    fn initial() -> [u64; WORDS] {
        sha512::native::INITIAL
    }

    fn compress(mut state: [u64; WORDS], block: &[u64; MESSAGE]) -> [u64; WORDS] {
        let bytes: Vec<_> = block.iter().flat_map(|word| word.to_be_bytes()).collect();
        compress512(&mut state, &[GenericArray::clone_from_slice(&bytes)]);
        state
    }
}

fn format<H: Sha2>(bits: usize) -> Format {
    Format::new(H::SPEC, bits)
}

fn word<H: Sha2>(word: u64) -> H::Int {
    word.try_into().ok().expect("a word")
}

fn constants<H: Sha2, const N: usize>(words: [u64; N]) -> [Word<H>; N] {
    words.map(|integer| Word::constant(word::<H>(integer)))
}

/// Words whose bits are all 1.
fn ones<H: Sha2>() -> [u64; MESSAGE] {
    [u64::MAX >> (64 - H::SPEC.word); MESSAGE]
}

fn random_block<H: Sha2>(rng: &mut ChaCha20Rng) -> [u64; MESSAGE] {
    std::array::from_fn(|_| rng.r#gen::<u64>() >> (64 - H::SPEC.word))
}

/// A chain over `blocks`, checked against the native one.
fn chain<H: Twin>(chips: &Chips, blocks: &[[u64; MESSAGE]]) {
    let witness = |integer| Word::witness(&chips.range, word::<H>(integer));
    let messages: Vec<_> = blocks.iter().map(|block| block.map(witness)).collect();
    let first = constants(H::initial());
    let compressed = H::chip(chips).compress(&chips.range, &first, &messages);
    let mut state = H::initial();
    for (block, value) in blocks.iter().zip(&compressed.values) {
        state = H::compress(state, block);
        for (word, cell) in state.iter().zip(value) {
            assert_eq!(*cell.cell().value(), Fr::from(*word));
        }
    }
}

/// A circuit of one lane whose first chain is of one compression, of zeros: the mock prover cannot tell of a failure
/// whose gate reaches above the first row.
fn circuit<H: Twin>(bits: usize, build: impl FnOnce(&Chips)) -> TestCircuit {
    TestCircuit::new(H::layout(1, bits), |ctx| {
        chain::<H>(ctx.chips, &[[0; MESSAGE]]);
        build(ctx.chips);
    })
}

/// A compression behind that.
fn one_block<H: Twin>(bits: usize, seed: u64) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    circuit::<H>(bits, |chips| chain::<H>(chips, &[random_block::<H>(&mut rng)]))
}

fn compresses<H: Twin>(lanes: usize, bits: usize) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let layout = Layout { k: 14, ..H::layout(lanes, bits) };
    let test = TestCircuit::new(layout, |ctx| {
        chain::<H>(ctx.chips, &[[0; MESSAGE]]);
        let mut random = || random_block::<H>(&mut rng);
        chain::<H>(ctx.chips, &[ones::<H>(), random()]);
        chain::<H>(ctx.chips, &[random(), random(), random()]);
        chain::<H>(ctx.chips, &[random()]);
    });
    test.assert_satisfied();
}

#[test]
fn sha256_compresses() {
    for (lanes, bits) in sampled([(1, 4), (2, 4), (1, 1), (2, 2), (1, 3), (1, 5)], 3) {
        compresses::<Sha256>(lanes, bits);
    }
}

#[test]
fn sha512_compresses() {
    let narrow = [(1, 4), (1, 3), (2, 5), (1, 6), (1, 7)];
    let wide = [(2, 8), (1, 16), (3, 16), (2, 11), (1, 13), (1, 15)];
    for (lanes, bits) in sampled(narrow.into_iter().chain(wide), 4) {
        compresses::<Sha512>(lanes, bits);
    }
    let test = one_block::<Sha512>(2, 1);
    test.assert_satisfied();
}

#[test]
fn columns() {
    fn count<H: Twin>(bits: usize) {
        let mut meta = ConstraintSystem::<Fr>::default();
        let gate = Sha2Layout { bits, lanes: 2 };
        super::Sha2Config::configure::<H>(&mut meta, gate);
        let counted = (gate.lanes * gate.columns(), gate.fixed_columns(H::SPEC.word));
        assert_eq!((meta.num_advice_columns(), meta.num_fixed_columns()), counted, "{bits}");
    }
    (1..=5).for_each(count::<Sha256>);
    (1..=16).for_each(count::<Sha512>);
}

#[test]
fn rows() {
    let test = one_block::<Sha256>(4, 5);
    assert_eq!(test.gates().usage().sha256_rows, 2 * 72 * 8);
    for bits in [4, 8, 16] {
        let test = one_block::<Sha512>(bits, 5);
        assert_eq!(test.gates().usage().sha512_rows, 2 * 88 * 64 / bits);
        let format = format::<Sha512>(bits);
        assert_eq!(format.chain_rows(2) - format.chain_rows(1), 84 * 64 / bits);
    }
}
