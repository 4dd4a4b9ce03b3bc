//! What is left of relations as classes become known, and equations of a few numbers modulo one prime, solved together.

use std::collections::{BTreeSet, VecDeque};

use num_bigint::BigInt;
use num_traits::{Euclid, Zero};
use rustc_hash::FxHashMap;

use super::{
    grid::{Number, Relation},
    small::Small,
};

/// The most unknown numbers of relations that are taken together.
const MOST_TOGETHER: usize = 4;

/// What is left of a relation.
#[derive(Debug)]
struct Left {
    /// By the order of numbers.
    slopes: Vec<(usize, BigInt)>,
    modulus: BigInt,
    /// The classes that are not known.
    unknown: BTreeSet<usize>,
    /// How many of these are not small, and the bits of those that are.
    large: usize,
    bits: u32,
    /// The bits that it determines.
    capacity: u32,
    /// Whether it has determined something.
    is_used: bool,
}

/// Relations, and the numbers that they are about.
#[derive(Debug, Default)]
pub(super) struct Relations {
    all: Vec<Left>,
    numbers: Vec<Number>,
    /// The relations of each class and of each number.
    of_class: FxHashMap<usize, Vec<usize>>,
    of_number: Vec<Vec<usize>>,
    /// Relations that may determine what is left of them.
    ready: VecDeque<usize>,
    /// Relations with fewer unknown classes than when they were last taken together with others.
    changed: BTreeSet<usize>,
}

impl Relations {
    pub(super) fn new(relations: Vec<Relation>, small: &FxHashMap<usize, Small>) -> Self {
        let mut all = Self::default();
        let mut places = FxHashMap::<Number, usize>::default();
        let relations = relations.into_iter().filter(|relation| !relation.slopes.is_empty());
        for (order, relation) in relations.enumerate() {
            let mut left = Left {
                slopes: vec![],
                modulus: relation.modulus,
                unknown: BTreeSet::new(),
                large: 0,
                bits: 0,
                capacity: relation.bits,
                is_used: false,
            };
            for (number, slope) in relation.slopes {
                left.unknown.extend(&number);
                let place = *places.entry(number).or_insert_with_key(|number| {
                    all.numbers.push(number.clone());
                    all.of_number.push(vec![]);
                    all.numbers.len() - 1
                });
                all.of_number[place].push(order);
                left.slopes.push((place, slope));
            }
            left.measure(small);
            left.unknown
                .iter()
                .for_each(|class| all.of_class.entry(*class).or_default().push(order));
            all.all.push(left);
        }
        let count = all.all.len();
        all.ready.extend(0..count);
        all.changed.extend(0..count);
        all
    }

    /// Marks a class as known.
    pub(super) fn learn(&mut self, class: usize, small: Option<&Small>) {
        for order in self.of_class.get(&class).into_iter().flatten() {
            let left = &mut self.all[*order];
            if left.unknown.remove(&class) {
                match small {
                    Some(small) => left.bits -= small.bits,
                    None => left.large -= 1,
                }
                self.ready.push_back(*order);
                self.changed.insert(*order);
            }
        }
    }

    /// What the next relation determines, among those that may determine something.
    pub(super) fn determined(&mut self) -> Option<Vec<usize>> {
        while let Some(order) = self.ready.pop_front() {
            let left = &mut self.all[order];
            if !left.unknown.is_empty() && left.large == 0 && left.bits <= left.capacity {
                left.is_used = true;
                return Some(left.unknown.iter().copied().collect());
            }
        }
        None
    }

    /// What a relation with classes that are not small determines: `digits` gives the small classes that make these up.
    pub(super) fn determined_by(
        &mut self,
        small: &FxHashMap<usize, Small>,
        digits: impl Fn(&BTreeSet<usize>) -> Option<BTreeSet<usize>>,
    ) -> Option<BTreeSet<usize>> {
        self.all.iter_mut().filter(|left| left.large > 0).find_map(|left| {
            let digits = digits(&left.unknown).filter(|digits| !digits.is_empty())?;
            let bits = digits.iter().map(|class| small[class].bits).sum::<u32>();
            (bits <= left.capacity).then(|| {
                left.is_used = true;
                digits
            })
        })
    }

    /// Takes together relations modulo one prime that have few unknown numbers. If they determine one of these alone,
    /// what they say about each replaces them.
    pub(super) fn reduce(&mut self, small: &FxHashMap<usize, Small>) -> bool {
        let mut open = BTreeSet::new();
        for order in std::mem::take(&mut self.changed) {
            let unknown = self.unknown(order);
            if (1..=MOST_TOGETHER).contains(&unknown.len()) {
                open.extend(unknown.iter().flat_map(|number| &self.of_number[*number]).copied());
            }
        }
        let mut any = false;
        for order in open {
            any |= self.reduce_with(order, small);
        }
        any
    }

