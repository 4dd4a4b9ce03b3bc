//! Which changes are determined by others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::equations::{Equation, Equations};

/// Unknown changes and the equations that are left of them.
#[derive(Debug)]
pub(super) struct System {
    equations: Vec<BTreeMap<usize, Fr>>,
    /// The equations of each class.
    uses: BTreeMap<usize, BTreeSet<usize>>,
    small: BTreeSet<usize>,
    /// Equations of one class, and of small classes alone.
    ready: VecDeque<usize>,
    unknown: BTreeSet<usize>,
}

impl System {
    pub(super) fn new(Equations { equations, small }: Equations) -> Self {
        let mut uses = BTreeMap::<_, BTreeSet<_>>::new();
        for (number, equation) in equations.iter().enumerate() {
            for (class, _) in equation {
                uses.entry(*class).or_default().insert(number);
            }
        }
        let unknown = uses.keys().copied().collect();
        let ready = (0..equations.len()).collect();
        let sparse = |equation: Equation| equation.into_iter().collect();
        let equations = equations.into_iter().map(sparse).collect();
        Self { equations, uses, small, ready, unknown }
    }

    /// The classes that are left when everything that follows from others is taken away: each is taken
    /// for known in turn, in the order of `rank`.
    pub(super) fn free(mut self, rank: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut order: Vec<_> = self.unknown.iter().copied().collect();
        order.sort_by_key(|class| rank(*class));
        let mut order = order.into_iter();
        let mut free = vec![];
        loop {
            self.follow();
            if self.take_digits() || self.eliminate() {
                continue;
            }
            match order.find(|class| self.unknown.contains(class)) {
                Some(class) => {
                    free.push(class);
                    self.learn(class);
                }
                None => return free,
            }
        }
    }

    fn learn(&mut self, class: usize) {
        self.unknown.remove(&class);
        for number in self.uses.remove(&class).unwrap_or_default() {
            self.equations[number].remove(&class);
            self.ready.push_back(number);
        }
    }

    /// Whatever stands alone in an equation is known.
    fn follow(&mut self) {
        while let Some(number) = self.ready.pop_front() {
            if self.equations[number].len() == 1 {
                let class = *self.equations[number].keys().next().expect("there is one");
                self.learn(class);
            }
        }
    }

    /// Small classes that are all that is left of an equation are the digits of what is known: how
    /// many values they have, and whether these overlap, is not looked at.
    fn take_digits(&mut self) -> bool {
        let is_small = |equation: &BTreeMap<usize, Fr>| {
            !equation.is_empty() && equation.keys().all(|class| self.small.contains(class))
        };
        let digits = self.equations.iter().filter(|equation| is_small(equation));
        let Some(shortest) = digits.min_by_key(|equation| equation.len()) else { return false };
        let classes: Vec<_> = shortest.keys().copied().collect();
        classes.into_iter().for_each(|class| self.learn(class));
        true
    }

    /// Eliminates classes, of the shortest equations first, until one is known.
    fn eliminate(&mut self) -> bool {
        let found = Elimination::new(&self.equations).run();
        let found: Vec<_> =
            found.into_iter().filter(|class| self.unknown.contains(class)).collect();
        found.iter().for_each(|class| self.learn(*class));
        !found.is_empty()
    }
}

/// A copy of the equations that elimination changes.
struct Elimination {
    equations: Vec<BTreeMap<usize, Fr>>,
    uses: BTreeMap<usize, BTreeSet<usize>>,
    by_length: BTreeSet<(usize, usize)>,
    /// Equations that were used, each with the class that it eliminated.
    done: Vec<(usize, BTreeMap<usize, Fr>)>,
}

/// Equations that grow beyond this are left: blocks of gates are smaller.
const LONGEST: usize = 40;

impl Elimination {
    fn new(equations: &[BTreeMap<usize, Fr>]) -> Self {
        let equations: Vec<_> = equations.iter().filter(|e| !e.is_empty()).cloned().collect();
        let mut uses = BTreeMap::<_, BTreeSet<_>>::new();
        for (number, equation) in equations.iter().enumerate() {
            for class in equation.keys() {
                uses.entry(*class).or_default().insert(number);
            }
        }
        let by_length = equations.iter().enumerate().map(|(n, e)| (e.len(), n)).collect();
        Self { equations, uses, by_length, done: vec![] }
    }

    /// Eliminates until nothing is left; gives all classes that are determined.
    fn run(&mut self) -> BTreeSet<usize> {
        while let Some((length, number)) = self.by_length.pop_first() {
            if length > LONGEST {
                break;
            }
            let equation = std::mem::take(&mut self.equations[number]);
            for class in equation.keys() {
                self.forget(*class, number);
            }
            let fewest =
                equation.keys().min_by_key(|class| self.uses.get(class).map_or(0, BTreeSet::len));
            let Some(&pivot) = fewest else { continue };
            let slope = Option::<Fr>::from(equation[&pivot].invert()).expect("no slope is 0");
            for other in self.uses.remove(&pivot).unwrap_or_default() {
                self.subtract(other, &equation, (pivot, slope));
            }
            self.done.push((pivot, equation));
        }
        let mut found = BTreeSet::new();
        for (pivot, equation) in self.done.iter().rev() {
            if equation.keys().all(|class| class == pivot || found.contains(class)) {
                found.insert(*pivot);
            }
        }
        found
    }

    fn forget(&mut self, class: usize, number: usize) {
        if let Some(uses) = self.uses.get_mut(&class) {
            uses.remove(&number);
        }
    }

    /// Takes the multiple of `equation` from `other` that leaves nothing of the pivot.
    fn subtract(
        &mut self,
        other: usize,
        equation: &BTreeMap<usize, Fr>,
        (pivot, slope): (usize, Fr),
    ) {
        let mut changed = std::mem::take(&mut self.equations[other]);
        self.by_length.remove(&(changed.len(), other));
        let factor = changed[&pivot] * slope;
        for (class, slope) in equation {
            let cell = changed.entry(*class).or_insert(Fr::ZERO);
            *cell -= factor * slope;
            if bool::from(cell.is_zero()) {
                changed.remove(class);
                self.forget(*class, other);
            } else {
                self.uses.entry(*class).or_default().insert(other);
            }
        }
        if !changed.is_empty() {
            self.by_length.insert((changed.len(), other));
        }
        self.equations[other] = changed;
    }
}
