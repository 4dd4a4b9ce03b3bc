//! Messages whose length is a witness: up to a bound that fixes the circuit.
//!
//! A message is a list of halves, 16 bytes each as big-endian integers, with zeros after its end.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::fe_to_biguint,
    AssignedValue, Context, QuantumCell,
};
use num_traits::ToPrimitive;

use muster_gates::{
    power_of_two,
    vertical::{self},
    Chips, GateContext, Turns,
};

#[cfg(test)]
pub(super) mod tests;

/// Bytes of a half.
pub const HALF: usize = 16;

/// Fewer than 32 bytes as a big-endian integer.
pub(crate) fn big_endian(bytes: &[u8]) -> Fr {
    bytes.iter().fold(Fr::zero(), |sum, byte| sum * Fr::from(256) + Fr::from(u64::from(*byte)))
}

/// `256^exponent`.
pub(super) fn byte_power(exponent: usize) -> Fr {
    power_of_two(8 * exponent)
}

/// How a hash function pads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Bytes of a block.
    pub(super) block: usize,
    /// The byte that follows the message.
    pub(super) first: u8,
    /// Bytes at the end of the last block that neither the message nor its first byte of padding may
    /// reach, a multiple of 8.
    pub(super) tail: usize,
    /// Bytes of the first block before the message: whole halves, and less than a block without its tail.
    pub(super) prefix: usize,
}

impl Rule {
    /// Blocks of a message of at most `bound` bytes.
    pub(super) fn blocks(&self, bound: usize) -> usize {
        (self.prefix + bound + self.tail) / self.block + 1
    }
}

/// The parts that a hash function splits a half into.
pub(super) trait Part: Clone {
    /// The parts of a half, which is shown to be below `2^128`: there is no witness for a larger one.
    ///
    /// # Panics
    /// If it is a constant that is larger, or neither a cell nor a constant.
    fn parts(ctx: &mut GateContext, half: &QuantumCell<Fr>) -> Vec<Self>;
}

/// A message whose length the prover chooses: the first `length` bytes of `halves`, at most `bound`.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// 16 bytes each.
    pub halves: &'a [AssignedValue<Fr>],
    /// In bytes.
    pub length: AssignedValue<Fr>,
    /// In bytes; it is part of the verifying key.
    pub bound: usize,
}

impl Message<'_> {
    /// Shows that the length is at most the bound and that all bytes after the message are 0, given that the halves are
    /// below `2^128`.
    pub(super) fn assert_ends(&self, ctx: &mut GateContext) {
        let hint = SizeHint::new(self.length.value(), self.bound);
        self.size(ctx, &hint);
    }

    /// The size; shows the same.
    fn size(&self, ctx: &mut GateContext, hint: &SizeHint) -> Size {
        let count = self.bound.div_ceil(HALF);
        assert_eq!(self.halves.len(), count, "a message has the halves of its bound");
        let size = Size::new(ctx, (self.length, self.bound), hint);
        size.assert_zeros(ctx, self.halves);
        size
    }
}

/// A message with its first byte of padding.
#[derive(Debug)]
pub(super) struct Padded {
    /// For each half, the weighted terms that it is the sum of.
    terms: Vec<Vec<(QuantumCell<Fr>, Fr)>>,
    /// For each block, whether it is the last one: exactly one is.
    pub(super) ends: Vec<QuantumCell<Fr>>,
}

impl Padded {
    /// Pads a message.
    ///
    /// Shows that all bytes after the message are 0, given that the padded halves are below `2^128`. They are only
    /// returned as [`Part`]s, which show that.
    pub(super) fn new(ctx: &mut GateContext, message: Message, rule: Rule) -> Self {
        let hint = SizeHint::new(message.length.value(), message.bound);
        Self::of_hint(ctx, message, (rule, &hint))
    }

    /// The same with a hint of how the length is decomposed.
    fn of_hint(ctx: &mut GateContext, message: Message, (rule, hint): (Rule, &SizeHint)) -> Self {
        let size = message.size(ctx, hint);
        let Message { halves, bound, .. } = message;
        assert!(rule.prefix.is_multiple_of(HALF) && rule.prefix + rule.tail < rule.block);
        let blocks = rule.blocks(bound);
        let total = (rule.block * blocks - rule.prefix).div_ceil(HALF);
        let mut terms: Vec<Vec<_>> = (0..total)
            .map(|i| halves.get(i).map(|half| (QuantumCell::Existing(*half), Fr::ONE)))
            .map(|half| half.into_iter().collect())
            .collect();
        for (half, term) in size.first_byte(ctx).into_iter().enumerate() {
            terms[half].push((term, Fr::from(u64::from(rule.first))));
        }
        let mut starts: Vec<_> = (0..=blocks)
            .map(|block| (rule.block * block).saturating_sub(rule.tail + rule.prefix))
            .map(|bytes| size.at_least(ctx, bytes))
            .collect();
        starts[blocks] = QuantumCell::Constant(Fr::ZERO);
        let ends = starts.windows(2).map(|pair| sub(ctx, pair[0], pair[1])).collect();
        Self { terms, ends }
    }

