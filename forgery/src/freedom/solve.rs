//! Which changes are determined by others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    equations::Equations,
    grid::{Equation, Function, Number, Numbers},
    related::Relations,
    small::{told_apart, Small, Term},
};

/// What is left of an equation: the classes that are not known.
#[derive(Debug, Default)]
struct Rest {
    /// In the order of the classes.
    slopes: Vec<(usize, Fr)>,
    /// How many of them are not small.
    large: usize,
    /// The factors of the equations that it is a sum of.
    scales: Vec<Fr>,
    /// Whether it is argued to tell its small classes, which are digits, apart.
    is_turned: bool,
}

/// Unknown changes, and the equations that are left between them.
#[derive(Debug, Default)]
pub(super) struct System {
    equations: Vec<Rest>,
    /// The equations of each class, and some that had it once.
    uses: FxHashMap<usize, Vec<usize>>,
    relations: Relations,
    functions: Vec<Function>,
    inputs: FxHashMap<usize, Vec<usize>>,
    small: FxHashMap<usize, Small>,
    unknown: BTreeSet<usize>,
    known: FxHashSet<usize>,
    /// Equations that may have one class left.
    ready: VecDeque<usize>,
    /// Length and number of each equation with only small classes that was not tried in its present form.
    digits: BTreeSet<(usize, usize)>,
    /// The same for those with a large class, except the ones used to eliminate another.
    whole: BTreeSet<(usize, usize)>,
    /// Classes that were eliminated, each with the equation that gives it in terms of others.
    pivots: BTreeMap<usize, usize>,
    /// The equations used to eliminate.
    used: FxHashSet<usize>,
}

/// The longest equations that are eliminated before numbers are chosen.
const SHORT_LENGTH: usize = 110;

/// How many scales an equation remembers.
const MOST_SCALES: usize = 72;

/// A choice that is left to the prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// A number that no relation gives.
    Element,
    /// A number that no block makes.
    Outside,
    Class(usize),
}

/// What is left to the prover, and how many relations only refuse.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) free: Vec<Free>,
    /// Relations that follow from all else.
    pub(super) checks: usize,
}

impl System {
    /// What is left once everything that follows from others is taken away, and how many relations only refuse. Classes
    /// are assumed to be known in the order of `rank`.
    pub(super) fn solve(all: Equations, rank: impl Fn(usize) -> usize) -> Found {
        let unknown = all.equated();
        let relations = Relations::new(all.relations, &all.small);
        let mut system = Self { small: all.small, unknown, relations, ..Self::default() };
        all.equations.into_iter().for_each(|equation| system.add(equation, false));
        all.definitions.into_iter().for_each(|equation| system.add(equation, false));
        all.turned.into_iter().for_each(|equation| system.add(equation, true));
        all.functions.into_iter().for_each(|function| system.wait(function));
        system.free(all.numbers, rank)
    }

    fn add(&mut self, equation: Equation, is_turned: bool) {
        let number = self.equations.len();
        let slopes: Vec<_> =
            equation.into_iter().filter(|(class, _)| !self.known.contains(class)).collect();
        for (class, _) in &slopes {
            self.uses.entry(*class).or_default().push(number);
        }
        self.equations.push(Rest { slopes, large: 0, scales: vec![Fr::one()], is_turned });
        self.measure(number);
    }

    /// A function without inputs is an equation right away; any other waits for its inputs.
    fn wait(&mut self, function: Function) {
        if function.output.is_empty() {
            return;
        }
        if function.inputs.is_empty() {
            self.add(function.output, false);
            return;
        }
        let number = self.functions.len();
        for class in &function.inputs {
            self.inputs.entry(*class).or_default().push(number);
        }
        self.functions.push(function);
    }

