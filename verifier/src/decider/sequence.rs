//! The sequence of rows that a key's decider has. Section 11 of the specification, "The sequence".

use std::collections::{BTreeMap, BTreeSet};

use ark_ff::{batch_inversion, AdditiveGroup, Field};

use super::{
    builder::{Builder, Cell, Result},
    equation::{sum, Challenges, Equation, Rows, Values},
    form::{Form, Variable},
};
use crate::{
    domain::Domain,
    packing::{Pack, Packing},
    parts::Column,
    Scalar,
};

/// The public inputs, in order. Step 1.
struct Given {
    inputs: Vec<Variable>,
    challenges: Challenges,
    alpha: Variable,
    u: Variable,
    weights: Vec<Variable>,
    remainder: Variable,
}

impl Given {
    /// Public input `i` is variable `i`.
    fn new(packing: &Packing) -> Self {
        let mut next = (0..).map(Variable);
        let inputs = next.by_ref().take(packing.protocol().inputs()).collect();
        let mut next = || next.next().unwrap_or(Variable(u32::MAX));
        let challenges = Challenges {
            theta: next(),
            beta_lookup: next(),
            beta: next(),
            gamma: next(),
            y: next(),
            x: next(),
        };
        let (alpha, u) = (next(), next());
        let weights = packing.packs().iter().map(|_| next()).collect();
        Self { inputs, challenges, alpha, u, weights, remainder: next() }
    }
}

/// What `x` says of all rows together. Step 2.
struct Vanishing {
    /// `v = x^n − 1`.
    value: Form,
    /// `1 / v`.
    inverse: Variable,
    /// `1 / x`.
    by_x: Variable,
}

/// What `u` says. Step 5.
struct Shifts {
    /// `h_λ` of each rotation that some pack has.
    rotations: BTreeMap<i32, Variable>,
    /// `h_Q`.
    quotient: Variable,
}

/// Creates the rows of a decider.
struct Sequence<'a> {
    builder: Builder,
    packing: &'a Packing,
    domain: Domain,
    given: Given,
}

/// The rows of a packing's decider, without those that fill it up. If they are not kept, they are only counted. With the random ones they
/// are `2^k` at most.
pub(super) fn sequence(packing: &Packing, keeps: bool, k: u32) -> Result<Builder> {
    let mut sequence = Sequence {
        builder: Builder::new(packing.public_inputs(), keeps, k)?,
        packing,
        domain: Domain::new(packing.protocol().k()),
        given: Given::new(packing),
    };
    let vanishing = sequence.vanishing()?;
    let rows = sequence.rows(&vanishing)?;
    let (values, joined) = sequence.values()?;
    let shifts = sequence.shifts(&vanishing)?;
    let equation = Equation {
        builder: &mut sequence.builder,
        protocol: packing.protocol(),
        challenges: sequence.given.challenges,
        rows: &rows,
        values: &values,
        nodes: vec![],
        constraints: vec![],
    };
    let constraints = equation.joined()?;
    let quotient = sequence.builder.product(constraints, vanishing.inverse)?;
    sequence.openings(&vanishing, &shifts, &joined, quotient)?;
    Ok(sequence.builder)
}

