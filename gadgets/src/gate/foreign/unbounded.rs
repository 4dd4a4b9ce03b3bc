//! Quotients and carries that are no integers.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{bigint_to_fe, biguint_to_fe},
};
use num_bigint::BigInt;

use super::{
    block::{FixedCell, Piece},
    equation::{number, L, SUMS, W, X, Y, Z},
    power,
    remade::{At, Blocks, Values},
};

impl Blocks {
    /// The quotient and the carries as elements of the native field for which the equation holds, whatever its sources
    /// are: their ranges alone are in the way. Nothing for equations over the integers.
    pub(crate) fn unbounded(&self, id: usize, now: Values) -> Option<Vec<(At, Fr)>> {
        let prepared = &self.known[id].prepared;
        let (format, bits) = (self.block.format(), self.limb_bits());
        let sources = self.sources(id, now);
        let [x, y, z, w, linear] = [X, Y, Z, W, L].map(|sum| -> Vec<Fr> {
            let terms = SUMS[sum].iter().zip(&prepared.equation.factors()[sum]);
            let limb = |i: usize| -> BigInt {
                terms.clone().map(|(source, f)| &sources[number(*source)][i] * f).sum()
            };
            (0..format.limbs()).map(|i| bigint_to_fe(&limb(i))).collect()
        });
        let whole = |limbs: &[Fr]| {
            let parts = limbs.iter().enumerate().map(|(i, limb)| *limb * power(bits * i));
            parts.fold(Fr::zero(), |sum, part| sum + part)
        };
        let fixed = |cell| biguint_to_fe::<Fr>(&prepared.fixed[self.block.fixed(cell)]);
        let modulus: Vec<_> =
            (0..format.limbs()).map(|limb| fixed(FixedCell::Modulus(limb))).collect();
        let inverse = Option::<Fr>::from(whole(&modulus).invert())?;
        let products = whole(&x) * whole(&y) + whole(&z) * whole(&w);
        // All of it in the lowest limb.
        let quotient = (products + whole(&linear) + fixed(FixedCell::Constant)) * inverse;
        let at = |position: usize| {
            let convolution = |a: &[Fr], b: &[Fr]| {
                let pairs = (0..=position).filter_map(|i| Some(*a.get(i)? * b.get(position - i)?));
                pairs.fold(Fr::zero(), |sum, product| sum + product)
            };
            let limb = |limbs: &[Fr]| limbs.get(position).copied().unwrap_or(Fr::ZERO);
            let products = convolution(&x, &y) + convolution(&z, &w);
            products + limb(&linear) - quotient * limb(&modulus)
        };
        let base = Option::<Fr>::from(power(self.block.group_bits()).invert())?;
        let mut carry = Fr::zero();
        let carries = (0..self.block.widths().carries).map(|group| {
            let first = group * format.group();
            let parts: Vec<_> = (first..first + format.group()).map(at).collect();
            carry = (whole(&parts) + fixed(FixedCell::GroupConstant(group)) + carry) * base;
            carry
        });
        let carries: Vec<_> = carries.collect();
        let (low, high) = self.block.quotient.split_first()?;
        let zeros = high.iter().map(|pieces| (pieces, Fr::zero()));
        let numbers = [(low, quotient)].into_iter().chain(zeros);
        let numbers = numbers.chain(self.block.carries.iter().zip(carries));
        Some(numbers.flat_map(|(pieces, value)| self.in_first_cell(pieces, value)).collect())
    }

    /// A number that is none, in the first cell of its pieces.
    fn in_first_cell(&self, pieces: &[Piece], value: Fr) -> Vec<(At, Fr)> {
        let cells = pieces.iter().flat_map(|piece| self.piece(piece));
        let values = [value].into_iter().chain(std::iter::repeat(Fr::zero()));
        cells.zip(values).collect()
    }
}
