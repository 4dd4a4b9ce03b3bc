//! Keccak-256 and Ethereum addresses, in circuit.

#[cfg(test)]
mod tests;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    AssignedValue, QuantumCell,
};

use crate::hash::padding::{byte_power, Message, Padded, Part, Rule, HALF};
use muster_gates::{
    chain,
    keccak::{bits, spread, Lane, Permuted, SpreadHalf},
    vertical, GateContext,
};
use muster_schemes::hash::keccak::native::RATE;

/// Lanes that a block absorbs.
const RATE_LANES: usize = RATE / 8;

const RULE: Rule = Rule { block: RATE, first: 0x01, tail: 0, prefix: 0 };

/// A digest of 32 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    high: SpreadHalf,
    low: SpreadHalf,
}

impl Digest {
    /// The first and the last 16 bytes as big-endian integers below `2^128`.
    pub fn halves(&self) -> [AssignedValue<Fr>; 2] {
        [self.high.half(), self.low.half()]
    }

    /// The four lanes.
    pub fn lanes(&self) -> [Lane; 4] {
        let ([a, b], [c, d]) = (self.high.lanes(), self.low.lanes());
        [a, b, c, d]
    }

    /// The last 20 bytes as a big-endian integer.
    pub fn address(&self, ctx: &mut GateContext) -> AssignedValue<Fr> {
        let bits = bits(self.high.last().value());
        let upper = Fr::from(u64::from((bits as u32).swap_bytes()));
        self.address_of_hint(ctx, upper)
    }

    /// The same with a hint of bytes 12 to 15 as an integer.
    fn address_of_hint(&self, ctx: &mut GateContext, upper: Fr) -> AssignedValue<Fr> {
        // Bytes 12 to 15 alone, moved to the end of a half of zeros.
        let upper = ctx.chips.keccak().spread_half(QuantumCell::Witness(upper));
        let shift = QuantumCell::Constant(spread(1 << 32));
        let moved = ctx.gate.mul(ctx, self.high.last(), shift);
        vertical::assert_equal(ctx, &upper.words()[1], &moved);
        let zero = vertical::load_zero(ctx);
        vertical::assert_equal(ctx, &upper.words()[0], &zero);
        let weight = QuantumCell::Constant(byte_power(HALF));
        ctx.gate.mul_add(ctx, upper.half(), weight, self.low.half())
    }
}

/// The hash of `halves`, 16 bytes each as big-endian integers; a half that is not below `2^128` fails. The
/// twin of [`keccak256`](muster_schemes::hash::keccak::keccak256).
pub fn keccak256(ctx: &mut GateContext, halves: &[QuantumCell<Fr>]) -> Digest {
    let lanes = halves.iter().flat_map(|half| Lane::parts(ctx, half)).collect();
    keccak256_of_lanes(ctx, lanes, &[])
}

/// The hash of `lanes` and of the constant bytes `behind` them.
pub fn keccak256_of_lanes(ctx: &mut GateContext, lanes: Vec<Lane>, behind: &[u8]) -> Digest {
    padded(ctx, lanes, [behind, &[RULE.first]].concat())
}

/// The hash of `halves` and of so many `bytes` of `last` behind them, less than a half: a big-endian integer, which is checked to
/// be below `256^bytes`.
///
/// # Panics
/// If the last half is not whole in the block in which the message is padded, or fills it.
pub fn keccak256_with_last(
    ctx: &mut GateContext,
    halves: &[QuantumCell<Fr>],
    (last, bytes): (AssignedValue<Fr>, usize),
) -> Digest {
    assert!((1..HALF).contains(&bytes), "some bytes, and less than a half");
    assert_eq!(ctx.range.rounded(8 * bytes), 8 * bytes, "whole limbs have no bits to spare");
    // The last byte of padding stands in the block in which the message ends, and behind the half.
    let before = HALF * halves.len();
    let end = RATE * ((before + bytes) / RATE + 1);
    assert!(before + HALF < end, "the block has room behind the last half");
    let last = ctx.range.check(QuantumCell::Existing(last), 8 * bytes);
    // The first byte of padding stands in the same half.
    let first = Fr::from(u64::from(RULE.first)) * byte_power(HALF - 1 - bytes);
    let place = QuantumCell::Constant(byte_power(HALF - bytes));
    let start = QuantumCell::Constant(first);
    let last = chain::sum(ctx, start, &[(QuantumCell::Existing(last), place)]);
    let halves = halves.iter().copied().chain([QuantumCell::Existing(last)]);
    let lanes = halves.flat_map(|half| Lane::parts(ctx, &half)).collect();
    padded(ctx, lanes, vec![])
}

