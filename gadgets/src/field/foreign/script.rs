//! A sequence of relations, written with names: a script decides what each of them reads by rotation and what it
//! copies.
//!
//! The same code is run twice: without a circuit to find the equations that a layout must have room for, and in a
//! circuit to record them. What an equation refers to follows from the order of the relations alone, so both runs give
//! the same equations.

use std::{
    cell::RefCell,
    sync::atomic::{AtomicU64, Ordering},
};

use num_bigint::{BigInt, BigUint};

use super::integer::Canonical;
use muster_gates::foreign::{
    AssignedLimbs, Cursor, Equation, ForeignChip, Form, Operand, Ratio,
    Source::{self, Above, Back},
};

/// How many blocks up results are read by rotation. Results further up are copied.
pub(super) const REACH: usize = 10;

/// A name in a script, of no use in others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Var {
    /// The script.
    script: u64,
    place: usize,
}

/// A name whose number is below the prime of its script: the least of all that represent the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalVar(Var);

impl CanonicalVar {
    /// The name.
    pub fn var(self) -> Var {
        self.0
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
struct Known {
    value: BigUint,
    /// `None` without a circuit.
    limbs: Option<AssignedLimbs>,
    /// The number of the relation whose result it is, if it is one of the script.
    block: Option<usize>,
}

/// Relations modulo a prime, one after the other.
#[derive(Debug)]
pub struct Script<'a> {
    /// Unique to this script.
    id: u64,
    modulus: BigUint,
    cursor: Option<Cursor<'a>>,
    known: Vec<Known>,
    /// One equation per relation, followed by the results.
    equations: Vec<Equation>,
    results: Vec<Var>,
    /// The operands of the last relation.
    above: Vec<Var>,
    /// False results, by the numbers of their relations.
    #[cfg(test)]
    lies: Vec<(usize, BigUint)>,
}

impl<'a> Script<'a> {
    /// A script that records relations.
    pub fn new(chip: &'a ForeignChip, modulus: &BigUint) -> Self {
        Self { cursor: Some(chip.below(&[])), ..Self::of_equations(modulus) }
    }

    /// A script without a circuit, which finds equations.
    pub fn of_equations(modulus: &BigUint) -> Self {
        static SCRIPTS: AtomicU64 = AtomicU64::new(0);
        Self {
            id: SCRIPTS.fetch_add(1, Ordering::Relaxed),
            modulus: modulus.clone(),
            cursor: None,
            known: vec![],
            equations: vec![],
            results: vec![],
            above: vec![],
            #[cfg(test)]
            lies: vec![],
        }
    }

    /// The script with these false results; what follows is computed from them.
    #[cfg(test)]
    pub(crate) fn lying(mut self, lies: &[(usize, BigUint)]) -> Self {
        self.lies = lies.to_vec();
        self
    }

    /// The results so far, one per relation.
    #[cfg(test)]
    pub(crate) fn results(&self) -> Vec<BigUint> {
        self.results.iter().map(|result| self.value(*result).clone()).collect()
    }

    /// The prime.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The equations so far, one per relation.
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// An element from elsewhere.
    pub fn given(&mut self, element: &AssignedLimbs) -> Var {
        self.name(element.value().clone(), Some(element.clone()), None)
    }

    /// An element from elsewhere, in a script without a circuit.
    pub fn unknown(&mut self) -> Var {
        self.name(BigUint::ZERO, None, None)
    }

    /// The number of an element as the prover knows it, which may not be reduced.
    ///
    /// # Panics
    /// If the name is one of another script.
    pub fn value(&self, var: Var) -> &BigUint {
        &self.known(var).value
    }

    /// The element.
    ///
    /// # Panics
    /// If the script has no circuit, or the name is one of another script.
    pub fn limbs(&self, var: Var) -> &AssignedLimbs {
        self.known(var).limbs.as_ref().expect("the script is one of a circuit")
    }

    /// The element of a canonical name.
    ///
    /// # Panics
    /// As [`Self::limbs`].
    pub fn canonical(&self, var: CanonicalVar) -> Canonical {
        Canonical::shown(self.limbs(var.0), &self.modulus)
    }

    /// What a name stands for. Places are numbered alike in all scripts, so a name of another script would be some
    /// other element here.
    fn known(&self, var: Var) -> &Known {
        assert_eq!(var.script, self.id, "a name of this script");
        &self.known[var.place]
    }

    /// The result that equals this value modulo the prime. A ratio `n/d` is constrained by `R·d = n`. If `n = 0`, then
    /// `R = 0` passes with any `d`; if `d = 0` too, any `R` passes.
    ///
    /// # Panics
    /// If a name is one of another script, as do all methods that write relations.
    #[track_caller]
    pub fn result<V: Into<Ratio>>(&mut self, value: impl FnOnce(At) -> V) -> Var {
        let modulus = self.modulus.clone();
        self.solved(&BigUint::ZERO, |at| Equation::result(&modulus, value(at)))
    }

