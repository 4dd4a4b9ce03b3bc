//! The baby steps.

use ark_bls12_381::Fq;
use group::Curve;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::{
    pairing_curve::{add_in_lanes, differences, multiply_g1, Fr, G1Projective, Lane},
    pvss::{bases, Error},
};

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
const BLOCK_BITS: u32 = 10;

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
    pub(super) fn may_have(&self, x: &Fq) -> bool {
        let word = word(x);
        let place = filter_place(bucket(self.bits, word), tag(word));
        self.filter[place / 64] >> (place % 64) & 1 == 1
    }

    /// The baby steps whose tags match a coordinate: often none, sometimes a false match.
    pub(super) fn find(&self, x: &Fq) -> impl Iterator<Item = u64> + '_ {
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

    #[cfg(test)]
    pub(crate) fn set_entry(&mut self, from: u64, to: u64) {
        // The baby step `to` gets the entry of the coordinate of `from`.
        let point = multiply_g1(&bases::g().into(), &Fr::from(from)).to_affine();
        let word = word(&Lane::from(&point).x);
        let bucket = bucket(self.bits, word);
        let places = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        let found = self.indices[places].iter_mut().find(|index| u64::from(**index) == from - 1);
        *found.expect("an entry") = (to - 1) as u32;
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
    let half = 1u64 << BLOCK_BITS.min(bits - 1);
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
pub(super) fn multiples(point: &Lane<Fq>, count: usize) -> Vec<Lane<Fq>> {
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
