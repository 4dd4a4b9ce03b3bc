//! CometBFT's precommits in circuit: what a validator signs.

#[cfg(test)]
#[path = "../../../../schemes/src/signature/cometbft/tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::fe_to_biguint,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::hash::{
    padding::{big_endian, Message, HALF},
    sha256,
    text::{Frame, Short, Text, UncheckedText, Varint},
};
use muster_gates::{
    chain,
    small::Bit,
    vertical::{assert_equal, load_constant},
    GateContext,
};
use muster_schemes::hash::sha256::Midstate;
use muster_schemes::signature::cometbft::{wire, Timestamp, ENCODED, MAX_CHAIN_ID, SECOND, TAG};

/// Halves of an encoding.
pub const HALVES: usize = ENCODED / HALF;

/// Bytes of a hash.
const HASH: usize = 32;

/// Bytes of what a validator signs, at least and at most.
pub const SIGNED: (usize, usize) = (88, 171);

// After R and A, 64 bytes, and with at least 17 bytes of padding, it always ends in the second block of SHA-512.
const _: () = assert!(64 + SIGNED.0 + 17 > 128 && 64 + SIGNED.1 + 17 <= 256);

/// What the precommits for a block share, in circuit.
#[derive(Clone, Debug)]
pub struct SharedVote {
    digest: [AssignedValue<Fr>; 2],
    /// Everything before the time.
    frame: Frame,
    /// The field of the chain's name, after the time.
    chain_id: Text,
}

impl SharedVote {
    /// Reads the halves of an [encoding](muster_schemes::signature::cometbft::Precommit::encode). Cells that are no
    /// encoding fail, except that the chain's name may be any bytes, not only UTF-8.
    pub fn new(ctx: &mut GateContext, halves: &[AssignedValue<Fr>; HALVES]) -> Self {
        // The hash shows that each half is below 2^128.
        let digest = sha256::digest(ctx, &Midstate::START, &halves.map(Existing));
        let (height, round) = numbers(ctx, halves[0]);
        let (total, length) = sizes(ctx, halves[5]);
        let block = [&halves[1..3], &halves[3..5]];
        let beginning = beginning(ctx, (height, round), &total, block);
        let frame = Frame::new(ctx, &beginning);
        let name = Message { halves: &halves[6..], length, bound: MAX_CHAIN_ID };
        let chain_id = chain_id(ctx, name);
        Self { digest, frame, chain_id }
    }

    /// The SHA-256 of the encoding in two halves, which the caller binds to the public message.
    pub fn digest(&self) -> [AssignedValue<Fr>; 2] {
        self.digest
    }

    /// What a validator that saw the block at some time signs; the witness is `time`.
    pub fn signed(&self, ctx: &mut GateContext, time: &Timestamp) -> UncheckedText {
        let time = timestamp(ctx, time);
        let signed = self.frame.fill(ctx, (&time, &self.chain_id));
        assert_eq!(signed.bounds(), SIGNED, "as many bytes as the blocks of a hash are made for");
        signed
    }
}

/// The field of some time, at most 19 bytes; the witness is `time`.
fn timestamp(ctx: &mut GateContext, time: &Timestamp) -> Text {
    let seconds = Varint::new(ctx, time.seconds() as u64, u64::MAX);
    let nanos = Varint::new(ctx, time.nanos().into(), u64::from(SECOND - 1));
    let seconds = seconds.behind(ctx, &[wire::SECONDS]);
    let nanos = nanos.behind(ctx, &[wire::NANOS]);
    let fields = seconds.then(ctx, &nanos);
    let field = delimited(ctx, wire::TIMESTAMP, &fields);
    Text::of_short(ctx, &field)
}

/// A field of bytes: its tag, their length, and the bytes.
fn delimited(ctx: &mut GateContext, tag: u8, bytes: &Short) -> Short {
    let length = bytes.length_byte(ctx);
    [&length, bytes].iter().fold(Short::constant(ctx, &[tag]), |field, next| field.then(ctx, next))
}

/// The field of the chain's name, which is not empty.
fn chain_id(ctx: &mut GateContext, name: Message) -> Text {
    assert_not_zero(ctx, name.length);
    let tag = Short::constant(ctx, &[wire::CHAIN_ID]);
    let length = Short::number(ctx, name.length, 1);
    let before = tag.then(ctx, &length);
    let before = Text::of_short(ctx, &before);
    let name = Text::of_message(ctx, name);
    before.then(ctx, &name).text(ctx)
}

/// Everything before the time.
fn beginning(
    ctx: &mut GateContext,
    (height, round): (AssignedValue<Fr>, AssignedValue<Fr>),
    total: &Varint,
    [hash, parts_hash]: [&[AssignedValue<Fr>]; 2],
) -> Text {
    let total = total.behind(ctx, &[wire::TOTAL]);
    let [block_length, parts_length] = lengths(ctx, &total);
    let has_round = Bit::is_not_zero(ctx, round);
    let round = Short::number(ctx, round, 8);
    let round = Short::constant(ctx, &[wire::ROUND]).then(ctx, &round);
    let round = round.kept(ctx, has_round);
    let height = Short::number(ctx, height, 8);
    let mut constant = |bytes: &[u8]| Short::constant(ctx, bytes);
    let size = HASH as u8;
    let head = [
        constant(&[wire::TYPE, wire::PRECOMMIT, wire::HEIGHT]),
        height,
        round,
        constant(&[wire::BLOCK_ID]),
        block_length,
        constant(&[wire::HASH, size]),
    ];
    let middle =
        [constant(&[wire::PARTS]), parts_length, total, constant(&[wire::PARTS_HASH, size])];
    let head = text(ctx, &head);
    let hash = Text::of_halves(ctx, hash);
    let middle = text(ctx, &middle);
    let parts_hash = Text::of_halves(ctx, parts_hash);
    let head = head.then(ctx, &hash).text(ctx);
    let head = head.then(ctx, &middle).text(ctx);
    head.then(ctx, &parts_hash).text(ctx)
}