    /// The result that equals this value over the integers.
    #[track_caller]
    pub fn integer<V: Into<Ratio>>(&mut self, value: impl FnOnce(At) -> V) -> Var {
        self.solved(&BigUint::ZERO, |at| Equation::result(&BigUint::ZERO, value(at)))
    }

    /// A result of which only the range is constrained.
    #[track_caller]
    pub fn free(&mut self, hint: &BigUint) -> Var {
        self.record(&Equation::free(), vec![], hint)
    }

    /// A result with which the form vanishes modulo the prime. If there are two, the hint is one of
    /// them.
    #[track_caller]
    pub fn hinted(&mut self, hint: &BigUint, form: impl FnOnce(At) -> Form) -> Var {
        let modulus = self.modulus.clone();
        self.solved(hint, |at| Equation::zero(&modulus, form(at)))
    }

    /// Constrains a form without a result to vanish modulo the prime.
    #[track_caller]
    pub fn assert_zero(&mut self, form: impl FnOnce(At) -> Form) {
        self.free_beside(&BigUint::ZERO, form);
    }

    /// The same; returns the result of the relation, of which only the range is constrained.
    #[track_caller]
    pub fn free_beside(&mut self, hint: &BigUint, form: impl FnOnce(At) -> Form) -> Var {
        let (form, operands) = self.written(form);
        self.record(&Equation::zero(&self.modulus.clone(), form), operands, hint)
    }

    /// Constrains the number of an element to be below the prime.
    #[track_caller]
    pub fn assert_canonical(&mut self, var: Var) -> CanonicalVar {
        let top = BigInt::from(&self.modulus - 1u8);
        self.integer(|at| Form::from(top) - at(var));
        CanonicalVar(var)
    }

    #[track_caller]
    fn solved(&mut self, hint: &BigUint, equation: impl FnOnce(At) -> Equation) -> Var {
        let (equation, operands) = self.written(equation);
        let result = self.solution(&equation, &operands, hint);
        self.record(&equation, operands, &result)
    }

    /// A result that satisfies the equation; the hint if there is none, which the equation then refuses.
    fn solution(&self, equation: &Equation, operands: &[Var], hint: &BigUint) -> BigUint {
        let value = |source| BigInt::from(self.read(source, operands).clone());
        let found = equation.solve(&value, hint.clone().into());
        found.and_then(|found| found.to_biguint()).unwrap_or_else(|| hint.clone())
    }

    /// Writes the next relation: where it finds its names, and the operands that it takes.
    fn written<T>(&self, write: impl FnOnce(At) -> T) -> (T, Vec<Var>) {
        let operands = RefCell::new(vec![]);
        let written = write(&|var| self.source(var, &mut operands.borrow_mut()));
        (written, operands.into_inner())
    }

    /// Where the next relation finds a name: of what it cannot read above, it takes an operand.
    fn source(&self, var: Var, operands: &mut Vec<Var>) -> Source {
        let distance = self.known(var).block.map(|block| self.equations.len() - block);
        if let Some(distance) = distance.filter(|distance| *distance <= REACH) {
            return Back(distance);
        }
        if let Some(place) = self.above.iter().position(|above| *above == var) {
            return Above(place);
        }
        let place = operands.iter().position(|operand| *operand == var);
        Source::Operand(place.unwrap_or_else(|| {
            operands.push(var);
            operands.len() - 1
        }))
    }

    /// The value that the next relation reads.
    fn read(&self, source: Source, operands: &[Var]) -> &BigUint {
        match source {
            Back(distance) => self.value(self.results[self.results.len() - distance]),
            Above(place) => self.value(self.above[place]),
            Source::Operand(place) => self.value(operands[place]),
            Source::Result | Source::Turned => unreachable!("a script reads what is above"),
        }
    }

    #[track_caller]
    fn record(&mut self, equation: &Equation, operands: Vec<Var>, result: &BigUint) -> Var {
        let block = self.equations.len();
        #[cfg(test)]
        let result = self.lies.iter().find(|lie| lie.0 == block).map_or(result, |lie| &lie.1);
        let result = result.clone();
        // A closure would hide the caller.
        let limbs = match &mut self.cursor {
            Some(cursor) => {
                let limbs = operands.iter().map(|operand| &self.known[operand.place].limbs);
                let limbs = limbs.map(|limbs| limbs.as_ref().expect("the script is of a circuit"));
                let operands: Vec<_> = limbs.map(Operand::Element).collect();
                Some(cursor.relate(equation, &operands, &result))
            }
            None => None,
        };
        self.equations.push(equation.clone());
        self.above = operands;
        let result = self.name(result, limbs, Some(block));
        self.results.push(result);
        result
    }

    fn name(&mut self, value: BigUint, limbs: Option<AssignedLimbs>, block: Option<usize>) -> Var {
        self.known.push(Known { value, limbs, block });
        Var { script: self.id, place: self.known.len() - 1 }
    }
}

/// Tells where an equation finds a name. The answer holds only for the relation that is being written: what is one
/// block above it is two above the next.
pub type At<'a> = &'a dyn Fn(Var) -> Source;
