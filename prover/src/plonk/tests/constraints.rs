//! A key's gates as a program, as the library's evaluator has them, and as they are written.

use std::{collections::HashMap, time::Instant};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Expression,
};
use muster_circuits::Scheme;
use muster_engine::{Backend, Inputs, Program};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::case::Case;
use crate::plonk::{
    columns::Columns,
    expressions::{Challenge, Writer},
};

/// Columns of random numbers.
struct Table {
    columns: Columns,
    values: Vec<Vec<Fr>>,
    y: Fr,
}

impl Table {
    fn new(case: &Case) -> Self {
        let columns = Columns::of(case.keys.halo2().unwrap());
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let mut column = || (0..columns.rows).map(|_| Fr::random(&mut rng)).collect();
        let values = (0..columns.permuted(0)).map(|_| column()).collect();
        Self { columns, values, y: Fr::random(&mut rng) }
    }

    fn cell(&self, column: usize, rotation: i32, row: usize) -> Fr {
        let rows = self.columns.rows as i64;
        self.values[column][(row as i64 + i64::from(rotation)).rem_euclid(rows) as usize]
    }

    /// The gates, joined by powers of `y`, on the engine.
    fn by_program(&self, program: &Program, backend: Backend) -> Vec<Fr> {
        let columns: Vec<_> = self.values.iter().map(Vec::as_slice).collect();
        let mut challenges = [Fr::ZERO; 4];
        challenges[Challenge::Y as usize] = self.y;
        let inputs = Inputs { rows: self.columns.rows, columns: &columns, parameters: &challenges };
        program.evaluate(backend, inputs).swap_remove(0)
    }

    /// A constraint as it is written.
    fn plain(&self, expression: &Expression<Fr>, row: usize) -> Fr {
        let columns = &self.columns;
        expression.evaluate(
            &|number| number,
            &|_| unreachable!(),
            &|query| self.cell(columns.fixed(query.column_index()), query.rotation().0, row),
            &|query| self.cell(columns.advice(query.column_index()), query.rotation().0, row),
            &|query| self.cell(columns.instance(query.column_index()), query.rotation().0, row),
            &|_| unreachable!(),
            &|value| -value,
            &|left, right| left + right,
            &|left, right| left * right,
            &|value, factor| value * factor,
        )
    }
}

fn program(case: &Case) -> Program {
    let pk = case.keys.halo2().unwrap();
    let mut writer = Writer::new(pk, Columns::of(pk));
    let gates = writer.gates();
    let y = writer.challenge(Challenge::Y);
    let joined = writer.powers_of(y, gates);
    writer.graph.compile(&[joined])
}

fn gates(case: &Case) -> Vec<&Expression<Fr>> {
    let gates = case.keys.halo2().unwrap().get_vk().cs().gates();
    gates.iter().flat_map(|gate| gate.polynomials()).collect()
}

/// As the library's evaluator works: each expression once, all of them for a row before the next row.
#[derive(Default)]
struct Evaluator {
    steps: Vec<Step>,
    known: HashMap<Step, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Number(Fr),
    Cell(usize, i32),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
}

impl Evaluator {
    fn step(&mut self, step: Step) -> usize {
        *self.known.entry(step).or_insert_with(|| {
            self.steps.push(step);
            self.steps.len() - 1
        })
    }

    fn expression(&mut self, columns: &Columns, expression: &Expression<Fr>) -> usize {
        let step = match expression {
            Expression::Constant(number) => Step::Number(*number),
            Expression::Fixed(query) => {
                Step::Cell(columns.fixed(query.column_index()), query.rotation().0)
            }
            Expression::Advice(query) => {
                Step::Cell(columns.advice(query.column_index()), query.rotation().0)
            }
            Expression::Instance(query) => {
                Step::Cell(columns.instance(query.column_index()), query.rotation().0)
            }
            Expression::Negated(part) => {
                let (zero, part) =
                    (self.step(Step::Number(Fr::ZERO)), self.expression(columns, part));
                Step::Sub(zero, part)
            }
            Expression::Sum(left, right) => {
                let left = self.expression(columns, left);
                match &**right {
                    Expression::Negated(right) => Step::Sub(left, self.expression(columns, right)),
                    right => Step::Add(left, self.expression(columns, right)),
                }
            }
            Expression::Product(left, right) => {
                Step::Mul(self.expression(columns, left), self.expression(columns, right))
            }
            Expression::Scaled(part, factor) => {
                Step::Mul(self.expression(columns, part), self.step(Step::Number(*factor)))
            }
            _ => unreachable!("gates have nothing else"),
        };
        self.step(step)
    }

    /// Joined by powers of `y`, in each row.
    fn evaluate(&self, table: &Table, results: &[usize]) -> Vec<Fr> {
        let mut values = vec![Fr::ZERO; self.steps.len()];
        let row = |row: usize| {
            for (place, step) in self.steps.iter().enumerate() {
                values[place] = match *step {
                    Step::Number(number) => number,
                    Step::Cell(column, rotation) => table.cell(column, rotation, row),
                    Step::Add(left, right) => values[left] + values[right],
                    Step::Sub(left, right) => values[left] - values[right],
                    Step::Mul(left, right) => values[left] * values[right],
                };
            }
            results.iter().fold(Fr::ZERO, |sum, result| sum * table.y + values[*result])
        };
        (0..table.columns.rows).map(row).collect()
    }
}

#[test]
fn gates_are_their_expressions() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let (table, program, gates) = (Table::new(&case), program(&case), gates(&case));
    let plain = |row: usize| {
        gates.iter().fold(Fr::ZERO, |sum, gate| sum * table.y + table.plain(gate, row))
    };
    let expected: Vec<Fr> = (0..table.columns.rows).map(plain).collect();
    for backend in [Backend::portable(), Backend::best()] {
        assert!(table.by_program(&program, backend) == expected, "{backend:?}");
    }
}

/// Prints how long the gates of 128 of 256 take on one core, on one coset. For the command see `measure.rs`, with
/// `RAYON_NUM_THREADS=1`.
#[test]
#[ignore = "it takes long, and nothing depends on it"]
fn measure_gates() {
    let case = Case::new(Scheme::Schnorr, 128, 256);
    let (table, program, gates) = (Table::new(&case), program(&case), gates(&case));
    let mut evaluator = Evaluator::default();
    let results: Vec<_> =
        gates.iter().map(|gate| evaluator.expression(&table.columns, gate)).collect();
    let least = |work: &dyn Fn() -> Vec<Fr>| {
        let time = |_| {
            let start = Instant::now();
            let result = work();
            (start.elapsed().as_secs_f64() * 1e3, result)
        };
        (0..7).map(time).min_by(|left, right| left.0.total_cmp(&right.0)).expect("seven")
    };
    let (library, expected) = least(&|| evaluator.evaluate(&table, &results));
    println!("as the library: {library:.1} ms");
    for backend in [Backend::portable(), Backend::best()] {
        let (time, result) = least(&|| table.by_program(&program, backend));
        assert!(result == expected);
        println!("{backend:?}: {time:.1} ms");
    }
}
