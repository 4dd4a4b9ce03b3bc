//! Which polynomials of a circuit share a commitment in the format `compact`.

use std::{collections::BTreeSet, ops::RangeInclusive};

use muster_params::FURTHER;
use muster_verifier::{Arrangement, Decider, Key, Opened, Packing, Protocol, Round};

use crate::Error;

/// What a contract pays for a pack of the key: a multiplication and an addition with their calls, and a public input of
/// the decider. One of the proof is 200 more.
const GAS_OF_PACK: u64 = 6_762;
/// What a place more is worth in gas, as an exchange: `W` and `W′` become longer by as many coefficients as there are rows, which is about
/// the same share of any proof's time, some hundredths. Three places more are worth a pack.
const GAS_OF_PLACE: u64 = 2_000;
/// The same for a value: at least a row of the decider, in which some twenty polynomials are committed to and opened.
const GAS_OF_VALUE: u64 = 3;
/// With so many packs, and some forty inputs, a verification on a chain costs less than 250,000 gas. With one more it could cost more.
const MOST_PACKS: usize = 6;

/// The packs of a circuit, and what keys with them need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    packing: Packing,
    decider_k: u32,
}

impl Plan {
    /// The strides that keys may have: how many polynomials share a commitment at most.
    pub const STRIDES: RangeInclusive<u32> = 1..=256;

    /// The packs of a protocol: those of least cost among which there are no more than six, the most that a chain
    /// surely verifies for 250,000 gas, or with this stride.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a stride that no key has, or a circuit that the format has no room for.
    pub fn of(protocol: &Protocol, stride: Option<u32>) -> Result<Self, Error> {
        let arrangement = protocol.arrangement();
        let most = *Self::STRIDES.end();
        let strides = match stride {
            Some(stride) if Self::STRIDES.contains(&stride) => stride as usize..=stride as usize,
            Some(stride) => {
                let reason = format!("a stride of {stride}, and keys have 1 to {most}");
                return Err(Error::Usage(reason));
            }
            None => 1..=arrangement.polynomials().len().min(most as usize),
        };
        let candidates = strides.map(|stride| {
            let rounds = [Round::Key, Round::First, Round::Second];
            let cut = rounds.map(|round| cut(arrangement, protocol.k(), round, stride));
            let own: u64 = cut.iter().map(|(cost, _)| cost).sum();
            let packs: Vec<_> = cut.into_iter().flat_map(|(_, packs)| packs).collect();
            let cost = own + GAS_OF_PLACE * stride as u64;
            (cost, stride, packs)
        });
        let best = candidates.min_by_key(|(cost, _, packs)| (packs.len().max(MOST_PACKS), *cost));
        let (_, stride, packs) = best.expect("there is a stride at least");
        let usage = |error: &dyn std::fmt::Display| {
            Error::Usage(format!("the format compact has no room for the circuit: {error}"))
        };
        let packing = Packing::new(protocol.clone(), stride as u32, packs);
        let packing = packing.map_err(|error| usage(&error))?;
        let decider_k = Decider::new(&packing).map_err(|error| usage(&error))?.k();
        Ok(Self { packing, decider_k })
    }

    /// The packs.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// log₂ of the decider's rows.
    pub fn decider_k(&self) -> u32 {
        self.decider_k
    }

    /// How many powers of τ the prover commits with: `max(M·(n + 4), 4·n, 10·(n₂ + 4))`.
    pub fn powers(&self) -> u64 {
        powers(&self.packing, self.decider_k)
    }

    /// log₂ of the powers of the smallest SRS that has as many, with the further ones that come with an SRS.
    pub fn srs_degree(&self) -> u32 {
        srs_degree(self.powers())
    }
}

/// log₂ of the powers of the SRS that proofs of a key are made with.
pub(super) fn srs_degree_of(key: &Key) -> u32 {
    key.as_compact().map_or(key.protocol().k(), |compact| {
        srs_degree(powers(compact.packing(), compact.decider_k()))
    })
}

fn powers(packing: &Packing, decider_k: u32) -> u64 {
    let (rows, further) = (1_u64 << packing.protocol().k(), FURTHER as u64);
    let circuit = u64::from(packing.stride()) * (rows + further);
    let decider = u64::from(Decider::STRIDE) * ((1 << decider_k) + further);
    circuit.max(4 * rows).max(decider)
}

fn srs_degree(powers: u64) -> u32 {
    powers.saturating_sub(FURTHER as u64).next_power_of_two().ilog2()
}

/// The packs of a round with the least cost, and the cost, in gas.
///
/// Polynomials are ordered by their rotations, so that neighbours share most of them, and cut where it costs least.
fn cut(arrangement: &Arrangement, k: u32, round: Round, stride: usize) -> (u64, Vec<Vec<usize>>) {
    let all = arrangement.polynomials();
    // The last one is the quotient, which is in no pack.
    let own = 0..all.len() - 1;
    let mut own: Vec<usize> = own.filter(|it| Round::of(all[*it].polynomial) == round).collect();
    own.sort_by_key(|number| (all[*number].rotations.len(), all[*number].rotations.clone()));
    // For each number of polynomials, the least cost of the first ones, and where their last pack begins.
    let mut least = vec![(0, 0)];
    for end in 1..=own.len() {
        let mut rotations = Rotations { rows: 1 << k, ..Rotations::default() };
        let mut best: Option<(u64, usize)> = None;
        for begin in (end.saturating_sub(stride)..end).rev() {
            if !rotations.take(&all[own[begin]]) {
                break;
            }
            let values = ((end - begin) * rotations.found.len()) as u64;
            let cost = least[begin].0 + GAS_OF_PACK + GAS_OF_VALUE * values;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, begin));
            }
        }
        least.push(best.expect("a polynomial fits alone"));
    }
    let mut packs = vec![];
    let mut end = own.len();
    while end > 0 {
        let begin = least[end].1;
        packs.push(own[begin..end].to_vec());
        end = begin;
    }
    packs.reverse();
    (least[own.len()].0, packs)
}

/// The rotations of a pack, which are different rows.
#[derive(Default)]
struct Rotations<'a> {
    rows: i32,
    last: &'a [i32],
    found: BTreeSet<i32>,
    rows_found: BTreeSet<i32>,
}

impl<'a> Rotations<'a> {
    /// The greatest number of a pack's rotations.
    const MOST: usize = 256;

    /// Whether those of a polynomial fit with the others.
    fn take(&mut self, opened: &'a Opened) -> bool {
        // Neighbours mostly have the same.
        if self.last == opened.rotations {
            return true;
        }
        self.last = &opened.rotations;
        for rotation in self.last {
            self.found.insert(*rotation);
            self.rows_found.insert(rotation.rem_euclid(self.rows));
        }
        self.found.len() == self.rows_found.len() && self.found.len() <= Self::MOST
    }
}
