//! Giant steps.

use std::sync::RwLock;

use ark_bls12_381::Fq;
use group::{prime::PrimeCurveAffine, Curve};
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::table::{multiples, Table};
use crate::{
    pairing_curve::{differences, multiply_g1, Fr, G1Affine, G1Projective, Lane},
    pvss::bases,
};

/// Giant steps that share an inversion.
const BLOCK: usize = 512;
/// Standard deviations within which the chunks of honest dealings lie.
const DEVIATIONS: u64 = 6;

/// Where to look for a logarithm: from 0 up to, but not including, a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    bound: u64,
    middle: u64,
    /// The distance from the middle to the ends of what is always searched.
    window: u64,
}

impl Range {
    /// Values below `dealings` times `radix`: sums of that many values, each below `spread` if
    /// dealers are honest, and below `radix` in any case.
    ///
    /// With A dealings, honest sums have the mean spread·A/2 and the standard deviation
    /// √(A/12)·spread. Six deviations to both sides, or the whole range of honest sums if that is
    /// less, are always searched in full.
    pub fn new(radix: u64, spread: u64, dealings: u64) -> Self {
        let bound = radix.saturating_mul(dealings);
        let honest = u128::from(spread) * u128::from(dealings);
        // √(A/12) in units of 2^-16, rounded up.
        let root = (u128::from(dealings) << 32).div_ceil(12).isqrt() + 1;
        let deviation = (root * u128::from(spread)).div_ceil(1 << 16);
        let window = (u128::from(DEVIATIONS) * deviation).min(honest.div_ceil(2));
        let narrow = |value: u128| u64::try_from(value).unwrap_or(u64::MAX);
        Self { bound, middle: narrow(honest / 2), window: narrow(window) }
    }

    /// The bound, exclusive.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// The distance from the middle to the farther end.
    fn reach(&self) -> u64 {
        self.middle.max(self.bound.saturating_sub(self.middle))
    }
}

/// A table with its giant steps.
#[derive(Debug)]
pub struct Search {
    table: Table,
    /// g(2T + 1)·G from g = 1 on, as many as were needed so far.
    giants: RwLock<Vec<Lane<Fq>>>,
}