/// The hash of a message of `lanes` and the bytes of `end`, which has the first byte of padding in either. Not all of the last block is in
/// the lanes.
fn padded(ctx: &mut GateContext, mut lanes: Vec<Lane>, mut end: Vec<u8>) -> Digest {
    let bytes = 8 * lanes.len() + end.len();
    end.resize(end.len() + bytes.next_multiple_of(RATE) - bytes, 0);
    *end.last_mut().expect("there is padding") |= 0x80;
    lanes.extend(end.chunks_exact(8).map(|lane| {
        let lane = lane.try_into().expect("chunks of 8 bytes");
        Lane::constant(u64::from_le_bytes(lane))
    }));
    let mut state = None;
    for block in lanes.chunks(RATE_LANES) {
        state = Some(ctx.chips.keccak().absorb(ctx, state.as_ref(), block));
    }
    squeeze(ctx, &state.expect("padding fills a block"))
}

/// The hash of a message, after which its halves hold zeros. Anything else after it fails, and so
/// does a larger length.
///
/// # Panics
/// If there are not as many halves as `bound` bytes take, or `bound` is 0.
pub fn keccak256_up_to(ctx: &mut GateContext, message: Message) -> Digest {
    let mut padded = Padded::new(ctx, message, RULE);
    let ends = padded.ends.clone();
    for (block, end) in ends.iter().enumerate() {
        let last = RATE * (block + 1) - 1;
        padded.add(last / HALF, *end, Fr::from(0x80) * byte_power(HALF - 1 - last % HALF));
    }
    let lanes: Vec<Lane> = padded.parts(ctx);
    let mut states: Vec<Permuted> = vec![];
    for block in lanes.chunks_exact(RATE_LANES) {
        states.push(ctx.chips.keccak().absorb(ctx, states.last(), block));
    }
    let chosen = Permuted::choose(ctx, &states, &ends);
    squeeze(ctx, &chosen)
}

/// The Ethereum address of an uncompressed public key, given the first and the last 16 bytes of each
/// coordinate. The twin of [`address`](muster_schemes::hash::keccak::address).
pub fn address(
    ctx: &mut GateContext,
    x: [AssignedValue<Fr>; 2],
    y: [AssignedValue<Fr>; 2],
) -> AssignedValue<Fr> {
    let key = [x, y].concat().into_iter().map(QuantumCell::Existing).collect::<Vec<_>>();
    keccak256(ctx, &key).address(ctx)
}

/// The two lanes of 16 bytes.
impl Part for Lane {
    fn parts(ctx: &mut GateContext, half: &QuantumCell<Fr>) -> Vec<Self> {
        match half {
            QuantumCell::Constant(half) => {
                let bytes = half.to_repr();
                assert!(
                    bytes.as_ref()[HALF..].iter().all(|byte| *byte == 0),
                    "a half has 16 bytes"
                );
                let lane = |first: usize| {
                    let lane: [u8; 8] =
                        bytes.as_ref()[first..first + 8].try_into().expect("8 bytes");
                    Self::constant(u64::from_be_bytes(lane))
                };
                vec![lane(8), lane(0)]
            }
            _ => ctx.chips.keccak().spread_half(*half).lanes().to_vec(),
        }
    }
}

/// The first four lanes as a digest.
fn squeeze(ctx: &mut GateContext, state: &Permuted) -> Digest {
    let lanes = ctx.chips.keccak().squeeze(ctx, state);
    let mut half = |lanes: &[AssignedValue<Fr>]| {
        let [first, second] = [0, 1].map(|i| bits(lanes[i].value()).swap_bytes());
        half_of_hint(ctx, lanes, Fr::from(first) * byte_power(8) + Fr::from(second))
    };
    Digest { high: half(&lanes[..2]), low: half(&lanes[2..]) }
}

/// The half that two lanes make, from a hint of it.
fn half_of_hint(ctx: &mut GateContext, lanes: &[AssignedValue<Fr>], half: Fr) -> SpreadHalf {
    let half = ctx.chips.keccak().spread_half(QuantumCell::Witness(half));
    half.words().iter().zip(lanes).for_each(|(a, b)| vertical::assert_equal(ctx, a, b));
    half
}
