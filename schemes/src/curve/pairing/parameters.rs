//! The curves, and what their pairings are made of.

use std::{fmt, sync::OnceLock};

use halo2curves::{bls12_381, bn256};
use num_bigint::BigUint;
use num_traits::One;

use super::extension::Extension;
use crate::field::{modulus, ExtensionField};

/// A curve with a pairing whose embedding degree is 12. Its twist is over `Fp²`, with `u² = -1`, and `Fp¹²` is `Fp²[w]`
/// with `w⁶ = ξ = a + u`, hence `Fp[w]` with `w¹² = 2a·w⁶ - (a² + 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairingCurve {
    /// BN254, which Ethereum's precompiles call alt_bn128 (EIP-197).
    Bn254,
    /// BLS12-381 (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1).
    Bls12381,
}

/// Where the points of the twist lie on the curve over `Fp¹²`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twist {
    /// `(x, y)` stands for `(w²·x, w³·y)`.
    Divided,
    /// `(x, y)` stands for `(x/w², y/w³)`.
    Multiplied,
}

/// Whose power is a factor at the end: see [`Parameters::tail`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// Of the root `c`.
    Root,
    /// Of its inverse `g`.
    Inverse,
}

/// The parameters of a curve. All integers are reduced.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The prime of the coordinates.
    pub p: BigUint,
    /// The order of the groups.
    pub r: BigUint,
    /// The `a` of `ξ = a + u`.
    pub a: u64,
    /// The twist.
    pub twist: Twist,
    /// `b` of the curve `y² = x³ + b`.
    pub b: BigUint,
    /// The generator of the curve's group.
    pub generator: [BigUint; 2],
    /// The generator of the twist's group.
    pub twist_generator: [[BigUint; 2]; 2],
    /// `b` of the twist.
    pub twist_b: [BigUint; 2],
    /// Signed digits of the loop, the highest first, which is 1.
    pub(crate) digits: Vec<i8>,
    /// What is added after the loop: `±ψⁱ(Q)`, by the power `i` and whether it is negative.
    pub images: &'static [(usize, bool)],
    /// The sum after that is `-ψⁱ(Q)`, for this `i`.
    pub closing: usize,
    /// `λ` is the number of the loop with the signed powers of `p` given here: `c^-λ` is a power of `g` by the loop's
    /// digits, times these powers by `pⁱ`.
    pub tail: &'static [(Power, usize)],
    /// `λ`, a multiple of `r`.
    pub lambda: BigUint,
    /// Both factors of `ψⁱ(x, y) = (γₓ·x̄, γ_y·ȳ)`, from `i = 1` on; `x` and `y` are conjugated for odd `i`.
    pub images_of: Vec<[[BigUint; 2]; 2]>,
    /// The factors `γ` of `w^(pⁱ) = γ·w`, from `i = 1` on.
    pub roots: Vec<[BigUint; 2]>,
}

/// Powers of the Frobenius that any pairing here uses.
const POWERS: usize = 3;

impl PairingCurve {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Bn254, Self::Bls12381];

    /// The parameters.
    pub fn parameters(self) -> &'static Parameters {
        static BN254: OnceLock<Parameters> = OnceLock::new();
        static BLS12381: OnceLock<Parameters> = OnceLock::new();
        match self {
            Self::Bn254 => BN254.get_or_init(bn254),
            Self::Bls12381 => BLS12381.get_or_init(bls12381),
        }
    }
}

impl fmt::Display for PairingCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bn254 => "BN254",
            Self::Bls12381 => "BLS12-381",
        })
    }
}

impl Parameters {
    /// The coefficients of `w¹²` at `w⁶` and at 1: `2a` and `-(a² + 1)`.
    pub fn reduction(&self) -> [i64; 2] {
        let a = i64::try_from(self.a).expect("it is small");
        [2 * a, -(a * a + 1)]
    }

    /// The coefficients of `x₀ + x₁·u` at 1 and at `w⁶`, by `u = w⁶ - a`; reduced if both parts are.
    pub fn lifted(&self, [re, im]: &[BigUint; 2]) -> [BigUint; 2] {
        let low = (re + (&self.p - im % &self.p) * self.a) % &self.p;
        [low, im % &self.p]
    }

    /// The opposite of the generator of the curve's group.
    pub fn negative_generator(&self) -> [BigUint; 2] {
        let [x, y] = &self.generator;
        [x.clone(), &self.p - y]
    }

