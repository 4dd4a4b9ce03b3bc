//! Pippenger's buckets with affine points: the points of a bucket are added in pairs, all buckets
//! at once, until each has one left. Every round takes one inversion.

use group::Group;

use super::lanes::{add_pairs, Lane, LaneField};

/// Points with the numbers of their buckets.
pub(super) struct Entries<F> {
    buckets: Vec<u32>,
    points: Vec<Lane<F>>,
}

impl<F: LaneField> Entries<F> {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { buckets: Vec::with_capacity(count), points: Vec::with_capacity(count) }
    }

    /// Adds `digit` times a point: to the bucket of |digit| − 1, negated if it is negative.
    pub(super) fn push_signed(&mut self, digit: i32, point: &Lane<F>) {
        if digit != 0 {
            let y = point.y.negated_if(digit < 0);
            self.push(digit.unsigned_abs() - 1, Lane { x: point.x, y });
        }
    }

    /// Adds a point to a bucket.
    pub(super) fn push(&mut self, bucket: u32, point: Lane<F>) {
        self.buckets.push(bucket);
        self.points.push(point);
    }

    /// The points in the order of their buckets, and the length of each bucket.
    fn sorted(self, count: usize) -> (Vec<Lane<F>>, Vec<u32>) {
        let mut lengths = vec![0u32; count];
        self.buckets.iter().for_each(|bucket| lengths[*bucket as usize] += 1);
        let mut next = vec![0u32; count];
        for bucket in 1..count {
            next[bucket] = next[bucket - 1] + lengths[bucket - 1];
        }
        let mut sorted = vec![Lane::default(); self.points.len()];
        for (bucket, point) in self.buckets.iter().zip(&self.points) {
            let place = &mut next[*bucket as usize];
            sorted[*place as usize] = *point;
            *place += 1;
        }
        (sorted, lengths)
    }

    /// The sum of each of `count` buckets.
    pub(super) fn sums(self, count: usize) -> Vec<Lane<F>> {
        let (mut points, mut lengths) = self.sorted(count);
        let (mut pairs, mut products) = (vec![], vec![]);
        loop {
            pairs.clear();
            let mut start = 0;
            for length in &lengths {
                pairs.extend((0..length / 2).map(|pair| (start + 2 * pair, start + 2 * pair + 1)));
                start += length;
            }
            if pairs.is_empty() {
                break;
            }
            add_pairs(&mut points, &pairs, &mut products);
            // Sums, and the last point of an odd number, move together.
            let (mut from, mut to) = (0, 0);
            for length in &mut lengths {
                let left = length.div_ceil(2);
                (0..left).for_each(|i| points[to + i as usize] = points[from + 2 * i as usize]);
                (from, to) = (from + *length as usize, to + left as usize);
                *length = left;
            }
        }
        let mut next = points.iter();
        let sum = |length: &u32| match length {
            0 => Lane::default(),
            _ => next.next().copied().unwrap_or_default(),
        };
        lengths.iter().map(sum).collect()
    }
}

/// Σ (b + 1) B_b over a power of two of sums.
///
/// With b = hK + l that is K Σ h (Σ_l B) + Σ (l + 1) (Σ_h B): sums of rows and columns are again
/// affine and in pairs, and only two short rows need running sums.
pub(super) fn weighted_sum<F: LaneField>(sums: &[Lane<F>]) -> F::Point {
    let count = sums.len();
    let columns = 1 << (count.ilog2() / 2);
    let (mut by_row, mut by_column) =
        (Entries::with_capacity(count), Entries::with_capacity(count));
    for (bucket, sum) in sums.iter().enumerate() {
        by_row.push((bucket / columns) as u32, *sum);
        by_column.push((bucket % columns) as u32, *sum);
    }
    let rows = running_sum(&by_row.sums(count / columns)[1..]);
    let rows = (0..columns.ilog2()).fold(rows, |sum, _| sum.double());
    rows + running_sum(&by_column.sums(columns))
}

/// Σ (i + 1) Pᵢ.
fn running_sum<F: LaneField>(points: &[Lane<F>]) -> F::Point {
    let (mut sum, mut all) = (F::Point::identity(), F::Point::identity());
    for point in points.iter().rev() {
        sum += F::to_point(point);
        all += sum;
    }
    all
}

/// Digits from −2^(bits−1) + 1 to 2^(bits−1) of a little-endian integer of `length` bits, lowest first, with
/// room for a carry.
pub(super) fn signed_digits(
    bytes: &[u8],
    bits: usize,
    length: usize,
) -> impl Iterator<Item = i32> + '_ {
    let mut carry = 0;
    (0..windows(bits, length)).map(move |window| {
        let first = window * bits;
        // A digit of 16 bits or fewer lies in three bytes.
        let byte = |place: usize| bytes.get(place).map_or(0, |byte| u32::from(*byte));
        let place = first / 8;
        let word = byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16;
        let digit = (word >> (first % 8) & ((1 << bits) - 1)) as i32 + carry;
        carry = i32::from(digit > 1 << (bits - 1));
        digit - (carry << bits)
    })
}

/// How many windows of `bits` bits an integer of `length` bits takes, with room for a carry.
pub(super) fn windows(bits: usize, length: usize) -> usize {
    (length + 1).div_ceil(bits)
}
