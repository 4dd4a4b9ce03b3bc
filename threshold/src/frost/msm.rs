//! Multi-scalar multiplication that only adds and subtracts points, for curves whose library has no
//! fast one.
//!
//! Few points: the non-adjacent form of each scalar, a table for each point, doublings shared
//! (Straus). Many: signed windows and buckets (Pippenger; ePrint 2012/549, section 4).

use frost_core::{Ciphersuite, Element, Field, Group, Scalar};

use super::F;

/// Bits of a digit of the non-adjacent form, its sign among them.
const NAF_WIDTH: usize = 5;
/// Odd multiples in a point's table.
const ODD: usize = 1 << (NAF_WIDTH - 2);

/// The sum of scalar times point over all pairs, in variable time.
///
/// # Panics
///
/// If the slices differ in length.
pub(super) fn generic<C: Ciphersuite>(scalars: &[Scalar<C>], points: &[Element<C>]) -> Element<C> {
    assert_eq!(scalars.len(), points.len(), "each point has a scalar");
    let bytes = |scalar| F::<C>::little_endian_serialize(scalar).as_ref().to_vec();
    let scalars: Vec<Vec<u8>> = scalars.iter().map(bytes).collect();
    // One more bit for the last carry.
    let bits = 8 * scalars.iter().map(|bytes| significant(bytes)).max().unwrap_or(0) + 1;
    let (width, buckets) = width(points.len(), bits);
    // A table takes its odd multiples; after that, each point takes one addition per NAF_WIDTH + 1
    // bits.
    let tables = points.len() * (ODD + bits / (NAF_WIDTH + 1)) + bits;
    if buckets < tables {
        by_buckets::<C>(&scalars, points, width, bits)
    } else {
        by_tables::<C>(&scalars, points, bits)
    }
}

/// The number of bytes up to the last nonzero one.
fn significant(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)
}

fn bit(bytes: &[u8], i: usize) -> i32 {
    bytes.get(i / 8).map_or(0, |byte| i32::from(byte >> (i % 8) & 1))
}

/// The width of windows with the fewest additions, and how many these are.
fn width(points: usize, bits: usize) -> (usize, usize) {
    let cost = |w: usize| bits.div_ceil(w) * (points + (1 << w)) + bits;
    (3..=13).map(|w| (w, cost(w))).min_by_key(|(_, cost)| *cost).expect("the range is not empty")
}

fn by_tables<C: Ciphersuite>(
    scalars: &[Vec<u8>],
    points: &[Element<C>],
    bits: usize,
) -> Element<C> {
    let tables: Vec<_> = points.iter().map(|point| odd_multiples::<C>(*point)).collect();
    let digits: Vec<_> = scalars.iter().map(|bytes| non_adjacent_form(bytes, bits)).collect();
    let mut sum = C::Group::identity();
    for position in (0..bits).rev() {
        sum = sum + sum;
        for (table, digits) in tables.iter().zip(&digits) {
            let digit = digits[position];
            let entry = usize::from(digit.unsigned_abs()) / 2;
            match digit.signum() {
                1 => sum = sum + table[entry],
                -1 => sum = sum - table[entry],
                _ => {}
            }
        }
    }
    sum
}

/// P, 3P, 5P, … 15P.
fn odd_multiples<C: Ciphersuite>(point: Element<C>) -> [Element<C>; ODD] {
    let double = point + point;
    let mut table = [point; ODD];
    for i in 1..ODD {
        table[i] = table[i - 1] + double;
    }
    table
}

/// Digits that are zero, or odd and below 16 in absolute value; the one at position i has weight
/// 2^i.
fn non_adjacent_form(bytes: &[u8], bits: usize) -> Vec<i8> {
    let mut digits = vec![0; bits];
    let (mut position, mut carry) = (0, 0);
    while position < bits {
        if bit(bytes, position) + carry != 1 {
            position += 1; // the bit cancels with the carry, which stays as it is
            continue;
        }
        let window = (0..NAF_WIDTH).map(|i| bit(bytes, position + i) << i).sum::<i32>() + carry;
        carry = window >> (NAF_WIDTH - 1) & 1;
        digits[position] = (window - (carry << NAF_WIDTH)) as i8;
        position += NAF_WIDTH;
    }
    digits
}

fn by_buckets<C: Ciphersuite>(
    scalars: &[Vec<u8>],
    points: &[Element<C>],
    width: usize,
    bits: usize,
) -> Element<C> {
    let windows = bits.div_ceil(width);
    let digits: Vec<_> = scalars.iter().map(|bytes| signed(bytes, width, windows)).collect();
    let mut buckets = vec![None; 1 << (width - 1)];
    let mut sum = C::Group::identity();
    for window in (0..windows).rev() {
        for _ in 0..width {
            sum = sum + sum;
        }
        for (point, digits) in points.iter().zip(&digits) {
            add_to_bucket::<C>(&mut buckets, *point, digits[window]);
        }
        // Bucket b is counted b + 1 times: once for each running sum that it is in.
        let mut running = C::Group::identity();
        for bucket in buckets.iter_mut().rev() {
            running = bucket.take().map_or(running, |bucket| running + bucket);
            sum = sum + running;
        }
    }
    sum
}

fn add_to_bucket<C: Ciphersuite>(
    buckets: &mut [Option<Element<C>>],
    point: Element<C>,
    digit: i32,
) {
    let Some(index) = (digit.unsigned_abs() as usize).checked_sub(1) else { return };
    buckets[index] = Some(match (buckets[index], digit < 0) {
        (Some(sum), false) => sum + point,
        (Some(sum), true) => sum - point,
        (None, false) => point,
        (None, true) => C::Group::identity() - point,
    });
}

/// Digits between -2^(w-1) and 2^(w-1), least significant first.
fn signed(bytes: &[u8], width: usize, windows: usize) -> Vec<i32> {
    let mut carry = 0;
    let digit = |window: usize| {
        let start = window * width;
        let value = (0..width).map(|i| bit(bytes, start + i) << i).sum::<i32>() + carry;
        carry = i32::from(value > 1 << (width - 1));
        value - (carry << width)
    };
    (0..windows).map(digit).collect()
}
