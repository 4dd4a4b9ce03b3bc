//! Every gate and every copy of a decider is needed: without it there are wires for a `w_P` or an `R` that the values do not
//! have. A verifier takes these two from the proof, so such wires would be a forgery.
//!
//! A mutant lets go of one gate, one copy or one equality, and moves the number that is free then. Everything behind it is computed
//! anew, inverses as well, so that all other gates and copies hold. What comes out as `w_P` and `R` has to be different.

use std::collections::BTreeSet;

use ark_ff::{AdditiveGroup, Field};

use super::{
    file::{File, ALL, PROOFS},
    fill::shown,
    sample::values,
};
use crate::{tests::equation::challenges, Decider, Row, Scalar};

/// What a mutant lets go of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dropped {
    /// The gate of a row, or the copy of its `d`.
    Row(usize),
    /// The copy of a wire `a`, `b` or `c` that the gate of its row reads.
    Wire(usize, usize),
    /// The equality that makes a new variable of this row an inverse.
    Inverse(usize),
}

/// A decider, and numbers to fill it with.
struct Mutants {
    decider: Decider,
    public: Vec<Scalar>,
    /// By row.
    values: Vec<Scalar>,
}

impl Mutants {
    fn of(name: &str) -> Self {
        let packing = File::read(name).packing();
        let decider = Decider::new(&packing).expect("it is small");
        // None is 0, by which some wires are multiplied.
        let inputs = (3_u64..).map(Scalar::from).take(packing.protocol().inputs());
        let inputs: Vec<_> = inputs.collect();
        let shown = shown(&packing, &decider, &inputs, &values(&packing, name), &challenges(name));
        let mut values = vec![Scalar::ZERO; decider.rows().len()];
        for (cell, value) in decider.cells().iter().zip(shown.values) {
            values[cell.row] = value;
        }
        Self { decider, public: shown.public, values }
    }

    /// The first of the public inputs `w_0, w_1, …, R`, which are compared with what the rows compute.
    fn claimed(&self) -> usize {
        let compared = self.decider.equalities().iter().map(|[_, right]| right.number());
        let compared = compared.filter(|number| *number < self.public.len());
        compared.min().expect("R is compared")
    }

    fn one(&self) -> usize {
        self.public.len() + 1
    }

    /// Everything that a mutant may let go of.
    fn all(&self) -> Vec<Dropped> {
        let mut known = vec![false; self.decider.variables()];
        let mut all = vec![];
        for (number, row) in self.decider.rows().iter().enumerate() {
            let inverse = (0..3).any(|wire| !known[wires(row)[wire]] && reads(row)[wire]);
            let fresh = |wire: &usize| known[wires(row)[*wire]] && reads(row)[*wire];
            all.extend((0..3).filter(fresh).map(|wire| Dropped::Wire(number, wire)));
            all.push(if inverse { Dropped::Inverse(number) } else { Dropped::Row(number) });
            wires(row).into_iter().for_each(|variable| known[variable] = true);
            known[row.d.number()] = true;
        }
        all
    }

