//! Logarithms of small multiples of G: baby steps in a table, giant steps in lanes.
//!
//! The table holds part of the first coordinate of 1·G, …, T·G. A point P = xG is moved by the
//! middle of its range, and P ± g(2T + 1)·G is looked up for g = 0, 1, 2, …: both signs share an
//! inversion, and a match gives x up to the sign of the baby step. Every match is confirmed with
//! the whole point.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::RwLock,
};

use ark_bls12_381::Fq;
use group::{prime::PrimeCurveAffine, Curve};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{bases, Error};
use crate::pairing_curve::{
    add_in_lanes, differences, multiply_g1, Fr, G1Affine, G1Projective, Lane,
};

#[cfg(test)]
mod tests;

/// The most bits of a table's size.
pub const MOST_BITS: u32 = 26;
const LEAST_BITS: u32 = 4;
const MAGIC: &[u8; 16] = b"muster-pvss-log1";
/// What comes before the entries: the magic bytes, the size and a digest of the entries.
const HEADER: usize = 16 + 4 + 32;
/// log₂ of the entries that a bucket has on average: a line of the cache.
const BUCKET_BITS: u32 = 3;
/// log₂ of the filter's bits per entry.
const FILTER_BITS: u32 = 3;
/// log₂ of how many points share an inversion while the table is made.
const BABY_BITS: u32 = 10;

/// T = 2^bits baby steps.
///
/// Buckets are by the lower bits of the coordinate's word, and tags are its upper 32: a lookup
/// touches only tags. Beside each tag is the index j − 1 of jG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    bits: u32,
    starts: Vec<u32>,
    tags: Vec<u32>,
    indices: Vec<u32>,
    /// A bit for each bucket and six bits of a tag: it rules out seven of eight coordinates that
    /// are not in the table, without waiting for the memory that the tags are in.
    filter: Vec<u64>,
}

/// The word of a first coordinate that entries are made of.
fn word(x: &Fq) -> u64 {
    // Any fixed word will do; this one is of the form that the limbs are stored in.
    x.0 .0[0]
}

impl Table {
    /// Makes the table of 2^bits entries.
    ///
    /// # Errors
    ///
    /// [`Error::Table`] for an impossible size.
    pub fn new(bits: u32) -> Result<Self, Error> {
        if !(LEAST_BITS..=MOST_BITS).contains(&bits) {
            return Err(Error::Table { reason: "the size must be from 2^4 to 2^26" });
        }
        Ok(Self::from_words(bits, &baby_steps(bits)))
    }

    /// Sorts the words of 1·G, … into their buckets.
    fn from_words(bits: u32, words: &[u64]) -> Self {
        let buckets = 1usize << (bits - BUCKET_BITS);
        let mut starts = vec![0u32; buckets + 1];
        words.iter().for_each(|word| starts[bucket(bits, *word) + 1] += 1);
        for bucket in 0..buckets {
            starts[bucket + 1] += starts[bucket];
        }
        let mut next = starts.clone();
        let (mut tags, mut indices) = (vec![0; words.len()], vec![0; words.len()]);
        for (index, word) in words.iter().enumerate() {
            let place = &mut next[bucket(bits, *word)];
            tags[*place as usize] = tag(*word);
            indices[*place as usize] = index as u32;
            *place += 1;
        }
        Self::with_filter(bits, starts, tags, indices)
    }

    fn with_filter(bits: u32, starts: Vec<u32>, tags: Vec<u32>, indices: Vec<u32>) -> Self {
        let mut filter = vec![0; 1 << (bits + FILTER_BITS - 6)];
        for (bucket, places) in starts.windows(2).enumerate() {
            for tag in &tags[places[0] as usize..places[1] as usize] {
                let place = filter_place(bucket, *tag);
                filter[place / 64] |= 1 << (place % 64);
            }
        }
        Self { bits, starts, tags, indices, filter }
    }

    /// T.
    pub fn size(&self) -> u64 {
        self.tags.len() as u64
    }

    /// log₂ T.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Whether the coordinate may be one of the table's.
    fn may_have(&self, x: &Fq) -> bool {
        let word = word(x);
        let place = filter_place(bucket(self.bits, word), tag(word));
        self.filter[place / 64] >> (place % 64) & 1 == 1
    }