    /// Assumes what is left to be known, one after the other: numbers first, then classes in the order of `rank`.
    fn free(mut self, numbers: Numbers, rank: impl Fn(usize) -> usize) -> Found {
        let mut order: Vec<_> = self.unknown.iter().copied().collect();
        order.sort_by_cached_key(|class| rank(*class));
        let (mut order, mut elements) = (order.into_iter(), numbers.elements.into_iter());
        let mut outside = numbers.outside;
        outside.sort_by_cached_key(|limbs| limbs.iter().map(|class| rank(*class)).min());
        let mut outside = outside.into_iter();
        // Long equations wait for the numbers.
        let mut longest = SHORT_LENGTH;
        let mut free = vec![];
        loop {
            self.follow();
            // Relations come after native equations: what is left of them then is a check.
            if self.take_digits()
                || self.relate()
                || self.eliminate(longest, &rank)
                || self.relate_all()
                || self.relations.reduce(&self.small)
            {
                continue;
            }
            let is_free =
                |class: &usize| self.unknown.contains(class) && !self.pivots.contains_key(class);
            let any_is_free = |limbs: &Number| limbs.iter().any(is_free);
            let (choice, chosen) = if let Some(limbs) = elements.find(any_is_free) {
                (Free::Element, limbs)
            } else if longest < usize::MAX {
                longest = usize::MAX;
                continue;
            } else if let Some(limbs) = outside.find(any_is_free) {
                (Free::Outside, limbs)
            } else if let Some(class) = order.find(is_free) {
                (Free::Class(class), vec![class])
            } else {
                return Found { free, checks: self.relations.checks() };
            };
            free.push(choice);
            chosen.into_iter().for_each(|class| self.learn(class));
        }
    }

    fn unlist(&mut self, number: usize) {
        let length = self.equations[number].slopes.len();
        self.digits.remove(&(length, number));
        self.whole.remove(&(length, number));
    }

    /// Counts what is left of an equation and puts it where it belongs.
    fn measure(&mut self, number: usize) {
        let rest = &mut self.equations[number];
        let large = rest.slopes.iter().filter(|(class, _)| !self.small.contains_key(class));
        rest.large = large.count();
        self.list(number);
    }

    fn list(&mut self, number: usize) {
        let Rest { slopes, large, is_turned, .. } = &self.equations[number];
        let length = slopes.len();
        if *large == 0 && length > 0 {
            self.digits.insert((length, number));
        }
        if *large > 0 && length > 1 && !is_turned && !self.used.contains(&number) {
            self.whole.insert((length, number));
        }
        if length == 1 {
            self.ready.push_back(number);
        }
    }

    fn learn(&mut self, class: usize) {
        if !self.known.insert(class) {
            return;
        }
        self.unknown.remove(&class);
        if let Some(number) = self.pivots.remove(&class) {
            self.used.remove(&number);
        }
        for number in self.uses.remove(&class).unwrap_or_default() {
            let found = self.equations[number].slopes.binary_search_by_key(&class, |(c, _)| *c);
            let Ok(place) = found else { continue };
            self.unlist(number);
            let equation = &mut self.equations[number];
            equation.slopes.remove(place);
            equation.large -= usize::from(!self.small.contains_key(&class));
            self.list(number);
        }
        self.relations.learn(class, self.small.get(&class));
        for number in self.inputs.remove(&class).unwrap_or_default() {
            let Function { inputs, output } = &mut self.functions[number];
            inputs.retain(|input| *input != class);
            if inputs.is_empty() {
                let output = std::mem::take(output);
                self.add(output, false);
            }
        }
    }

    /// A class that is alone in an equation is known.
    fn follow(&mut self) {
        while let Some(number) = self.ready.pop_front() {
            if let [(class, _)] = self.equations[number].slopes[..] {
                self.learn(class);
            }
        }
    }

    /// What a relation determines is known.
    fn relate(&mut self) -> bool {
        let Some(classes) = self.relations.determined() else { return false };
        classes.into_iter().for_each(|class| self.learn(class));
        true
    }

    /// If only small classes are left of an equation, they are the digits of what is known, provided that it tells them
    /// apart. For those of a turned lane, only their bits are counted.
    fn take_digits(&mut self) -> bool {
        let Some((_, number)) = self.digits.pop_first() else { return false };
        let Rest { slopes, scales, is_turned, .. } = &self.equations[number];
        let terms = slopes.iter().map(|(class, slope)| Term {
            class: *class,
            slope: *slope,
            small: &self.small[class],
        });
        let terms: Vec<_> = terms.collect();
        let found = if !is_turned {
            told_apart(&terms, scales)
        } else if terms.iter().map(|term| term.small.bits).sum::<u32>() <= Fr::CAPACITY {
            terms.iter().map(|term| term.class).collect()
        } else {
            vec![]
        };
        found.into_iter().for_each(|class| self.learn(class));
        true
    }

