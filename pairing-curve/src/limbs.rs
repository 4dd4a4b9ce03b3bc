//! What lanes do with field elements, apart from products, without branches.
//!
//! Arkworks compares before it subtracts, with a branch that goes either way equally often: in
//! thousands of independent additions, waiting for it would take more than half as long as the
//! products.

use ark_bls12_381::{Fq, Fq2};
use ark_ff::{BigInt, PrimeField};

const LIMBS: usize = 6;
type Limbs = [u64; LIMBS];

/// Additions and comparisons of a lane's coordinates.
pub trait Plain: Sized {
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// Whether it is zero.
    fn vanishes(&self) -> bool;
    /// The negative, if requested.
    fn negated_if(&self, negative: bool) -> Self;
}

/// a + b, which has no carry: both are below the modulus, and that is below 2^381.
#[inline(always)]
fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let (mut sum, mut carry) = ([0; LIMBS], false);
    for i in 0..LIMBS {
        (sum[i], carry) = a[i].carrying_add(b[i], carry);
    }
    sum
}

/// a − b modulo 2^384, and all ones if b is larger.
#[inline(always)]
fn subtract(a: &Limbs, b: &Limbs) -> (Limbs, u64) {
    let (mut difference, mut borrow) = ([0; LIMBS], false);
    for i in 0..LIMBS {
        (difference[i], borrow) = a[i].borrowing_sub(b[i], borrow);
    }
    (difference, u64::from(borrow).wrapping_neg())
}

/// a, and the modulus if the mask is all ones: modulo 2^384.
#[inline(always)]
fn add_modulus(a: &Limbs, mask: u64) -> Limbs {
    let mut masked = Fq::MODULUS.0;
    masked.iter_mut().for_each(|limb| *limb &= mask);
    add(a, &masked)
}

impl Plain for Fq {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let (difference, below) = subtract(&add(&self.0 .0, &other.0 .0), &Fq::MODULUS.0);
        Fq::new_unchecked(BigInt(add_modulus(&difference, below)))
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        let (difference, below) = subtract(&self.0 .0, &other.0 .0);
        Fq::new_unchecked(BigInt(add_modulus(&difference, below)))
    }

    #[inline(always)]
    fn vanishes(&self) -> bool {
        self.0 .0.iter().fold(0, |all, limb| all | limb) == 0
    }

    #[inline(always)]
    fn negated_if(&self, negative: bool) -> Self {
        let (difference, below) = subtract(&[0; LIMBS], &self.0 .0);
        let mask = u64::from(negative).wrapping_neg();
        let (plain, negated) = (self.0 .0, add_modulus(&difference, below));
        Fq::new_unchecked(BigInt(std::array::from_fn(|i| plain[i] & !mask | negated[i] & mask)))
    }
}

impl Plain for Fq2 {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Fq2::new(self.c0.plus(&other.c0), self.c1.plus(&other.c1))
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        Fq2::new(self.c0.minus(&other.c0), self.c1.minus(&other.c1))
    }

    #[inline(always)]
    fn vanishes(&self) -> bool {
        self.c0.vanishes() & self.c1.vanishes()
    }

    #[inline(always)]
    fn negated_if(&self, negative: bool) -> Self {
        Fq2::new(self.c0.negated_if(negative), self.c1.negated_if(negative))
    }
}
