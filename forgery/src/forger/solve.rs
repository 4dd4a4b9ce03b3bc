//! Satisfying one equation.

use std::cmp::Reverse;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Expression,
};

use super::{
    expression::{evaluate, rank, slope},
    laws::{Kind, Law},
    record::{Equation, Place},
    steps::Rows,
    Forger, Forgery,
};

impl Forgery<'_> {
    /// Satisfies an equation by what it computes, if it fails and computes anything.
    pub(super) fn meet(&mut self, equation: Equation) {
        let (forger, row) = (self.forger, equation.1);
        let law = forger.laws.law(equation);
        match &law.kind {
            Kind::Load(_) => {}
            Kind::Vertical(expression) | Kind::Zero(expression) => {
                if self.evaluate(expression, row) != Fr::ZERO
                    && let Some((class, value)) = self.solution(law, expression, equation)
                {
                    self.met_by.insert(class, equation);
                    self.set(class, value);
                }
            }
            Kind::Joint(expressions, _) => {
                if expressions.iter().any(|e| self.evaluate(e, row) != Fr::ZERO) {
                    self.meet_joint(expressions, equation);
                }
            }
            Kind::Step(step) => {
                let now = |place| self.value(place);
                let values = (step.compute)(&Rows::new(
                    &forger.sheet,
                    row,
                    forger.laws.hit(step, row),
                    &now,
                ));
                for ((column, rotation), value) in
                    step.writes.iter().zip(values.into_iter().flatten())
                {
                    if let Some(row) = forger.sheet.below(row, *rotation) {
                        self.put((*column, row), value, equation);
                    }
                }
            }
        }
    }

    fn evaluate(&self, expression: &Expression<Fr>, row: usize) -> Fr {
        evaluate(&self.forger.sheet, expression, row, &|place| self.value(place))
    }

    /// Gives a cell a value, unless another equation computes it.
    fn put(&mut self, place: Place, value: Fr, equation: Equation) {
        let class = self.class(place);
        if self.is_free(class, equation) && self.value(class) != value {
            self.met_by.insert(class, equation);
            self.set(class, value);
        }
    }

    /// Whether an equation may rewrite a class: nothing else computes it or has rewritten it.
    fn is_free(&mut self, class: Place, equation: Equation) -> bool {
        if self.cut.contains(&class) || self.is_kept(class) {
            return false;
        }
        match self.met_by.get(&class) {
            Some(other) => *other == equation,
            None => self.computer(class).is_none_or(|computer| computer == equation),
        }
    }

    fn is_kept(&self, class: Place) -> bool {
        self.forger.kept.contains(&self.forger.sheet.class(class))
    }

    fn computer(&mut self, class: Place) -> Option<Equation> {
        let Forger { sheet, laws, .. } = self.forger;
        if !self.parted.contains(&sheet.class(class)) {
            return laws.computer_of(sheet, class);
        }
        if let Some(known) = self.computed_by.get(&class) {
            return *known;
        }
        let found = laws.computer(sheet, &self.members(class));
        self.computed_by.insert(class, found);
        found
    }

    /// The class that can satisfy a constraint, and its value: what the equation computes, or else a witness that no
    /// other gate reads, or else any.
    fn solution(
        &mut self,
        law: &Law,
        expression: &Expression<Fr>,
        equation: Equation,
    ) -> Option<(Place, Fr)> {
        let mut found = vec![];
        for &(column, rotation) in &law.reads {
            let Some(row) = self.forger.sheet.below(equation.1, rotation) else { continue };
            let class = self.class((column, row));
            if !self.is_free(class, equation) {
                continue;
            }
            let now = |place| self.value(place);
            let is = |place| self.class(place) == class;
            let sheet = &self.forger.sheet;
            let Some(rank) = rank(sheet, expression, equation.1, &now, &is) else { continue };
            let slope = slope(sheet, expression, equation.1, &now, &is);
            let computes = self.computer(class) == Some(equation);
            let columns: Vec<_> = law.reads.iter().map(|(column, _)| *column).collect();
            let private = self.members(class).iter().all(|(column, _)| columns.contains(column));
            let order = (!computes, !private, Reverse(rotation), rank, Reverse(column));
            found.push((order, class, slope));
        }
        let (_, class, slope) = found.into_iter().min_by_key(|(order, ..)| *order)?;
        let (start, slope) = slope?;
        Some((class, -start * slope.invert().unwrap_or(Fr::ZERO)))
    }

    /// Solves affine equations for the same number of cells that they compute.
    fn meet_joint(&mut self, expressions: &[Expression<Fr>], equation: Equation) {
        let places = self.forger.laws.computes(&self.forger.sheet, equation);
        if places.len() != expressions.len() {
            return;
        }
        let with = |chosen: Option<usize>| -> Vec<Fr> {
            let cell = |place: Place| match places.iter().position(|output| *output == place) {
                Some(i) => Fr::from(u64::from(chosen == Some(i))),
                None => self.value(place),
            };
            let sheet = &self.forger.sheet;
            expressions.iter().map(|e| evaluate(sheet, e, equation.1, &cell)).collect()
        };
        let start = with(None);
        let columns: Vec<_> = (0..places.len()).map(|i| with(Some(i))).collect();
        let row = |i: usize| -> Vec<Fr> {
            let coefficients = columns.iter().map(|column| column[i] - start[i]);
            coefficients.chain([-start[i]]).collect()
        };
        let Some(solved) = eliminate((0..places.len()).map(row).collect()) else { return };
        for (place, value) in places.into_iter().zip(solved) {
            self.put(place, value, equation);
        }
    }
}

/// Solves the square system whose rows end in the right-hand sides; `None` if it is singular.
fn eliminate(mut rows: Vec<Vec<Fr>>) -> Option<Vec<Fr>> {
    let count = rows.len();
    for i in 0..count {
        let pivot = (i..count).find(|row| rows[*row][i] != Fr::ZERO)?;
        rows.swap(i, pivot);
        let inverse = Option::<Fr>::from(rows[i][i].invert())?;
        rows[i].iter_mut().for_each(|cell| *cell *= inverse);
        let chosen = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i];
            row.iter_mut().zip(&chosen).for_each(|(cell, c)| *cell -= factor * c);
        }
    }
    Some(rows.into_iter().map(|row| row[count]).collect())
}