impl Search {
    /// Searches with a table.
    pub fn new(table: Table) -> Self {
        Self { table, giants: RwLock::new(vec![]) }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How many values a giant step and the baby steps around it cover: 2T + 1.
    fn stride(&self) -> u64 {
        2 * self.table.size() + 1
    }

    /// How many giant steps to each side cover the distance `reach` from the middle.
    fn steps(&self, reach: u64) -> usize {
        reach.saturating_sub(self.table.size()).div_ceil(self.stride()) as usize
    }

    fn prepare(&self, count: usize) {
        let known = self.giants.read().map_or(0, |giants| giants.len());
        if known >= count {
            return;
        }
        let g = G1Projective::from(bases::g());
        let stride = multiply_g1(&g, &Fr::from(self.stride())).to_affine();
        let made = multiples(&Lane::from(&stride), count.div_ceil(BLOCK) * BLOCK);
        if let Ok(mut giants) = self.giants.write()
            && giants.len() < made.len()
        {
            *giants = made;
        }
    }

    /// The logarithms of points to base G, each within its range; `None` for one that is not.
    ///
    /// Every point takes the same steps over its range's window, whether it is found or not.
    pub fn logarithms(&self, points: &[G1Affine], ranges: &[Range]) -> Zeroizing<Vec<Option<u64>>> {
        assert_eq!(points.len(), ranges.len(), "a range a point");
        let farthest = ranges.iter().map(|range| range.window).max().unwrap_or(0);
        self.prepare(self.steps(farthest));
        // Most points have the same range.
        let mut middles: Vec<(u64, G1Affine)> = vec![];
        for range in ranges {
            if !middles.iter().any(|(middle, _)| *middle == range.middle) {
                middles.push((range.middle, multiple(range.middle)));
            }
        }
        let find = |(point, range): (&G1Affine, &Range)| {
            let middle = middles.iter().find(|(middle, _)| *middle == range.middle)?;
            let moved = (point.to_curve() - middle.1).to_affine();
            let moved = Zeroizing::new(Lane::from(&moved));
            let steps = self.steps(range.window);
            let found = self.find(point, &moved, range, 0..steps);
            if found.is_some() {
                return found;
            }
            // Only a dealer that chose its chunks gets here.
            let all = self.steps(range.reach()).max(steps);
            self.prepare(all);
            self.find(point, &moved, range, steps..all)
        };
        Zeroizing::new(points.par_iter().zip(ranges).map(find).collect())
    }

    /// Looks up the point moved to the middle (if `steps` begins at 0), and that point ± g(2T +
    /// 1)·G for each g − 1 in `steps`.
    fn find(
        &self,
        point: &G1Affine,
        moved: &Lane<Fq>,
        range: &Range,
        steps: std::ops::Range<usize>,
    ) -> Option<u64> {
        let mut found = None;
        let mut check = |x: &Fq, offset: i128| {
            if found.is_none() {
                found = self.match_of(point, x, i128::from(range.middle) + offset, range);
            }
        };
        if steps.start == 0 {
            check(&moved.x, 0);
        }
        let giants = self.giants.read().ok()?;
        let mut sums = Zeroizing::new(vec![Fq::from(0); BLOCK]);
        let mut minus = sums.clone();
        let stride = i128::from(self.stride());
        let mut hits = Zeroizing::new(vec![0usize; 2 * BLOCK + 1]);
        let mut first = steps.start as i128 + 1;
        for giants in giants.get(steps)?.chunks(BLOCK) {
            let (sums, minus) = (&mut sums[..giants.len()], &mut minus[..giants.len()]);
            let met = differences(moved, giants, sums, minus);
            // The filter first, for all and without a branch: look-ups that miss the cache do not wait for
            // each other.
            let mut count = 0;
            for (step, (sum, minus)) in sums.iter().zip(minus.iter()).enumerate() {
                hits[count] = 2 * step;
                count += usize::from(self.table.may_have(sum));
                hits[count] = 2 * step + 1;
                count += usize::from(self.table.may_have(minus));
            }
            if met {
                // P is a giant step itself: its places have the coordinate zero.
                count = 2 * giants.len();
                hits.iter_mut().enumerate().for_each(|(place, hit)| *hit = place);
            }
            for hit in &hits[..count] {
                let (step, offset) = (hit / 2, (first + (hit / 2) as i128) * stride);
                // P + gS = xG with x = −gS ± j: the value lies gS below the middle.
                match hit % 2 {
                    0 => check(&sums[step], -offset),
                    _ => check(&minus[step], offset),
                }
            }
            first += giants.len() as i128;
        }
        found
    }

    /// The logarithm of a point, if the coordinate of the point moved by `base` is that of a baby step.
    fn match_of(&self, point: &G1Affine, x: &Fq, base: i128, range: &Range) -> Option<u64> {
        // The identity has the coordinate zero: no step at all.
        let none = (*x == Fq::from(0)).then_some(0);
        let steps = none.into_iter().chain(self.table.find(x).map(i128::from));
        let values = steps.flat_map(|step| [base + step, base - step]);
        values.into_iter().find_map(|value| confirm(point, value, range))
    }
}

/// x·G, by adding entries of a table.
fn multiple(value: u64) -> G1Affine {
    G1Affine::from(&bases::WORDS.multiply_bytes(&value.to_le_bytes())[0])
}

/// The value, if it is within the range and the point's logarithm.
fn confirm(point: &G1Affine, value: i128, range: &Range) -> Option<u64> {
    let value = u64::try_from(value).ok().filter(|value| *value < range.bound)?;
    (multiple(value) == *point).then_some(value)
}