/// The lengths of the two messages that contain the number of parts; everything else in them is fixed.
fn lengths(ctx: &mut GateContext, total: &Short) -> [Short; 2] {
    let hash_field = 2 + HASH;
    [hash_field + 2 + hash_field, hash_field].map(|fixed| {
        let fixed = Constant(Fr::from(fixed as u64));
        let one = Constant(Fr::ONE);
        let length = chain::sum(ctx, fixed, &[(one, Existing(total.length()))]);
        Short::number(ctx, length, 1)
    })
}

/// The concatenation of strings.
fn text(ctx: &mut GateContext, strings: &[Short]) -> Text {
    let [first, others @ ..] = strings else { panic!("there is a string") };
    let string = others.iter().fold(*first, |string, next| string.then(ctx, next));
    Text::of_short(ctx, &string)
}

/// A prover's claim about the bytes of height and round: little-endian numbers are split at the byte that has their
/// sign.
#[derive(Clone, Copy, Debug)]
struct NumbersHint {
    /// The first seven bytes of the height, and the last one.
    height: [Fr; 2],
    /// The first three bytes of the round, and the fourth.
    round: [Fr; 2],
}

impl NumbersHint {
    fn new(half: &Fr) -> Self {
        let half = fe_to_biguint(half);
        let bits = |from: u32, count: u32| {
            let bits = (&half >> from) % (BigUint::from(1u8) << count);
            Fr::from(bits.to_u64().expect("at most 64 bits"))
        };
        Self { height: [bits(72, 56), bits(64, 8)], round: [bits(40, 24), bits(32, 8)] }
    }
}

/// Height and round of the first half, as big-endian integers of their eight bytes in either order: what is written is
/// little-endian already.
fn numbers(
    ctx: &mut GateContext,
    half: AssignedValue<Fr>,
) -> (AssignedValue<Fr>, AssignedValue<Fr>) {
    numbers_of_hint(ctx, half, &NumbersHint::new(half.value()))
}

/// The same from a hint. The half is below `2^128`, so the first seven bytes of the height have no more bits than that;
/// all else has its exact bound.
fn numbers_of_hint(
    ctx: &mut GateContext,
    half: AssignedValue<Fr>,
    hint: &NumbersHint,
) -> (AssignedValue<Fr>, AssignedValue<Fr>) {
    let [first, sign] = hint.height;
    let first = ctx.range.check(Witness(first), 56);
    let sign = below(ctx, sign, 7);
    let [round_first, round_sign] = hint.round;
    let round_first = below(ctx, round_first, 24);
    let round_sign = below(ctx, round_sign, 7);
    let byte = |ctx: &mut Context<Fr>, first: AssignedValue<Fr>, last: AssignedValue<Fr>| {
        chain::sum(ctx, Existing(last), &[(Existing(first), Constant(Fr::from(1 << 8)))])
    };
    let height = byte(ctx, first, sign);
    let round = byte(ctx, round_first, round_sign);
    let round = ctx.gate.mul(ctx, round, Constant(Fr::from(1 << 32)));
    let weight = Constant(Fr::from(2).pow_vartime([64]));
    chain::assert_sum(ctx, Existing(round), &[(Existing(height), weight)], Existing(half));
    assert_not_zero(ctx, height);
    (height, round)
}

/// A number below `2^bits`: it and its distance to the largest such number are range-checked.
fn below(ctx: &mut GateContext, number: Fr, bits: usize) -> AssignedValue<Fr> {
    let number = ctx.range.check(Witness(number), bits);
    let left = ctx.gate.sub(ctx, Constant(Fr::from((1 << bits) - 1)), number);
    ctx.range.check(left, bits);
    number
}

/// The number of parts, and the length of the chain's name, from the half that begins with the tag.
fn sizes(ctx: &mut GateContext, half: AssignedValue<Fr>) -> (Varint, AssignedValue<Fr>) {
    let bits = fe_to_biguint(half.value()) % (1u64 << 40);
    let bits = bits.to_u64().expect("40 bits");
    sizes_of_hint(ctx, half, (bits >> 8, Fr::from(bits & 0xff)))
}

/// The same from hints of both. The name is shown to have at most 50 bytes where it is made a text, and the number of
/// parts has 32 bits, so the sum is one of integers.
fn sizes_of_hint(
    ctx: &mut GateContext,
    half: AssignedValue<Fr>,
    (total, length): (u64, Fr),
) -> (Varint, AssignedValue<Fr>) {
    let tag = load_constant(ctx, big_endian(TAG));
    let total = Varint::new(ctx, total, u32::MAX.into());
    let number = total.value(ctx);
    let length = ctx.load_witness(length);
    let terms = [
        (Existing(tag), Constant(Fr::from(1 << 40))),
        (Existing(number), Constant(Fr::from(1 << 8))),
    ];
    chain::assert_sum(ctx, Existing(length), &terms, Existing(half));
    assert_not_zero(ctx, number);
    (total, length)
}

fn assert_not_zero(ctx: &mut GateContext, number: AssignedValue<Fr>) {
    let is_not_zero = Bit::is_not_zero(ctx, number).cell();
    let one = load_constant(ctx, Fr::ONE);
    assert_equal(ctx, &is_not_zero, &one);
}
