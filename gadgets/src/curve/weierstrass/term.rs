//! What is added up, and where sums start.

use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint};
use sha2::{Digest as _, Sha256};

use super::point::{AssignedTable, Hints, Pair};
use muster_gates::foreign::Digit;
use muster_schemes::curve::weierstrass::Curve;

/// Label of the point that sums start from.
const OFFSET_LABEL: &str = "muster.weierstrass.offset.v1";

/// A table and the digits by which it is multiplied, the highest first.
#[derive(Clone, Debug)]
pub struct Term {
    /// The table.
    pub table: AssignedTable,
    /// Odd digits.
    pub digits: Vec<i8>,
    /// The number that the digits above these make, if they are in another term: joined, the two
    /// make a scalar.
    pub above: Option<BigInt>,
}

impl Term {
    /// A table multiplied by all digits of a scalar.
    pub fn new(table: AssignedTable, digits: Vec<i8>) -> Self {
        Self { table, digits, above: None }
    }

    /// The point that the digit at `place` adds.
    pub(super) fn addend(&self, curve: Curve, place: usize) -> Pair {
        let Digit { digit, entry: (x, y), .. } = self.digit(place);
        let y = if digit < 0 { Hints(curve).negated(&y) } else { y };
        (x, y)
    }

    pub(super) fn digit(&self, place: usize) -> Digit {
        let digit = self.digits[place];
        let entry = self.table.entries[usize::from(digit.unsigned_abs() / 2)].clone();
        Digit { table: self.table.number, digit, entry }
    }
}

/// Windows of a sum.
///
/// # Panics
/// If there are no terms.
pub(super) fn windows(terms: &[Term]) -> usize {
    terms.iter().map(|term| term.digits.len()).max().expect("there are terms")
}

/// The terms that have a digit in a window, and its place among their digits.
pub(super) fn due(terms: &[Term], window: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let windows = windows(terms);
    let place = move |term: &Term| (window + term.digits.len()).checked_sub(windows);
    terms.iter().enumerate().filter_map(move |(i, term)| Some((i, place(term)?)))
}

/// Where sums start: the first point at or after a hash, times the cofactor. A signer who knows the digest when
/// choosing the key can choose one that is a known combination of this point and the generator, without knowing its
/// logarithm to the base of either. So sums that meet their addends can be made on purpose.
///
/// # Panics
/// Never: half of all first coordinates have a point, and tests find one for each curve.
pub fn offset(curve: Curve) -> &'static Pair {
    static SECP256K1: OnceLock<Pair> = OnceLock::new();
    static P256: OnceLock<Pair> = OnceLock::new();
    static EDWARDS25519: OnceLock<Pair> = OnceLock::new();
    let find = || {
        let digest = Sha256::new().chain_update(OFFSET_LABEL).chain_update(curve.to_string());
        let first = BigUint::from_bytes_be(&digest.finalize()) % curve.p();
        let candidates = (0u8..=u8::MAX).map(|i| (&first + i) % curve.p());
        let point = |x: BigUint| curve.parameters().y_of(&x).map(|y| (x, y));
        let found = candidates.filter_map(point).next().expect("one in two has a point");
        let cofactor = BigUint::from(1u8) << curve.cofactor_bits();
        curve.parameters().mul(&Some(found), &cofactor).expect("it is not of small order")
    };
    match curve {
        Curve::Secp256k1 => SECP256K1.get_or_init(find),
        Curve::P256 => P256.get_or_init(find),
        Curve::Edwards25519 => EDWARDS25519.get_or_init(find),
    }
}
