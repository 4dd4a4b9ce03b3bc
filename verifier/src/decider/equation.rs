//! The equation at `x`, as forms. Section 11 of the specification, step 6.

use std::collections::BTreeMap;

use ark_ff::{AdditiveGroup, Field};

use super::{
    builder::{Builder, Result},
    form::{Form, Variable},
};
use crate::{
    arrangement::{Polynomial, Term, CHUNK},
    domain::DELTA,
    parts::{Column, Node},
    protocol::Protocol,
    Scalar,
};

/// The challenges that the equation takes.
#[derive(Clone, Copy)]
pub(super) struct Challenges {
    pub(super) theta: Variable,
    pub(super) beta_lookup: Variable,
    pub(super) beta: Variable,
    pub(super) gamma: Variable,
    pub(super) y: Variable,
    pub(super) x: Variable,
}

/// The polynomials of rows at `x`.
pub(super) struct Rows {
    /// `ℓ₀`, if there are copied columns.
    pub(super) first: Option<Variable>,
    /// `ℓ_act`, if there are tables.
    pub(super) active: Option<Variable>,
    /// The column of inputs, by rotation.
    pub(super) inputs: BTreeMap<i32, Variable>,
}

/// The values of polynomials, by rotation.
pub(super) type Values = BTreeMap<(Polynomial, i32), Variable>;

/// A term of the lookups.
struct Fraction {
    numerator: Form,
    denominator: Form,
}

/// The equation while its constraints are made.
pub(super) struct Equation<'a> {
    pub(super) builder: &'a mut Builder,
    pub(super) protocol: &'a Protocol,
    pub(super) challenges: Challenges,
    pub(super) rows: &'a Rows,
    pub(super) values: &'a Values,
    pub(super) nodes: Vec<Form>,
    pub(super) constraints: Vec<Form>,
}

