//! `hash_to_field` of RFC 9380 section 5.2.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell::Existing};
use num_bigint::BigUint;
use num_traits::One;

use super::message::Digest;
use crate::field::foreign::{
    integer::{constant, Integer},
    regroup::elements,
    script::{Script, Var},
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignChip, Form},
    sha2::{Sha256, Word},
    GateContext,
};

/// Bits of a word.
const WORD_BITS: usize = 32;

/// A prime field whose elements are made from more bytes than they have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WideField {
    prime: BigUint,
    /// Bytes of a coordinate that is not reduced.
    bytes: usize,
}

impl WideField {
    /// Coordinates modulo `prime`, each of `bytes` bytes before it is reduced.
    ///
    /// # Panics
    /// If these are not whole words.
    pub(super) fn new(prime: &BigUint, bytes: usize) -> Self {
        assert!((8 * bytes).is_multiple_of(WORD_BITS), "whole words");
        Self { prime: prime.clone(), bytes }
    }

    /// Bytes of `count` coordinates that are not reduced.
    pub(super) fn bytes(&self, count: usize) -> usize {
        count * self.bytes
    }

    /// The prime.
    pub(super) fn prime(&self) -> &BigUint {
        &self.prime
    }
}

/// A number that is not reduced, in two parts. The lower one has as many bits as the whole limbs of an element.
#[derive(Clone, Debug)]
pub(super) struct Unreduced([AssignedLimbs; 2]);

impl Unreduced {
    /// The number that these words below `2^bits` make, the lowest first. That the last one is below is
    /// not shown here.
    ///
    /// # Panics
    /// If two elements have no room for it.
    pub(super) fn new(
        ctx: &mut GateContext,
        chip: &ForeignChip,
        words: &[AssignedValue<Fr>],
        bits: usize,
    ) -> Self {
        let parts = elements(ctx, chip, words, bits);
        Self(parts.try_into().expect("two elements have room for it"))
    }

    /// The parts, the lower one first.
    pub(super) fn given(&self, script: &mut Script) -> [Var; 2] {
        [&self.0[0], &self.0[1]].map(|part| script.given(part))
    }
}

/// The power of two that is the weight of upper parts.
pub(super) fn shift(script: &mut Script, bits: usize) -> Var {
    let power = (BigUint::one() << bits) % script.modulus();
    script.result(|_| Form::from(&power))
}

/// The equations of a script that reduces numbers, and those of its inputs. Powers of two depend on the limbs.
pub(super) fn all(script: &Script) -> Vec<Equation> {
    let top = script.modulus() - 1u8;
    [script.equations(), &[Integer::any(), constant(script.modulus(), &top)]].concat()
}

/// The residue of a number, given the weight of its upper part.
pub(super) fn reduce(script: &mut Script, shift: Var, [low, high]: [Var; 2]) -> Var {
    script.result(|at| at(high) * at(shift) + at(low))
}

/// The `count` coordinates of a message that was [expanded](super::expand) to these digests, not reduced yet.
///
/// # Panics
/// If these are too few.
pub(super) fn to_field(
    ctx: &mut GateContext,
    (field, count): (&WideField, usize),
    digests: &[Digest],
) -> Vec<Unreduced> {
    let words: Vec<_> = digests.iter().flatten().map(cell).collect();
    let chip = ctx.chips.foreign_of(field.prime.bits() as usize);
    let each = 8 * field.bytes / WORD_BITS;
    let number = |words: &[AssignedValue<Fr>]| {
        let lowest_first: Vec<_> = words.iter().rev().copied().collect();
        Unreduced::new(ctx, chip, &lowest_first, WORD_BITS)
    };
    words[..count * each].chunks_exact(each).map(number).collect()
}

/// The cell of a word that a chain returned, or that is part of a digest.
fn cell(word: &Word<Sha256>) -> AssignedValue<Fr> {
    match word.cell() {
        Existing(cell) => cell,
        _ => unreachable!("digests are cells"),
    }
}