    /// Relations whose large classes are sums of small ones determine these.
    fn relate_all(&mut self) -> bool {
        let mut relations = std::mem::take(&mut self.relations);
        let found = relations.determined_by(&self.small, |classes| self.digits_of(classes));
        self.relations = relations;
        let Some(found) = found else { return false };
        found.into_iter().for_each(|class| self.learn(class));
        true
    }

    /// The small classes among these, and those that the others are given by.
    fn digits_of(&self, classes: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        let mut classes: Vec<_> = classes.iter().copied().collect();
        let (mut seen, mut digits) = (FxHashSet::default(), BTreeSet::new());
        while let Some(class) = classes.pop() {
            if self.small.contains_key(&class) {
                digits.insert(class);
            } else if seen.insert(class) {
                let by = &self.equations[*self.pivots.get(&class)?].slopes;
                classes.extend(by.iter().map(|(other, _)| *other).filter(|other| *other != class));
            }
        }
        Some(digits)
    }

    /// Eliminates the last large class of the shortest equation from the others. Digits stay: they wait until nothing
    /// else in their equation is unknown. Used equations are in the order of their pivots: what one of them gives is
    /// free of the pivots before.
    fn eliminate(&mut self, longest: usize, rank: &impl Fn(usize) -> usize) -> bool {
        let Some((length, number)) = self.whole.first().copied() else { return false };
        if length > longest {
            return false;
        }
        self.whole.remove(&(length, number));
        while let Some((pivot, by)) = self.pivot_in(number) {
            self.subtract(number, by, pivot);
        }
        let slopes = self.equations[number].slopes.iter().map(|(class, _)| *class);
        let large = slopes.filter(|class| !self.small.contains_key(class));
        let Some(pivot) = large.max_by_key(|class| rank(*class)) else { return true };
        self.unlist(number);
        self.pivots.insert(pivot, number);
        self.used.insert(number);
        for other in self.uses[&pivot].clone() {
            let Rest { slopes, .. } = &self.equations[other];
            let has_it = slopes.binary_search_by_key(&pivot, |(class, _)| *class).is_ok();
            if has_it && self.whole.contains(&(slopes.len(), other)) {
                self.subtract(other, number, pivot);
            }
        }
        true
    }

    /// An eliminated class in an equation, and the equation that gives it.
    fn pivot_in(&self, number: usize) -> Option<(usize, usize)> {
        let given = |(class, _): &(usize, Fr)| self.pivots.get(class).map(|by| (*class, *by));
        self.equations[number].slopes.iter().find_map(given)
    }

    /// Subtracts from the equation `other` the multiple of the equation `by` that cancels `pivot`.
    fn subtract(&mut self, other: usize, by: usize, pivot: usize) {
        self.unlist(other);
        let slope_in = |number: usize| {
            let slopes = &self.equations[number].slopes;
            let place = slopes.binary_search_by_key(&pivot, |(class, _)| *class);
            slopes[place.expect("both have the pivot")].1
        };
        let inverse = Option::<Fr>::from(slope_in(by).invert()).expect("no slope is 0");
        let factor = -slope_in(other) * inverse;
        let old = std::mem::take(&mut self.equations[other].slopes);
        let mut left = old.into_iter().peekable();
        let mut merged = vec![];
        for (class, slope) in &self.equations[by].slopes {
            while let Some(own) = left.next_if(|(own, _)| own < class) {
                merged.push(own);
            }
            let more = factor * slope;
            match left.next_if(|(own, _)| own == class) {
                Some((_, own)) => {
                    let sum = own + more;
                    if !bool::from(sum.is_zero()) {
                        merged.push((*class, sum));
                    }
                }
                None => {
                    merged.push((*class, more));
                    self.uses.entry(*class).or_default().push(other);
                }
            }
        }
        merged.extend(left);
        let scales: Vec<_> = self.equations[by].scales.iter().map(|scale| factor * scale).collect();
        let changed = &mut self.equations[other];
        changed.slopes = merged;
        for scale in scales {
            if changed.scales.len() < MOST_SCALES && !changed.scales.contains(&scale) {
                changed.scales.push(scale);
            }
        }
        self.measure(other);
    }
}
