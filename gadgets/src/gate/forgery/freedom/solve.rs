//! Which changes are determined by others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::equations::Equations;

/// Equations that grow beyond this are not eliminated by: blocks of gates are smaller.
const LONGEST: usize = 40;

/// What is left of an equation: the classes that are not known.
#[derive(Debug, Default)]
struct Rest {
    slopes: BTreeMap<usize, Fr>,
    /// How many of them are not small.
    large: usize,
    /// Whether it says of a cell that it is a function of another: it has no digits.
    is_function: bool,
    /// Whether it was eliminated by.
    is_used: bool,
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
    /// The same of large classes alone, but for those that were eliminated by.
    whole: BTreeSet<(usize, usize)>,
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
            rests.push(Rest { slopes, large, is_function: number >= own, is_used: false });
        }
        let unknown = uses.keys().copied().collect();
        let ready = (0..rests.len()).collect();
        let (digits, whole) = (BTreeSet::new(), BTreeSet::new());
        let mut system = Self { equations: rests, uses, small, unknown, ready, digits, whole };
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

    fn unlist(&mut self, number: usize) {
        let length = self.equations[number].slopes.len();
        self.digits.remove(&(length, number));
        self.whole.remove(&(length, number));
    }

    fn list(&mut self, number: usize) {
        let Rest { slopes, large, is_function, is_used } = &self.equations[number];
        let length = slopes.len();
        if *large == 0 && length > 0 && !is_function {
            self.digits.insert((length, number));
        }
        if *large == length && length > 1 && !is_used {
            self.whole.insert((length, number));
        }
    }

    fn learn(&mut self, class: usize) {
        self.unknown.remove(&class);
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

    /// Takes the class of the shortest equation that the fewest others have out of these. Equations with
    /// digits are left alone: they wait until nothing else is unknown of them.
    fn eliminate(&mut self) -> bool {
        let Some((length, number)) = self.whole.pop_first() else { return false };
        self.equations[number].is_used = true;
        if length > LONGEST {
            return true;
        }
        let slopes = self.equations[number].slopes.clone();
        let fewest = slopes.iter().min_by_key(|(class, _)| self.uses[*class].len());
        let (pivot, slope) = fewest.expect("it has classes");
        let inverse = Option::<Fr>::from(slope.invert()).expect("no slope is 0");
        let others: Vec<_> = self.uses[pivot].iter().copied().collect();
        for other in others {
            if self.whole.contains(&(self.equations[other].slopes.len(), other)) {
                let factor = self.equations[other].slopes[pivot] * inverse;
                self.subtract(other, &slopes, factor);
            }
        }
        true
    }

    /// Takes `factor` times `slopes`, of large classes, from the equation `other`.
    fn subtract(&mut self, other: usize, slopes: &BTreeMap<usize, Fr>, factor: Fr) {
        self.unlist(other);
        let changed = &mut self.equations[other];
        for (class, slope) in slopes {
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
        changed.large = changed.slopes.len();
        self.list(other);
        self.ready.push_back(other);
    }
}