    /// As [`Self::reduce`], for the relations that have no other unknown numbers than this one.
    fn reduce_with(&mut self, order: usize, small: &FxHashMap<usize, Small>) -> bool {
        let columns = self.unknown(order);
        let modulus = self.all[order].modulus.clone();
        if !(2..=MOST_TOGETHER).contains(&columns.len()) || modulus.is_zero() {
            return false;
        }
        let is_within = |other: &usize| {
            let left = &self.all[*other];
            let is_open = !left.is_used && left.modulus == modulus;
            is_open && self.unknown(*other).iter().all(|number| columns.contains(number))
        };
        let rows = columns.iter().flat_map(|number| &self.of_number[*number]);
        let rows: BTreeSet<_> = rows.copied().filter(is_within).collect();
        let rows: Vec<_> = rows.into_iter().collect();
        let slope = |row: usize, column: usize| {
            let mut slopes = self.all[row].slopes.iter();
            let found = slopes.find(|(number, _)| *number == column);
            found.map_or(BigInt::zero(), |(_, slope)| slope.clone())
        };
        let slopes_of = |row: &usize| columns.iter().map(|column| slope(*row, *column)).collect();
        let slopes: Vec<Vec<_>> = rows.iter().map(slopes_of).collect();
        let new = reduced(slopes.clone(), &modulus);
        if alone(&new) == alone(&slopes) {
            return false;
        }
        let unknown = self.all[order].unknown.clone();
        for (row, slopes) in rows.into_iter().zip(new) {
            let slopes = columns.iter().copied().zip(slopes);
            let slopes = slopes.filter(|(_, slope)| !slope.is_zero()).collect();
            self.replace(row, slopes, &unknown, small);
        }
        true
    }

    /// Gives a relation these slopes, of whose classes those in `unknown` are not known.
    fn replace(
        &mut self,
        order: usize,
        slopes: Vec<(usize, BigInt)>,
        unknown: &BTreeSet<usize>,
        small: &FxHashMap<usize, Small>,
    ) {
        let left = &mut self.all[order];
        left.unknown.clear();
        for (number, _) in &slopes {
            self.of_number[*number].push(order);
            let limbs = self.numbers[*number].iter();
            for class in limbs.filter(|class| unknown.contains(class)) {
                left.unknown.insert(*class);
                self.of_class.entry(*class).or_default().push(order);
            }
        }
        left.slopes = slopes;
        left.measure(small);
        self.ready.push_back(order);
    }

    /// The unknown numbers of a relation.
    fn unknown(&self, order: usize) -> Vec<usize> {
        let left = &self.all[order];
        let is_unknown =
            |number: &usize| self.numbers[*number].iter().any(|class| left.unknown.contains(class));
        left.slopes.iter().map(|(number, _)| *number).filter(is_unknown).collect()
    }

    /// How many relations determined nothing: what they say follows from all else.
    pub(super) fn checks(&self) -> usize {
        self.all.iter().filter(|left| !left.is_used).count()
    }
}

impl Left {
    fn measure(&mut self, small: &FxHashMap<usize, Small>) {
        let found = self.unknown.iter().filter_map(|class| small.get(class));
        (self.large, self.bits) = found
            .fold((self.unknown.len(), 0), |(large, bits), small| (large - 1, bits + small.bits));
    }
}

/// Subtracts multiples of rows from others, modulo a prime, until each column that can be is in one row alone.
pub(super) fn reduced(mut rows: Vec<Vec<BigInt>>, prime: &BigInt) -> Vec<Vec<BigInt>> {
    let mut is_chosen = vec![false; rows.len()];
    for column in 0..rows.first().map_or(0, Vec::len) {
        let mut open = (0..rows.len()).filter(|row| !is_chosen[*row]);
        let inverse = open.find_map(|row| Some((row, rows[row][column].modinv(prime)?)));
        let Some((pivot, inverse)) = inverse else { continue };
        is_chosen[pivot] = true;
        let by = rows[pivot].clone();
        for (_, slopes) in rows.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let factor = &slopes[column] * &inverse;
            for (slope, other) in slopes.iter_mut().zip(&by) {
                *slope = (&*slope - &factor * other).rem_euclid(prime);
            }
        }
    }
    rows
}

/// The columns that stand alone in a row.
pub(super) fn alone(rows: &[Vec<BigInt>]) -> Vec<usize> {
    let only = |row: &Vec<BigInt>| {
        let mut left = (0..row.len()).filter(|column| !row[*column].is_zero());
        let first = left.next()?;
        left.next().is_none().then_some(first)
    };
    let mut columns: Vec<_> = rows.iter().filter_map(only).collect();
    columns.sort_unstable();
    columns.dedup();
    columns
}