    /// The baby steps whose tags match a coordinate: often none, sometimes a false match.
    fn find(&self, x: &Fq) -> impl Iterator<Item = u64> + '_ {
        let word = word(x);
        let bucket = bucket(self.bits, word);
        let places = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        let own = tag(word);
        let matching = places.filter(move |place| self.tags[*place] == own);
        matching.map(|place| u64::from(self.indices[place]) + 1)
    }

    /// The table with a header and a digest, for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = self.starts.iter().chain(&self.tags).chain(&self.indices);
        let body: Vec<u8> = words.flat_map(|word| word.to_le_bytes()).collect();
        let mut out = MAGIC.to_vec();
        out.extend(self.bits.to_le_bytes());
        out.extend(Sha256::digest(&body));
        out.extend(body);
        out
    }

    /// Reads what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    ///
    /// [`Error::Table`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bad = |reason| Error::Table { reason };
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(bad("too short"))?;
        let bits = header[16..20].iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte));
        if header[..16] != MAGIC[..] || !(LEAST_BITS..=MOST_BITS).contains(&bits) {
            return Err(bad("not a table of this version"));
        }
        let starts = ((1usize << (bits - BUCKET_BITS)) + 1) * 4;
        if body.len() != starts + (8 << bits) {
            return Err(bad("its length does not match its size"));
        }
        if Sha256::digest(body)[..] != header[20..] {
            return Err(bad("its digest does not match"));
        }
        let words = |bytes: &[u8]| -> Vec<u32> {
            bytes.as_chunks().0.par_iter().map(|word| u32::from_le_bytes(*word)).collect()
        };
        let (starts, rest) = body.split_at(starts);
        let (tags, indices) = rest.split_at(4 << bits);
        let (starts, tags, indices) = (words(starts), words(tags), words(indices));
        let ascending = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        if !ascending || starts.last().copied() != Some(tags.len() as u32) {
            return Err(bad("its buckets are not in order"));
        }
        Ok(Self::with_filter(bits, starts, tags, indices))
    }
}

fn bucket(bits: u32, word: u64) -> usize {
    (word & ((1 << (bits - BUCKET_BITS)) - 1)) as usize
}

/// The filter's bit of a bucket and six bits of a tag.
fn filter_place(bucket: usize, tag: u32) -> usize {
    let width = FILTER_BITS + BUCKET_BITS;
    bucket << width | (tag & ((1 << width) - 1)) as usize
}

fn tag(word: u64) -> u32 {
    (word >> 32) as u32
}

/// The words of G, 2G, …: blocks of points around a middle, two for every inverse.
fn baby_steps(bits: u32) -> Vec<u64> {
    let size = 1u64 << bits;
    let half = 1u64 << BABY_BITS.min(bits - 1);
    let g = G1Projective::from(bases::g());
    let times = |scalar: u64| Lane::from(&multiply_g1(&g, &Fr::from(scalar)).to_affine());
    // ±1, …, ±half around the middles half + 1, 3·half + 2, …: each block has 2·half + 1 points.
    let steps = multiples(&Lane::from(&bases::g()), half as usize);
    let length = 2 * half + 1;
    let blocks = size.div_ceil(length);
    let mut words = vec![0u64; (blocks * length) as usize];
    words.par_chunks_exact_mut(length as usize).enumerate().for_each(|(block, words)| {
        let middle = times(block as u64 * length + half + 1);
        let (mut sums, mut minus) =
            (vec![Fq::from(0); half as usize], vec![Fq::from(0); half as usize]);
        differences(&middle, &steps, &mut sums, &mut minus);
        words[half as usize] = word(&middle.x);
        for (step, (sum, minus)) in sums.iter().zip(&minus).enumerate() {
            words[half as usize + step + 1] = word(sum);
            words[half as usize - step - 1] = word(minus);
        }
    });
    words.truncate(size as usize);
    words
}

/// P, 2P, …, by doubling what is there.
fn multiples(point: &Lane<Fq>, count: usize) -> Vec<Lane<Fq>> {
    let mut all = vec![*point];
    while all.len() < count {
        let last = all[all.len() - 1];
        let mut next: Vec<Lane<Fq>> = all[..all.len().min(count - all.len())].to_vec();
        add_in_lanes(&mut next, |_| last);
        all.extend(next);
    }
    all.truncate(count);
    all
}

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
        let middles: BTreeSet<u64> = ranges.iter().map(|range| range.middle).collect();
        let middles: BTreeMap<u64, G1Affine> =
            middles.into_iter().map(|middle| (middle, multiple(middle))).collect();
        let find = |(point, range): (&G1Affine, &Range)| {
            let moved = (point.to_curve() - middles[&range.middle]).to_affine();
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