    /// The opposite of the generator of the twist's group.
    pub fn negative_twist_generator(&self) -> [[BigUint; 2]; 2] {
        let [x, y] = &self.twist_generator;
        [x.clone(), Extension(&self.p).negate(y)]
    }

    /// `ψⁱ(Q)`.
    pub(super) fn image(&self, power: usize, [x, y]: &[[BigUint; 2]; 2]) -> [[BigUint; 2]; 2] {
        let extension = Extension(&self.p);
        let [for_x, for_y] = &self.images_of[power - 1];
        [(for_x, x), (for_y, y)].map(|(factor, coordinate)| {
            let conjugated =
                if power % 2 == 1 { extension.conjugate(coordinate) } else { coordinate.clone() };
            extension.mul(factor, &conjugated)
        })
    }

    /// Fills in everything that follows from the rest.
    fn complete(mut self) -> Self {
        let xi = [BigUint::from(self.a), BigUint::one()];
        let extension = Extension(&self.p);
        for power in 1..=POWERS {
            let exponent = (self.p.pow(power as u32) - 1u8) / 6u8;
            let root = extension.pow(&xi, &exponent);
            let square = extension.mul(&root, &root);
            let cube = extension.mul(&square, &root);
            let images = match self.twist {
                Twist::Divided => [square, cube],
                Twist::Multiplied => [extension.invert(&square), extension.invert(&cube)],
            };
            self.images_of.push(images);
            self.roots.push(root);
        }
        self
    }
}

/// Digits 1, 0 and -1, the highest first, without two nonzero ones in a row.
fn signed_digits(number: &BigUint) -> Vec<i8> {
    let (mut digits, mut rest) = (vec![], number.clone());
    while rest > BigUint::ZERO {
        let digit: i8 = match (rest.bit(0), rest.bit(1)) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => -1,
        };
        rest = if digit < 0 { rest + 1u8 } else { rest - digit.unsigned_abs() };
        rest >>= 1u8;
        digits.push(digit);
    }
    digits.reverse();
    digits
}

/// `x = 4965661367192848881`, the loop is `6x + 2` and `λ = 6x + 2 + p - p² + p³` (ePrint 2024/640, section 4.3.1).
fn bn254() -> Parameters {
    let (first, second) = (bn256::G1Affine::generator(), bn256::G2Affine::generator());
    let [p, r] = [modulus::<bn256::Fq>(), modulus::<bn256::Fr>()];
    let count = BigUint::from(4_965_661_367_192_848_881u64) * 6u8 + 2u8;
    let lambda = &count + &p + p.pow(3) - p.pow(2);
    let extension = Extension(&p);
    let third = extension.invert(&[9u8, 1].map(BigUint::from));
    let twist_b = third.map(|part| part * 3u8 % &p);
    Parameters {
        a: 9,
        twist: Twist::Divided,
        b: 3u8.into(),
        generator: [first.x, first.y].map(|x| x.integers().swap_remove(0)),
        twist_generator: [second.x, second.y].map(|x| x.coefficients()),
        twist_b,
        digits: signed_digits(&count),
        images: &[(1, false), (2, true)],
        closing: 3,
        tail: &[(Power::Inverse, 1), (Power::Root, 2), (Power::Inverse, 3)],
        lambda,
        images_of: vec![],
        roots: vec![],
        p,
        r,
    }
    .complete()
}

/// `x = -0xd201000000010000`, the loop is `-x` and `λ = p - x` (ePrint 2024/640, section 4.3.2). The loop of `-x`
/// computes the inverse of the usual pairing, which is 1 where that is.
fn bls12381() -> Parameters {
    let (first, second) = (bls12_381::G1Affine::generator(), bls12_381::G2Affine::generator());
    let [p, r] = [modulus::<bls12_381::Fq>(), modulus::<bls12_381::Fr>()];
    let count = BigUint::from(0xd201_0000_0001_0000u64);
    let lambda = &count + &p;
    let digits = (0..count.bits()).rev().map(|bit| i8::from(count.bit(bit))).collect();
    Parameters {
        a: 1,
        twist: Twist::Multiplied,
        b: 4u8.into(),
        generator: [first.x, first.y].map(|x| x.integers().swap_remove(0)),
        twist_generator: [second.x, second.y].map(|x| x.coefficients()),
        twist_b: [4u8, 4].map(BigUint::from),
        digits,
        images: &[],
        closing: 1,
        tail: &[(Power::Inverse, 1)],
        lambda,
        images_of: vec![],
        roots: vec![],
        p,
        r,
    }
    .complete()
}