impl Equation<'_> {
    /// `Y`: all constraints, joined by powers of `y`.
    pub(super) fn joined(mut self) -> Result<Form> {
        self.compute_nodes()?;
        let constraints = self.protocol.constraints().iter();
        self.constraints = constraints.map(|&node| self.nodes[node].clone()).collect();
        self.helpers()?;
        self.sum()?;
        self.copies()?;
        let mut joined = Form::constant(Scalar::ZERO);
        for constraint in self.constraints.iter().rev() {
            joined = self.builder.multiply(joined, self.challenges.y.into())?;
            joined = self.builder.add(&joined, constraint)?;
        }
        Ok(joined)
    }

    /// A value of a polynomial. A protocol opens all that its equation reads.
    fn value(&self, polynomial: Polynomial, rotation: i32) -> Form {
        let found = self.values.get(&(polynomial, rotation)).copied();
        debug_assert!(found.is_some(), "{polynomial} is opened at {rotation}");
        found.unwrap_or(self.builder.zero).into()
    }

    fn cell(&self, column: Column, rotation: i32) -> Form {
        match column {
            Column::Fixed(number) => self.value(Polynomial::Fixed(number), rotation),
            Column::Advice(number) => self.value(Polynomial::Advice(number), rotation),
            Column::Inputs => {
                let found = self.rows.inputs.get(&rotation).copied();
                found.unwrap_or(self.builder.zero).into()
            }
        }
    }

    fn compute_nodes(&mut self) -> Result<()> {
        for (node, uses) in self.protocol.nodes().iter().zip(self.protocol.uses()) {
            let mut form = match *node {
                Node::Constant(constant) => Form::constant(constant),
                Node::Cell { column, rotation } => self.cell(column, rotation),
                Node::Sum(left, right) => {
                    self.builder.add(&self.nodes[left], &self.nodes[right])?
                }
                Node::Product(left, right) => {
                    let (left, right) = (self.nodes[left].clone(), self.nodes[right].clone());
                    self.builder.multiply(left, right)?
                }
            };
            if uses > 1 {
                form = self.builder.affine(form)?;
            }
            self.nodes.push(form);
        }
        Ok(())
    }

    /// `β_L + f` for a tuple of nodes of a table.
    fn denominator(&mut self, table: usize, tuple: &[usize]) -> Result<Form> {
        let mut joined = Form::constant(Scalar::ZERO);
        for &node in tuple.iter().rev() {
            joined = self.builder.add(&joined, &self.nodes[node])?;
            joined = self.builder.multiply(joined, self.challenges.theta.into())?;
        }
        let beta = Form::from(self.challenges.beta_lookup);
        let beta = beta.plus_constant(Scalar::from(table as u64));
        let sum = self.builder.add(&joined, &beta)?;
        Ok(self.builder.assign(&sum)?.into())
    }

    fn term(&mut self, term: Term) -> Result<Fraction> {
        let tables = self.protocol.tables();
        Ok(match term {
            Term::Input { table, input } => Fraction {
                numerator: Form::constant(Scalar::ONE),
                denominator: self.denominator(table, &tables[table].inputs[input])?,
            },
            Term::Table(table) => Fraction {
                numerator: self.value(Polynomial::Multiplicity(table), 0).scaled(-Scalar::ONE),
                denominator: self.denominator(table, &tables[table].expressions)?,
            },
        })
    }

    /// The constraints of the helpers.
    fn helpers(&mut self) -> Result<()> {
        for (number, terms) in self.protocol.arrangement().helpers().iter().enumerate() {
            // A helper has at least one term.
            let Some((&first, later)) = terms.split_first() else { continue };
            let mut sum = self.term(first)?;
            for &term in later {
                let Fraction { numerator, denominator } = self.term(term)?;
                let left = self.builder.multiply(sum.numerator, denominator.clone())?;
                let right = self.builder.multiply(numerator, sum.denominator.clone())?;
                let both = self.builder.add(&left, &right)?;
                sum.numerator = self.builder.assign(&both)?.into();
                sum.denominator = self.builder.product(sum.denominator, denominator)?.into();
            }
            let helper = self.value(Polynomial::Helper(number), 0);
            let product = self.builder.multiply(helper, sum.denominator)?;
            let constraint = self.builder.subtract(&product, sum.numerator)?;
            self.constraints.push(constraint);
        }
        Ok(())
    }

    /// The constraint of the lookups' sum, if there are tables.
    fn sum(&mut self) -> Result<()> {
        let arrangement = self.protocol.arrangement();
        let (Some(input), Some(active)) = (arrangement.sum(), self.rows.active) else {
            return Ok(());
        };
        let active = Form::from(active);
        let input = self.term(input)?.denominator;
        let table = self.term(Term::Table(0))?.denominator;
        let helpers = (0..arrangement.helpers().len()).map(Polynomial::Helper);
        let helpers: Vec<Form> = helpers.map(|helper| self.value(helper, 0)).collect();
        let helpers = sum(self.builder, helpers)?;
        let builder = &mut *self.builder;
        let value = |polynomial, rotation| Form::from(self.values[&(polynomial, rotation)]);

        let step = builder.subtract(&value(Polynomial::Sum, 1), value(Polynomial::Sum, 0))?;
        let helped = builder.multiply(active.clone(), helpers)?;
        let step = builder.subtract(&step, helped)?;
        let step = builder.multiply(step, input.clone())?;
        let step = builder.multiply(step, table.clone())?;

        let counted = builder.multiply(value(Polynomial::Multiplicity(0), 0), input)?;
        let both = builder.subtract(&table, counted)?;
        let both = builder.multiply(active, both)?;
        let constraint = builder.subtract(&step, both)?;
        self.constraints.push(constraint);
        Ok(())
    }

    /// The constraints of the copies, if there are copied columns.
    fn copies(&mut self) -> Result<()> {
        let Some(first) = self.rows.first else { return Ok(()) };
        let start = self.value(Polynomial::Product, 0);
        let begins = start.clone().plus_constant(-Scalar::ONE);
        let begins = self.builder.multiply(first.into(), begins)?;
        self.constraints.push(begins);

        let chunks = self.protocol.arrangement().chunks();
        let mut between = vec![start.clone()];
        for chunk in 1..chunks {
            let difference = self.value(Polynomial::Difference(chunk), 0);
            let reached = self.builder.add(&start, &difference)?;
            between.push(self.builder.assign(&reached)?.into());
        }
        between.push(self.value(Polynomial::Product, 1));

        let mut name: Form = self.builder.product(self.challenges.beta, self.challenges.x)?.into();
        for (chunk, columns) in self.protocol.copied().chunks(CHUNK).enumerate() {
            let (mut before, mut after) = (between[chunk].clone(), between[chunk + 1].clone());
            for (place, &column) in columns.iter().enumerate() {
                let sigma = self.value(Polynomial::Sigma(chunk * CHUNK + place), 0);
                let value = self.cell(column, 0);
                let builder = &mut *self.builder;
                let shifted = builder.add(&value, &self.challenges.gamma.into())?;
                let shifted = Form::from(builder.assign(&shifted)?);
                let next = builder.multiply(self.challenges.beta.into(), sigma)?;
                let next = builder.add(&next, &shifted)?;
                after = builder.multiply(after, next)?;
                let own = builder.add(&shifted, &name)?;
                before = builder.multiply(before, own)?;
                name = name.scaled(DELTA);
            }
            let constraint = self.builder.subtract(&after, before)?;
            self.constraints.push(constraint);
        }
        Ok(())
    }
}

/// The sum of a list.
pub(super) fn sum(builder: &mut Builder, forms: Vec<Form>) -> Result<Form> {
    let mut sum = Form::constant(Scalar::ZERO);
    for form in forms {
        sum = builder.add(&sum, &form)?;
    }
    Ok(sum)
}
