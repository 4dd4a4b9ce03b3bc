//! Multiples of points, by windows; sums of many by [buckets](super::pippenger).

use std::sync::{LazyLock, OnceLock};

use ff::Field;
use halo2curves::bn256::Fr;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::pippenger;
use super::point::{batch_normalize, parse_point, AffinePoint, Point, D};
use super::scalar::Scalar;
use crate::field::words;

/// Bits of a window in constant-time multiplication.
const WINDOW: usize = 4;
const ENTRIES: usize = 1 << WINDOW;
/// Windows of a scalar, which is below 2^251.
const WINDOWS: usize = 63;
/// Width of the non-adjacent form in variable-time multiplication: digits are odd and below 16.
const NAF_WIDTH: usize = 5;

/// The number of points from which buckets beat a table for each point, as measured: tables take
/// 1.04 ms for 80 points and 1.24 for 96, buckets 1.08 and 1.22.
const BUCKETS_FROM: usize = 88;

/// l as a little-endian integer.
pub(super) const ORDER: [u64; 4] =
    [0x677297dc392126f1, 0xab3eedb83920ee0a, 0x370a08b6d0302b0b, 0x060c89ce5c263405];

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

    /// This point times `scalar`, in time that depends on the scalar: for public data only.
    pub fn mul_vartime(&self, scalar: &Scalar) -> Self {
        msm_vartime(&[(*scalar, *self)])
    }
}

impl AffinePoint {
    /// The point Q = (8⁻¹ mod l)·P, so that 8·Q = P if P is in the prime-order subgroup. In a
    /// circuit, Q is the witness that P is in the subgroup. Runs in variable time.
    pub fn divide_by_cofactor(&self) -> Self {
        let inverse = Scalar::from(8).invert().into_option().expect("8 is not zero modulo l");
        Point::from(*self).mul_vartime(&inverse).to_affine()
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

/// The sum of scalar times point over all pairs, in time that depends on the scalars: for public
/// data only.
pub fn msm_vartime(pairs: &[(Scalar, Point)]) -> Point {
    if pairs.len() >= BUCKETS_FROM {
        return pippenger::msm_vartime(pairs);
    }
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

/// A point of order 8: its multiples are all the points of small order. For tests of the subgroup
/// check.
pub fn torsion_point() -> AffinePoint {
    static TORSION: OnceLock<AffinePoint> = OnceLock::new();
    *TORSION.get_or_init(|| {
        // The generator G of the whole curve in EIP-2494 has order 8·l, so l·G has order 8.
        let generator = parse_point(
            "995203441582195749578291179787384436505546430278305826713579947235728471134",
            "5472060717959818805561601436314318772137091100104008585924551046643952123905",
        );
        mul_limbs_vartime(&generator.into(), &ORDER).to_affine()
    })
}
