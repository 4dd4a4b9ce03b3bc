//! Numbers as protobuf writes them.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};

use super::short::{Short, Shown};
use crate::hash::padding::{big_endian, byte_power};
use muster_gates::{chain, small::OneHot, GateContext};

/// Bits of a byte that belong to the number.
const GROUP: usize = 7;
/// All bits of a group.
const FULL: u64 = (1 << GROUP) - 1;

/// A number that is written as a varint: seven bits per byte, the lowest first, in the fewest bytes. 0 takes none,
/// since protobuf leaves out a field that is 0.
#[derive(Clone, Debug)]
pub struct Varint {
    /// The number of bytes.
    bytes: OneHot,
    /// For each byte its seven bits or, for the last one, these minus 1.
    groups: Vec<AssignedValue<Fr>>,
}

/// What a prover claims about a number.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    /// Bytes that it is written in.
    pub(super) bytes: usize,
    /// As in [`Varint`].
    pub(super) groups: Vec<Fr>,
}

impl Hint {
    pub(super) fn new(value: u64, most: u64) -> Self {
        let bytes = size(value);
        let group = |i: usize| (value >> (GROUP * i) & FULL) - u64::from(i + 1 == bytes);
        Self { bytes, groups: (0..size(most)).map(|i| Fr::from(group(i))).collect() }
    }
}

/// Bytes of a number.
fn size(value: u64) -> usize {
    (u64::BITS as usize - value.leading_zeros() as usize).div_ceil(GROUP)
}

impl Varint {
    /// The number `value`, which the prover chooses, from 0 to `most`.
    ///
    /// # Panics
    /// If `most` is 0.
    pub fn new(ctx: &mut GateContext, value: u64, most: u64) -> Self {
        Self::of_hint(ctx, &Hint::new(value, most), most)
    }

    /// The same with a hint.
    pub(super) fn of_hint(ctx: &mut GateContext, hint: &Hint, most: u64) -> Self {
        assert!(most > 0, "there are numbers to write");
        let bytes = OneHot::new(ctx, size(most) + 1, hint.bytes);
        let groups: Vec<_> =
            hint.groups.iter().map(|group| ctx.range.check(Witness(*group), GROUP)).collect();
        assert_groups(ctx, (&bytes, &groups), most);
        let number = Self { bytes, groups };
        if !(u128::from(most) + 1).is_power_of_two() {
            let value = number.value(ctx);
            let less = ctx.gate.sub(ctx, Constant(Fr::from(most)), value);
            ctx.range.check(less, u64::BITS as usize - most.leading_zeros() as usize);
        }
        number
    }

    /// The number.
    pub fn value(&self, ctx: &mut Context<Fr>) -> AssignedValue<Fr> {
        let weight = |i: usize| Fr::from(1 << GROUP).pow_vartime([i as u64]);
        let weights = (0..self.groups.len()).map(weight);
        let ends: Vec<_> = std::iter::once(Fr::ZERO).chain(weights).collect();
        sum(ctx, (&self.bytes, &ends), (&self.groups, weight))
    }

    /// 1 if the number is written in `bytes` bytes, and 0 if not.
    pub fn takes(&self, bytes: usize) -> AssignedValue<Fr> {
        self.bytes.bits()[bytes]
    }

    /// `before` and the number, or nothing if the number is 0.
    ///
    /// # Panics
    /// If it could have more than 31 bytes.
    pub fn behind(&self, ctx: &mut Context<Fr>, before: &[u8]) -> Short {
        let (count, most) = (self.groups.len(), before.len() + self.groups.len());
        // The string for a number of `bytes` bytes whose groups, minus 1 in the last one, are all 0.
        let zeros = |bytes: usize| {
            let mut string = before.to_vec();
            string.resize(before.len() + bytes - 1, 0x80);
            string.push(1);
            string.resize(most, 0);
            big_endian(&string)
        };
        let of_size = |nothing: Fr, of: &dyn Fn(usize) -> Fr| -> Vec<_> {
            std::iter::once(nothing).chain((1..=count).map(of)).collect()
        };
        let cell = sum(
            ctx,
            (&self.bytes, &of_size(Fr::ZERO, &zeros)),
            (&self.groups, |i| byte_power(count - 1 - i)),
        );
        let lengths = of_size(Fr::ZERO, &|bytes| Fr::from((before.len() + bytes) as u64));
        let rests = of_size(byte_power(most), &|bytes| byte_power(count - bytes));
        let select = |ctx: &mut Context<Fr>, of: &[Fr]| {
            chain::sum(ctx, Constant(Fr::ZERO), &self.bytes.constants(of))
        };
        let (length, rest) = (select(ctx, &lengths), select(ctx, &rests));
        Short::shown(Shown { cell, length, rest }, (0, most))
    }
}

/// The constant for the number of bytes plus the weighted groups.
fn sum(
    ctx: &mut Context<Fr>,
    (bytes, constants): (&OneHot, &[Fr]),
    (groups, weight): (&[AssignedValue<Fr>], impl Fn(usize) -> Fr),
) -> AssignedValue<Fr> {
    let groups = groups.iter().enumerate();
    let groups = groups.map(|(i, group)| (Existing(*group), Constant(weight(i))));
    let terms: Vec<_> = bytes.constants(constants).into_iter().chain(groups).collect();
    chain::sum(ctx, Constant(Fr::ZERO), &terms)
}

/// Each group passes a range check, and so does what is left to its most: `most` if the byte is used, minus 1 if it is
/// the last one, and 0 if it is not used. Both are small, so neither can wrap.
fn assert_groups(
    ctx: &mut GateContext,
    (bytes, groups): (&OneHot, &[AssignedValue<Fr>]),
    most: u64,
) {
    let weighted =
        |bit: AssignedValue<Fr>, weight: u64| (Existing(bit), Constant(Fr::from(weight)));
    // The most that the next group may be, minus 1 if it is the last one, and the bit that says so.
    let mut behind: Option<(AssignedValue<Fr>, AssignedValue<Fr>)> = None;
    for (i, group) in groups.iter().enumerate().rev() {
        let last = bytes.bits()[i + 1];
        let largest = |i: usize| (most >> (GROUP * i)).min(FULL);
        let at_the_end = weighted(last, largest(i) - 1);
        let room = match behind {
            None => chain::sum(ctx, Constant(Fr::ZERO), &[at_the_end]),
            Some((room, ends)) => {
                let before_it = weighted(ends, FULL + 1 - largest(i + 1));
                chain::sum(ctx, Existing(room), &[before_it, at_the_end])
            }
        };
        let left = ctx.gate.sub(ctx, room, *group);
        ctx.range.check(left, GROUP);
        behind = Some((room, last));
    }
}