    /// `w_0, w_1, …, R`, as the rows compute them without what is dropped.
    fn outcome(&self, dropped: Option<Dropped>) -> Vec<Scalar> {
        let mut numbers: Vec<Option<Scalar>> = vec![None; self.decider.variables()];
        for (place, row) in self.decider.rows().iter().enumerate() {
            let moved = |is: bool| Scalar::from(u64::from(is) * 7);
            let read = |numbers: &[Option<Scalar>], wire: usize| {
                let number = numbers[wires(row)[wire]].unwrap_or(Scalar::ONE);
                number + moved(dropped == Some(Dropped::Wire(place, wire)))
            };
            let computed = |numbers: &[Option<Scalar>]| {
                let [a, b, c] = [0, 1, 2].map(|wire| read(numbers, wire));
                row.q_m * a * b + row.q_a * a + row.q_b * b + row.q_c * c + row.q_0
            };
            let new = (0..3).find(|wire| numbers[wires(row)[*wire]].is_none() && reads(row)[*wire]);
            if let Some(wire) = new {
                // A multiple of the new variable, which is 1 so far.
                let one = numbers[self.one()].expect("it is of an earlier row");
                let inverse = one * computed(&numbers).inverse().expect("it is not 0");
                let moved = moved(dropped == Some(Dropped::Inverse(place)));
                numbers[wires(row)[wire]] = Some(inverse + moved);
            }
            let given = self.public.get(place).copied().unwrap_or_default();
            let d = computed(&numbers) + row.q_e * self.values[place] + given;
            numbers[row.d.number()] = Some(d + moved(dropped == Some(Dropped::Row(place))));
        }
        let equalities = self.decider.equalities().iter();
        let compared = equalities.filter(|[_, right]| right.number() < self.public.len());
        compared.map(|[left, _]| numbers[left.number()].expect("it is computed")).collect()
    }
}

fn wires(row: &Row) -> [usize; 3] {
    [row.a, row.b, row.c].map(|variable| variable.number())
}

/// Whether the gate reads its wires `a`, `b`, `c`. Those that it does not are copies of `zero`.
fn reads(row: &Row) -> [bool; 3] {
    let [m, a, b, c] = [row.q_m, row.q_a, row.q_b, row.q_c].map(|factor| factor != Scalar::ZERO);
    [m || a, m || b, c]
}

#[test]
fn every_gate_and_copy_is_needed() {
    for name in ALL {
        let mutants = Mutants::of(name);
        let honest = mutants.outcome(None);
        let claimed = mutants.claimed();
        assert_eq!(honest, mutants.public[claimed..], "{name}");
        // Without the gate of a claimed number, or its equality, anything can be claimed.
        let claims = claimed..mutants.public.len();
        let is_claimed =
            |dropped: &Dropped| matches!(dropped, Dropped::Row(row) if claims.contains(row));
        // Muster's own circuits have deciders of thousands of rows.
        let share = if PROOFS.contains(&name) { 1 } else { 61 };
        let all = mutants.all().into_iter().step_by(share);
        let is_idle = |dropped: &Dropped| mutants.outcome(Some(*dropped)) == honest;
        let idle = all.filter(|dropped| !is_claimed(dropped)).filter(is_idle);
        let idle: BTreeSet<_> = idle.collect();
        // `zero` fills wires that no gate reads.
        let zero = Dropped::Row(mutants.public.len());
        assert!(idle.iter().all(|dropped| *dropped == zero), "{name}: {idle:?}");
    }
}

/// Cells without a value, which no gate reads; every other cell belongs to a variable.
#[test]
fn free_cells_are_those_of_e_that_take_no_value_in() {
    for name in ALL {
        let decider = Decider::new(&File::read(name).packing()).expect("it is small");
        let taken: BTreeSet<_> = decider.cells().iter().map(|cell| cell.row).collect();
        assert_eq!(taken.len(), decider.cells().len(), "{name}: a row takes in one value");
        let reading = decider.rows().iter().zip(0..).filter(|(row, _)| row.q_e != Scalar::ZERO);
        assert_eq!(reading.map(|(_, row)| row).collect::<BTreeSet<_>>(), taken, "{name}");
        let [m, a, b, c, e, constant] = &decider.columns()[..6] else { panic!("six are fixed") };
        // Rows that fill up compute 0, and random ones show `c` or nothing: none takes in a value.
        let behind = decider.rows().len()..1 << decider.k();
        assert!([m, a, b, e, constant].iter().all(|column| is_zero(&column[behind.clone()])));
        let random = behind.end - Decider::RANDOM_ROWS;
        assert!(is_zero(&c[behind.start..random]) && is_zero(&c[random + 2..]), "{name}");
    }
}

fn is_zero(cells: &[Scalar]) -> bool {
    cells.iter().all(|cell| *cell == Scalar::ZERO)
}
