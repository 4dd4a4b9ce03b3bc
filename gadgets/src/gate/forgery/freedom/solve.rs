//! Which changes are determined by others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::equations::Equations;

/// What is left of an equation: the classes that are not known.
#[derive(Debug, Default)]
struct Rest {
    slopes: BTreeMap<usize, Fr>,
    /// How many of them are not small.
    large: usize,
    /// Whether it says of a cell that it is a function of another: it has no digits.
    is_function: bool,
}

/// Unknown changes and the equations that are left of them.
#[derive(Debug)]
pub(super) struct System {
    equations: Vec<Rest>,
    /// The equations of each class.
    uses: BTreeMap<usize, BTreeSet<usize>>,
    small: BTreeSet<usize>,
    unknown: BTreeSet<usize>,
    /// Equations that may have one class left.
    ready: VecDeque<usize>,
    /// Length and number of each equation of small classes alone.
    digits: BTreeSet<(usize, usize)>,
    /// The same of those with a large class, but for functions and what was eliminated by.
    whole: BTreeSet<(usize, usize)>,
    /// Classes that were eliminated, each with the equation that gives it by others.
    pivots: BTreeMap<usize, usize>,
    /// These equations.
    used: BTreeSet<usize>,
}

impl System {
    pub(super) fn new(Equations { equations, functions, small }: Equations) -> Self {
        let mut uses = BTreeMap::<_, BTreeSet<_>>::new();
        let own = equations.len();
        let mut rests = vec![];
        for (number, equation) in equations.into_iter().chain(functions).enumerate() {
            for (class, _) in &equation {
                uses.entry(*class).or_default().insert(number);
            }
            let large = equation.iter().filter(|(class, _)| !small.contains(class)).count();
            let slopes = equation.into_iter().collect();
            rests.push(Rest { slopes, large, is_function: number >= own });
        }
        let unknown = uses.keys().copied().collect();
        let ready = (0..rests.len()).collect();
        let (digits, whole, used) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let pivots = BTreeMap::new();
        let mut system =
            Self { equations: rests, uses, small, unknown, ready, digits, whole, pivots, used };
        (0..system.equations.len()).for_each(|number| system.list(number));
        system
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
            if self.take_digits() || self.eliminate(&rank) {
                continue;
            }
            let is_free =
                |class: &usize| self.unknown.contains(class) && !self.pivots.contains_key(class);
            match order.find(is_free) {
                Some(class) => {
                    free.push(class);
                    self.learn(class);
                }
                None => return free,
            }
        }
    }

    fn unlist(&mut self, number: usize) {
        let length = self.equations[number].slopes.len();
        self.digits.remove(&(length, number));
        self.whole.remove(&(length, number));
    }

    fn list(&mut self, number: usize) {
        let Rest { slopes, large, is_function } = &self.equations[number];
        let length = slopes.len();
        if *large == 0 && length > 0 && !is_function {
            self.digits.insert((length, number));
        }
        if *large > 0 && length > 1 && !is_function && !self.used.contains(&number) {
            self.whole.insert((length, number));
        }
    }

    fn learn(&mut self, class: usize) {
        self.unknown.remove(&class);
        if let Some(number) = self.pivots.remove(&class) {
            self.used.remove(&number);
        }
        let is_large = !self.small.contains(&class);
        for number in self.uses.remove(&class).unwrap_or_default() {
            self.unlist(number);
            let equation = &mut self.equations[number];
            equation.slopes.remove(&class);
            equation.large -= usize::from(is_large);
            self.list(number);
            self.ready.push_back(number);
        }
    }

    /// Whatever stands alone in an equation is known.
    fn follow(&mut self) {
        while let Some(number) = self.ready.pop_front() {
            let slopes = &self.equations[number].slopes;
            if let (1, Some((class, _))) = (slopes.len(), slopes.first_key_value()) {
                self.learn(*class);
            }
        }
    }

    /// Small classes that are all that is left of an equation are the digits of what is known: how
    /// many values they have, and whether these overlap, is not looked at.
    fn take_digits(&mut self) -> bool {
        let Some((_, number)) = self.digits.pop_first() else { return false };
        let classes: Vec<_> = self.equations[number].slopes.keys().copied().collect();
        classes.into_iter().for_each(|class| self.learn(class));
        true
    }

    /// Takes the last large class of the shortest equation out of the others. Digits stay: they wait until
    /// nothing else is unknown of their equation. Used equations are in the order of their pivots: what
    /// one of them gives is free of the pivots before.
    fn eliminate(&mut self, rank: &impl Fn(usize) -> usize) -> bool {
        let Some((_, number)) = self.whole.pop_first() else { return false };
        while let Some((pivot, by)) = self.pivot_in(number) {
            self.subtract(number, by, pivot);
        }
        let slopes = self.equations[number].slopes.keys().copied();
        let large = slopes.filter(|class| !self.small.contains(class));
        let Some(pivot) = large.max_by_key(|class| rank(*class)) else { return true };
        self.unlist(number);
        self.pivots.insert(pivot, number);
        self.used.insert(number);
        let others: Vec<_> = self.uses[&pivot].iter().copied().collect();
        for other in others {
            if self.whole.contains(&(self.equations[other].slopes.len(), other)) {
                self.subtract(other, number, pivot);
            }
        }
        true
    }

    /// A class of an equation that was eliminated, and the equation that gives it.
    fn pivot_in(&self, number: usize) -> Option<(usize, usize)> {
        let given = |class: &usize| self.pivots.get(class).map(|by| (*class, *by));
        self.equations[number].slopes.keys().find_map(given)
    }

    /// Takes the multiple of the equation `by` from the equation `other` that leaves nothing of `pivot`.
    fn subtract(&mut self, other: usize, by: usize, pivot: usize) {
        self.unlist(other);
        let slopes = self.equations[by].slopes.clone();
        let inverse = Option::<Fr>::from(slopes[&pivot].invert()).expect("no slope is 0");
        let changed = &mut self.equations[other];
        let factor = changed.slopes[&pivot] * inverse;
        for (class, slope) in &slopes {
            let cell = changed.slopes.entry(*class).or_insert(Fr::ZERO);
            *cell -= factor * slope;
            let is_left = !bool::from(cell.is_zero());
            let uses = self.uses.entry(*class).or_default();
            if is_left {
                uses.insert(other);
            } else {
                changed.slopes.remove(class);
                uses.remove(&other);
            }
        }
        changed.large = changed.slopes.keys().filter(|class| !self.small.contains(class)).count();
        self.list(other);
        self.ready.push_back(other);
    }
}