    /// Adds `weight·cell` to a half.
    pub(super) fn add(&mut self, half: usize, cell: QuantumCell<Fr>, weight: Fr) {
        self.terms[half].push((cell, weight));
    }

    /// The parts of the padded halves.
    pub(super) fn parts<P: Part>(self, ctx: &mut GateContext) -> Vec<P> {
        let halves = self.terms.into_iter().map(|terms| weighted(ctx, terms));
        let halves: Vec<_> = halves.collect();
        let mut turns = Turns::default();
        let parts = halves.iter().flat_map(|half| match half {
            QuantumCell::Constant(_) => P::parts(ctx, half),
            _ => ctx.turn(&mut turns, |ctx| P::parts(ctx, half)),
        });
        parts.collect()
    }
}

/// What a prover claims about a length.
#[derive(Clone, Debug)]
struct SizeHint {
    /// As in [`Size`].
    used: Vec<Fr>,
    bytes: [Fr; HALF],
}

impl SizeHint {
    fn new(length: &Fr, bound: usize) -> Self {
        let length = fe_to_biguint(length).to_usize().unwrap_or(usize::MAX);
        let bit = |is: bool| Fr::from(u64::from(is));
        let rest = length.checked_sub(1).map(|before| before % HALF);
        Self {
            used: (0..bound.div_ceil(HALF)).map(|half| bit(HALF * half < length)).collect(),
            bytes: std::array::from_fn(|i| bit(rest == Some(i))),
        }
    }
}

/// The decomposed size of a message.
struct Size {
    bound: usize,
    /// Whether the half has a byte of the message.
    used: Vec<AssignedValue<Fr>>,
    /// Whether the half has the last byte of the message.
    last: Vec<AssignedValue<Fr>>,
    /// Whether that half has `i + 1` bytes of it.
    bytes: Vec<AssignedValue<Fr>>,
}

impl Size {
    /// `length = 16·(halves used - 1) + bytes of the last one`; an empty message uses no half. `length`
    /// determines all cells.
    fn new(
        ctx: &mut GateContext,
        (length, bound): (AssignedValue<Fr>, usize),
        hint: &SizeHint,
    ) -> Self {
        assert!(bound > 0, "a message has a byte");
        let (count, gate) = (bound.div_ceil(HALF), ctx.gate);
        let bit = |ctx: &mut GateContext, hint: &Fr| {
            let bit = ctx.load_witness(*hint);
            gate.assert_bit(ctx, bit);
            bit
        };
        let used = ctx.each(&hint.used, bit);
        let bytes = ctx.each(&hint.bytes, bit);
        ctx.each(used.windows(2), |ctx, pair| {
            let both = gate.mul(ctx, pair[0], pair[1]);
            vertical::assert_equal(ctx, &both, &pair[1]);
        });
        let one_size = gate.sum(ctx, bytes.iter().copied());
        vertical::assert_equal(ctx, &one_size, &used[0]);
        let halves = used.iter().enumerate().skip(1).map(|(_, used)| (*used, HALF as u64));
        let rest = bytes.iter().zip(1..).map(|(is, size)| (*is, size));
        let terms = halves.chain(rest).map(|(cell, weight)| (cell.into(), Fr::from(weight)));
        let sum = weighted(ctx, terms.collect());
        constrain(ctx, sum, &length);
        let mut last: Vec<_> =
            used.windows(2).map(|pair| gate.sub(ctx, pair[0], pair[1])).collect();
        last.extend(used.last());
        let size = Self { bound, used, last, bytes };
        if !bound.is_multiple_of(HALF) {
            let beyond = size.with_bytes(ctx, count - 1, bound % HALF + 1);
            let zero = vertical::load_zero(ctx);
            vertical::assert_equal(ctx, &beyond, &zero);
        }
        size
    }

    /// Whether `half` is the last one and has at least `bytes` bytes of the message.
    fn with_bytes(&self, ctx: &mut GateContext, half: usize, bytes: usize) -> AssignedValue<Fr> {
        let many = ctx.gate.sum(ctx, self.bytes[bytes - 1..].iter().copied());
        ctx.gate.mul(ctx, many, self.last[half])
    }

    /// Whether the message has at least `bytes` bytes, a multiple of 8.
    fn at_least(&self, ctx: &mut GateContext, bytes: usize) -> QuantumCell<Fr> {
        assert!(bytes.is_multiple_of(8), "borders of blocks are borders of lanes");
        if bytes == 0 || bytes > self.bound {
            return QuantumCell::Constant(Fr::from(u64::from(bytes == 0)));
        }
        // The half of the last of these bytes, and its place in it.
        let (half, place) = ((bytes - 1) / HALF, (bytes - 1) % HALF);
        let ends = self.with_bytes(ctx, half, place + 1);
        match self.used.get(half + 1) {
            Some(more) => ctx.gate.add(ctx, *more, ends).into(),
            None => ends.into(),
        }
    }

