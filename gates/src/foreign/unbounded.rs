//! Quotients and carries that are field elements but no bounded integers.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{bigint_to_fe, biguint_to_fe},
};
use num_bigint::BigInt;

use super::{
    block::{FixedCell, Piece},
    equation::Terms,
    power,
    remade::{At, Blocks, Values},
};

impl Blocks {
    /// The quotient and the carries as elements of the native field for which the equation holds, whatever its sources
    /// are: only their ranges forbid them. `None` for equations over the integers.
    pub fn unbounded(&self, id: usize, now: Values) -> Option<Vec<(At, Fr)>> {
        let prepared = &self.known[id].prepared;
        let (format, bits) = (self.block.format(), self.limb_bits());
        let sources = self.sources(id, now);
        let limbs_of = |terms: &Terms| -> Vec<Fr> {
            let limb = |i: usize| -> BigInt {
                let terms = terms.iter();
                terms.map(|(source, f)| &sources[prepared.place(*source)][i] * f).sum()
            };
            (0..format.limbs()).map(|i| bigint_to_fe(&limb(i))).collect()
        };
        let products = prepared.equation.products().iter();
        let products: Vec<_> = products.map(|[x, y]| (limbs_of(x), limbs_of(y))).collect();
        let linear = limbs_of(prepared.equation.linear());
        let whole = |limbs: &[Fr]| {
            let parts = limbs.iter().enumerate().map(|(i, limb)| *limb * power(bits * i));
            parts.fold(Fr::zero(), |sum, part| sum + part)
        };
        let fixed = |cell| biguint_to_fe::<Fr>(&prepared.fixed[self.block.fixed(cell)]);
        let modulus: Vec<_> =
            (0..format.limbs()).map(|limb| fixed(FixedCell::Modulus(limb))).collect();
        let inverse = Option::<Fr>::from(whole(&modulus).invert())?;
        let sum = products.iter().map(|(x, y)| whole(x) * whole(y)).sum::<Fr>();
        // The whole quotient is in the lowest limb.
        let quotient = (sum + whole(&linear) + fixed(FixedCell::Constant)) * inverse;
        let at = |position: usize| {
            let convolution = |a: &[Fr], b: &[Fr]| {
                let pairs = (0..=position).filter_map(|i| Some(*a.get(i)? * b.get(position - i)?));
                pairs.fold(Fr::zero(), |sum, product| sum + product)
            };
            let limb = |limbs: &[Fr]| limbs.get(position).copied().unwrap_or(Fr::ZERO);
            let sum = products.iter().map(|(x, y)| convolution(x, y)).sum::<Fr>();
            sum + limb(&linear) - quotient * limb(&modulus)
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

    /// Such a value, in the first cell of its pieces.
    fn in_first_cell(&self, pieces: &[Piece], value: Fr) -> Vec<(At, Fr)> {
        let cells = pieces.iter().flat_map(|piece| self.piece(piece));
        let values = [value].into_iter().chain(std::iter::repeat(Fr::zero()));
        cells.zip(values).collect()
    }
}