impl Sequence<'_> {
    /// Step 2.
    fn vanishing(&mut self) -> Result<Vanishing> {
        let x = self.given.challenges.x;
        let mut power = x;
        for _ in 0..self.packing.protocol().k() {
            power = self.builder.product(power, power)?;
        }
        let value = Form::from(power).plus_constant(-Scalar::ONE);
        let inverse = self.builder.inverse(value.clone())?;
        let by_x = self.builder.inverse(x.into())?;
        Ok(Vanishing { value, inverse, by_x })
    }

    /// Step 3.
    fn rows(&mut self, vanishing: &Vanishing) -> Result<Rows> {
        let protocol = self.packing.protocol();
        let copies = protocol.arrangement().chunks() > 0;
        let tables = !protocol.tables().is_empty();
        let shown = protocol.rotations(Column::Inputs);
        let random = protocol.usable()..protocol.rows();

        let mut needed = BTreeSet::new();
        if copies {
            needed.insert(0);
        }
        if tables {
            needed.extend(random.clone());
        }
        for &rotation in shown {
            needed.extend((0..protocol.inputs()).map(|input| self.row(input, rotation)));
        }
        let inverses = self.row_inverses(needed)?;

        let scale = Scalar::from(protocol.rows() as u64).inverse().unwrap_or_default();
        let scaled = vanishing.value.clone().scaled(scale);
        let mut first = None;
        if copies {
            first = Some(self.builder.product(scaled.clone(), inverses[&0].inverse)?);
        }
        let mut active = None;
        if tables {
            let rows = random.map(|row| {
                let row = &inverses[&row];
                Form::from(row.inverse).scaled(row.name)
            });
            let sum = sum(&mut self.builder, rows.collect())?;
            let value = self.builder.multiply(scaled.clone(), sum)?;
            let value = self.builder.subtract(&Form::constant(Scalar::ONE), value)?;
            active = Some(self.builder.assign(&value)?);
        }
        let mut inputs = BTreeMap::new();
        for &rotation in shown {
            let rows = self.given.inputs.iter().enumerate().map(|(number, &input)| {
                let row = &inverses[&self.row(number, rotation)];
                Form::from(input).times(&row.inverse.into()).scaled(row.name)
            });
            let rows = rows.collect();
            let sum = sum(&mut self.builder, rows)?;
            inputs.insert(rotation, self.builder.product(scaled.clone(), sum)?);
        }
        Ok(Rows { first, active, inputs })
    }

    /// `(j − λ) mod n`, where input `j` is at the rotation `λ`.
    fn row(&self, input: usize, rotation: i32) -> usize {
        // Inputs are at most 1,024.
        (input as i64 - i64::from(rotation)).rem_euclid(1 << self.packing.protocol().k()) as usize
    }

    /// `ω^i` and `g_i` of each row.
    fn row_inverses(&mut self, rows: BTreeSet<usize>) -> Result<BTreeMap<usize, RowInverse>> {
        let mut inverses = BTreeMap::new();
        let (mut last, mut name) = (0, Scalar::ONE);
        let omega = self.domain.power(1);
        for row in rows {
            // Most rows follow each other.
            name *= omega.pow([(row - last) as u64]);
            last = row;
            let form = Form::from(self.given.challenges.x).plus_constant(-name);
            inverses.insert(row, RowInverse { name, inverse: self.builder.inverse(form)? });
        }
        Ok(inverses)
    }

    /// Step 4: the values, and `B` of each pack at each of its rotations.
    fn values(&mut self) -> Result<(Values, Vec<Vec<Variable>>)> {
        let mut values = Values::new();
        let mut joined = Vec::new();
        for (number, pack) in self.packing.packs().iter().enumerate() {
            let mut sums = Vec::with_capacity(pack.rotations.len());
            for &rotation in &pack.rotations {
                sums.push(self.pack_values(number, pack, rotation, &mut values)?);
            }
            joined.push(sums);
        }
        Ok((values, joined))
    }

    /// The values of a pack at a rotation. Returns `B`.
    fn pack_values(
        &mut self,
        number: usize,
        pack: &Pack,
        rotation: i32,
        values: &mut Values,
    ) -> Result<Variable> {
        let polynomials = self.packing.protocol().arrangement().polynomials();
        let mut joined: Option<Variable> = None;
        for (place, &polynomial) in pack.polynomials.iter().enumerate().rev() {
            let opened = &polynomials[polynomial];
            let needed = opened.rotations.binary_search(&rotation).is_ok();
            let cell = Cell { pack: number, place, rotation, row: 0 };
            let shifted = joined.map(|joined| Form::from(joined).times(&self.given.u.into()));
            let reached = match shifted {
                Some(shifted) if !needed => self.builder.value(&shifted, cell)?,
                shifted => {
                    let value = self.builder.value(&Form::constant(Scalar::ZERO), cell)?;
                    if needed {
                        values.insert((opened.polynomial, rotation), value);
                    }
                    match shifted {
                        Some(shifted) => {
                            let sum = self.builder.add(&shifted, &value.into())?;
                            self.builder.assign(&sum)?
                        }
                        None => value,
                    }
                }
            };
            joined = Some(reached);
        }
        // A pack has at least one polynomial.
        Ok(joined.unwrap_or(self.builder.zero))
    }

    /// Step 5.
    fn shifts(&mut self, vanishing: &Vanishing) -> Result<Shifts> {
        let u = self.given.u;
        let power = self.builder.power(u, self.packing.stride())?;
        let shifted = self.builder.product(power, vanishing.by_x)?;
        let packs = self.packing.packs().iter();
        let all: BTreeSet<i32> = packs.flat_map(|pack| pack.rotations.iter().copied()).collect();
        let mut rotations = BTreeMap::new();
        for rotation in all {
            let form = Form::from(shifted).plus_constant(-self.domain.power(rotation));
            rotations.insert(rotation, self.builder.inverse(form)?);
        }
        let distance = self.builder.subtract(&u.into(), self.given.challenges.x.into())?;
        Ok(Shifts { rotations, quotient: self.builder.inverse(distance)? })
    }

    /// Step 7.
    fn openings(
        &mut self,
        vanishing: &Vanishing,
        shifts: &Shifts,
        joined: &[Vec<Variable>],
        quotient: Variable,
    ) -> Result<()> {
        let mut power = Form::constant(Scalar::ONE);
        let mut total = Form::constant(Scalar::ZERO);
        for (number, pack) in self.packing.packs().iter().enumerate() {
            let builder = &mut self.builder;
            // A pack has at most 256 rotations.
            let by_x = builder.power(vanishing.by_x, pack.rotations.len() as u32)?;
            let scale = Form::from(builder.product(power.clone(), by_x)?);

            let mut weight = scale.clone();
            for rotation in &pack.rotations {
                weight = builder.multiply(weight, shifts.rotations[rotation].into())?;
            }
            let weight = builder.assign(&weight)?;
            builder.equate(weight, self.given.weights[number]);

            // Rows are counted without their factors, which take longer: none of these is 0.
            let basis = if builder.keeps {
                basis(&self.domain, &pack.rotations)
            } else {
                vec![Scalar::from(2_u64); pack.rotations.len()]
            };
            let values = joined[number].iter().zip(&pack.rotations).zip(basis);
            let values = values.map(|((&value, rotation), basis)| {
                Form::from(value).times(&shifts.rotations[rotation].into()).scaled(basis)
            });
            let value = sum(builder, values.collect())?;
            let value = builder.multiply(value, scale)?;
            total = builder.add(&total, &value)?;
            power = builder.product(power, self.given.alpha)?.into();
        }
        let builder = &mut self.builder;
        let last = builder.multiply(power, shifts.quotient.into())?;
        let last = builder.multiply(last, quotient.into())?;
        let total = builder.add(&total, &last)?;
        let total = builder.assign(&total)?;
        builder.equate(total, self.given.remainder);
        Ok(())
    }
}

/// Row `i` at `x`.
#[derive(Clone, Copy)]
struct RowInverse {
    /// `ω^i`.
    name: Scalar,
    /// `g_i = 1/(x − ω^i)`.
    inverse: Variable,
}

/// For each rotation, one by the product of its `ω^λ` less those of the others.
fn basis(domain: &Domain, rotations: &[i32]) -> Vec<Scalar> {
    let powers: Vec<Scalar> = rotations.iter().map(|&rotation| domain.power(rotation)).collect();
    let differences = |(place, &power): (usize, &Scalar)| {
        let others = powers.iter().enumerate().filter(|&(other, _)| other != place);
        others.map(|(_, &other)| power - other).product::<Scalar>()
    };
    let mut basis: Vec<Scalar> = powers.iter().enumerate().map(differences).collect();
    batch_inversion(&mut basis);
    basis
}