    /// For each half, and the one after them, the value at the place of the byte after the message: a
    /// power of 256 there, 0 elsewhere.
    fn first_byte(&self, ctx: &mut GateContext) -> Vec<QuantumCell<Fr>> {
        let full = self.bytes[HALF - 1];
        let inside = self.bytes[..HALF - 1].iter().zip(1..);
        let inside = inside.map(|(is, size)| ((*is).into(), byte_power(HALF - 1 - size)));
        let inside = weighted(ctx, inside.collect());
        let top = byte_power(HALF - 1);
        let empty = ctx.gate.not(ctx, self.used[0]);
        let mut before: QuantumCell<Fr> = empty.into();
        let mut terms = vec![];
        for last in &self.last {
            let here = ctx.gate.mul(ctx, *last, inside);
            terms.push(weighted(ctx, vec![(here.into(), Fr::ONE), (before, top)]));
            before = ctx.gate.mul(ctx, *last, full).into();
        }
        if self.bound.is_multiple_of(HALF) {
            terms.push(weighted(ctx, vec![(before, top)]));
        }
        terms
    }

    /// All bytes after the message are 0: unused halves are, and the last one is a multiple of
    /// `256^(16 - bytes)`, a power of at most `2^120`. The quotient is below `2^128`, so the product is
    /// below the modulus and the multiple is one of integers.
    fn assert_zeros(&self, ctx: &mut GateContext, halves: &[AssignedValue<Fr>]) {
        let gate = ctx.gate;
        ctx.each(halves.iter().zip(&self.used), |ctx, (half, used)| {
            let kept = gate.mul(ctx, *half, *used);
            vertical::assert_equal(ctx, &kept, half);
        });
        let last = self.last.iter().map(|is| QuantumCell::Existing(*is));
        let half = gate.inner_product(ctx, halves.iter().copied(), last);
        let powers = self.bytes.iter().zip(1..);
        let powers = powers.map(|(is, size)| ((*is).into(), byte_power(HALF - size))).collect();
        let power = weighted(ctx, powers);
        let inverse = power.value().invert().unwrap_or(Fr::ZERO);
        let quotient = ctx.load_witness(*half.value() * inverse);
        assert_below_2_128(ctx, quotient);
        let product = gate.mul(ctx, quotient, power);
        vertical::assert_equal(ctx, &product, &half);
    }
}

/// Shows that `cell` is below `2^128`, whatever the limb width of the range checks.
fn assert_below_2_128(ctx: &mut GateContext, cell: AssignedValue<Fr>) {
    let whole = whole_limbs(ctx.chips);
    let value = fe_to_biguint(cell.value());
    let low = &value % (num_bigint::BigUint::from(1u8) << whole);
    let bits: Vec<_> = (whole..128).map(|i| Fr::from(u64::from(value.bit(i as u64)))).collect();
    below_2_128_of_hint(ctx, cell, (halo2_base::utils::biguint_to_fe(&low), &bits));
}

/// Bits of the limbs of a range check that end within 128 bits.
fn whole_limbs(chips: &Chips) -> usize {
    let limb = chips.range.rounded(1);
    128 / limb * limb
}

/// The same with hints of the bits in whole limbs, as a number, and of those above.
fn below_2_128_of_hint(ctx: &mut GateContext, cell: AssignedValue<Fr>, (low, bits): (Fr, &[Fr])) {
    let whole = whole_limbs(ctx.chips);
    let low = ctx.range.check(QuantumCell::Witness(low), whole);
    let mut terms = vec![(low.into(), Fr::ONE)];
    for (bit, place) in bits.iter().zip(whole..) {
        let bit = ctx.load_witness(*bit);
        ctx.gate.assert_bit(ctx, bit);
        terms.push((bit.into(), power_of_two(place)));
    }
    let sum = weighted(ctx, terms);
    constrain(ctx, sum, &cell);
}

/// A sum with constant weights.
#[track_caller]
pub(super) fn weighted(
    ctx: &mut GateContext,
    terms: Vec<(QuantumCell<Fr>, Fr)>,
) -> QuantumCell<Fr> {
    match terms[..] {
        [] => QuantumCell::Constant(Fr::ZERO),
        [(cell, Fr::ONE)] => cell,
        _ => {
            let (cells, weights): (Vec<_>, Vec<_>) = terms.into_iter().unzip();
            let weights = weights.into_iter().map(QuantumCell::Constant);
            ctx.gate.inner_product(ctx, cells, weights).into()
        }
    }
}

#[track_caller]
fn sub(ctx: &mut GateContext, a: QuantumCell<Fr>, b: QuantumCell<Fr>) -> QuantumCell<Fr> {
    match (a, b) {
        (_, QuantumCell::Constant(Fr::ZERO)) => a,
        _ => ctx.gate.sub(ctx, a, b).into(),
    }
}

/// Constrains `sum` to equal `cell`.
#[track_caller]
pub(super) fn constrain(ctx: &mut Context<Fr>, sum: QuantumCell<Fr>, cell: &AssignedValue<Fr>) {
    match sum {
        QuantumCell::Existing(sum) => vertical::assert_equal(ctx, &sum, cell),
        _ => unreachable!("sums of witnesses are cells"),
    }
}
