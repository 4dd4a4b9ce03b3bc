//! Scalar multiplication by windows.

use std::sync::LazyLock;

use halo2curves::bn256::Fr;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::point::{batch_normalize, AffinePoint, Point, D};
use super::scalar::Scalar;
use crate::field::words;

/// Bits of a window in constant-time multiplication.
const WINDOW: usize = 4;
const ENTRIES: usize = 1 << WINDOW;
/// Windows of a scalar, which is below 2^251.
const WINDOWS: usize = 63;
/// Width of the non-adjacent form in variable-time multiplication: digits are odd and below 16.
const NAF_WIDTH: usize = 5;

/// The windows of a scalar, least significant first.
fn digits(scalar: &Scalar) -> [u8; 64] {
    let bytes = scalar.to_bytes();
    std::array::from_fn(|i| bytes[i / 2] >> (4 * (i % 2)) & 15)
}

/// `table[digit]`, reading every entry.
fn select<T: ConditionallySelectable>(table: &[T; ENTRIES], digit: u8) -> T {
    let mut chosen = table[0];
    for (i, entry) in table.iter().enumerate().skip(1) {
        chosen.conditional_assign(entry, (i as u8).ct_eq(&digit));
    }
    chosen
}

/// `first`, `first + step`, `first + 2·step`, …
fn progression<const N: usize>(first: Point, step: Point) -> [Point; N] {
    let mut points = [first; N];
    for i in 1..N {
        points[i] = points[i - 1] + step;
    }
    points
}

fn multiples(point: &Point) -> [Point; ENTRIES] {
    progression(Point::identity(), *point)
}

impl Point {
    /// This point times `scalar`. Time and memory access do not depend on the scalar.
    pub fn mul(&self, scalar: &Scalar) -> Self {
        let table = multiples(self);
        let mut acc = Self::identity();
        for digit in digits(scalar)[..WINDOWS].iter().rev() {
            for _ in 0..WINDOW {
                acc = acc.double();
            }
            acc = acc + select(&table, *digit);
        }
        acc
    }
}

/// An affine point with d·x·y, ready for mixed addition.
#[derive(Clone, Copy)]
struct Prepared {
    point: AffinePoint,
    dxy: Fr,
}

impl Prepared {
    fn new(point: AffinePoint) -> Self {
        Self { point, dxy: D * point.x() * point.y() }
    }
}

impl ConditionallySelectable for Prepared {
    fn conditional_select(a: &Self, b: &Self, choice: subtle::Choice) -> Self {
        Self {
            point: AffinePoint::conditional_select(&a.point, &b.point, choice),
            dxy: Fr::conditional_select(&a.dxy, &b.dxy, choice),
        }
    }
}

/// `[w][d]` is d·16^w times the generator.
static GENERATOR: LazyLock<Vec<[Prepared; ENTRIES]>> = LazyLock::new(|| {
    let mut base = Point::from(AffinePoint::generator());
    let window = |_| {
        let table = multiples(&base);
        base = table[ENTRIES - 1] + base;
        let affine = batch_normalize(&table);
        std::array::from_fn(|i| Prepared::new(affine[i]))
    };
    (0..WINDOWS).map(window).collect()
});

/// The generator times `scalar`, from a precomputed table. Time and memory access do not depend on
/// the scalar.
pub fn mul_generator(scalar: &Scalar) -> Point {
    let mut acc = Point::identity();
    for (table, digit) in GENERATOR.iter().zip(digits(scalar)) {
        let Prepared { point, dxy } = select(table, digit);
        acc = acc.add_affine(&point.x(), &point.y(), &dxy);
    }
    acc
}

/// The point times any 256-bit integer given as little-endian limbs. Needed where the point may lie
/// outside the subgroup, so that the integer must not be reduced modulo l.
pub(super) fn mul_limbs_vartime(point: &Point, limbs: &[u64; 4]) -> Point {
    add_windows(&[odd_multiples(point)], &[non_adjacent_form(limbs)])
}

pub(super) fn msm_vartime(pairs: &[(Scalar, Point)]) -> Point {
    let tables: Vec<_> = pairs.iter().map(|(_, point)| odd_multiples(point)).collect();
    let digits: Vec<_> =
        pairs.iter().map(|(scalar, _)| non_adjacent_form(&words(&scalar.to_bytes()))).collect();
    add_windows(&tables, &digits)
}

/// P, 3P, 5P, … 15P.
fn odd_multiples(point: &Point) -> [Point; ENTRIES / 2] {
    progression(*point, point.double())
}

/// The doublings are shared by all points.
fn add_windows(tables: &[[Point; ENTRIES / 2]], digits: &[[i8; 257]]) -> Point {
    let mut acc = Point::identity();
    for position in (0..257).rev() {
        acc = acc.double();
        for (table, digits) in tables.iter().zip(digits) {
            let digit = digits[position];
            let entry = table[digit.unsigned_abs() as usize / 2];
            match digit.signum() {
                1 => acc = acc + entry,
                -1 => acc = acc - entry,
                _ => {}
            }
        }
    }
    acc
}

/// Signed digits, odd and below 16 in absolute value or zero, that sum to the integer: the digit
/// at position i counts 2^i.
fn non_adjacent_form(limbs: &[u64; 4]) -> [i8; 257] {
    let mut digits = [0; 257];
    let bit = |i: usize| limbs.get(i / 64).map_or(0, |limb| limb >> (i % 64) & 1);
    let (mut position, mut carry) = (0, 0);
    while position < digits.len() {
        if bit(position) + carry != 1 {
            position += 1; // the bit cancels with the carry, which stays as it is
            continue;
        }
        let window = (0..NAF_WIDTH).map(|i| bit(position + i) << i).sum::<u64>() + carry;
        carry = window >> (NAF_WIDTH - 1) & 1;
        digits[position] = window as i8 - ((carry as i8) << NAF_WIDTH);
        position += NAF_WIDTH;
    }
    digits
}
