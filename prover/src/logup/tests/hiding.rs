//! What a proof publishes is as random as the equation at `x` allows, whatever the witness.
//!
//! A commitment is the value of its polynomial at τ, as far as anybody can tell who computes no bounds. So a proof publishes numbers: values
//! at τ, at `x` and at its rotations; W and W′ are functions of those. Two steps show that these tell nothing:
//!
//! 1. what a proof publishes of an advice column or of multiplicities is linear in the column's random rows, and has full rank in them;
//! 2. whatever these columns are, all that it publishes of the others is affine in *their* random numbers, and has full rank, but for the
//!    one relation at `x`, which a verifier computes anyway.
//!
//! The second step asks for columns held fixed: advice enters the quotient as products. Over all coins at once a rank would say nothing.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_testing::sampled;
use muster_verifier::{Column, Polynomial};

use super::{
    circuit::circuit,
    copies::nine_columns,
    every::every,
    linear::{rank, solve},
    lookups::two_tables,
    mirror::{opened, quotient, value, Insight},
    sample::{interpolate, rng, tau, Keys, Sample},
};
use crate::{
    logup::{
        blinded::{value_of, Blinded, BLINDERS},
        run::{hidden, Round},
        system::PIECES,
    },
    polynomial::{powers, Numbers},
};

/// τ, `x`, and the challenges of the constraints.
#[derive(Clone, Copy)]
struct Points {
    tau: Fr,
    x: Fr,
    rows: [Fr; 5],
}

/// Where a proof shows the value of a polynomial.
fn shown(keys: &Keys, points: Points, rotations: &[i32]) -> Numbers {
    let rotations = rotations.iter().map(|rotation| keys.prover.system.point(points.x, *rotation));
    [points.tau].into_iter().chain(rotations).collect()
}

/// For each point, by what each random row of a column changes the value there.
fn of_random_rows(sample: &Sample, points: &[Fr]) -> Vec<Numbers> {
    let (rows, usable) = (sample.protocol.rows(), sample.protocol.usable());
    let unit = |row: usize| -> Numbers {
        (0..rows).map(|other| Fr::from(u64::from(other == row))).collect()
    };
    let at = |point: &Fr| (usable..rows).map(|row| interpolate(&unit(row), *point)).collect();
    points.iter().map(at).collect()
}

fn random_points(seed: u64) -> Points {
    let mut rng = rng(seed);
    let mut random = || Fr::random(&mut rng);
    Points { tau: random(), x: random(), rows: std::array::from_fn(|_| random()) }
}

/// Step 1: as many random rows as functionals are enough, and fewer are not.
#[test]
fn columns_with_random_rows_show_random_numbers() {
    let (mut full, mut short) = (0, 0);
    for seed in sampled(0..2000, 20) {
        let (sample, points) = (circuit(seed), random_points(seed));
        let random = sample.protocol.rows() - sample.protocol.usable();
        let keys = Keys::of(&sample);
        for opened in opened(&keys) {
            use Polynomial::{Advice, Multiplicity};
            if !matches!(opened.polynomial, Advice(_) | Multiplicity(_)) {
                continue;
            }
            let functionals = shown(&keys, points, &opened.rotations);
            let rank = rank(&of_random_rows(&sample, &functionals));
            assert_eq!(rank, functionals.len().min(random), "{} of {seed}", opened.polynomial);
            *if rank == functionals.len() { &mut full } else { &mut short } += 1;
        }
    }
    assert!(full > short && short > 0);
}

/// The polynomials of the second round: their numbers, and where they are shown.
struct Second<'a> {
    keys: &'a Keys,
    /// All columns by coefficients; the last ones are those of the second round.
    columns: Vec<Blinded>,
    points: Points,
    /// Of the columns of the second round, the points at which each is shown.
    shown: Vec<Numbers>,
}

impl<'a> Second<'a> {
    fn of(keys: &'a Keys, columns: Vec<Blinded>, points: Points) -> Self {
        let second = |polynomial: &Polynomial| {
            use Polynomial::{Difference, Helper, Product, Sum};
            matches!(polynomial, Helper(_) | Sum | Product | Difference(_))
        };
        let shown = opened(keys)
            .filter(|opened| second(&opened.polynomial))
            .map(|opened| shown(keys, points, &opened.rotations))
            .collect();
        Self { keys, columns, points, shown }
    }

    /// All that a proof publishes from the second round on, with these blinders and numbers that hide the pieces: values of the polynomials, of
    /// each piece at τ, and of the quotient at `x`.
    fn published(&self, blinders: &[Numbers], scalars: &[Fr]) -> Numbers {
        let mut columns = self.columns.clone();
        let first = columns.len() - self.shown.len();
        for (column, blinders) in columns[first..].iter_mut().zip(blinders) {
            column.blinders.clone_from(blinders);
        }
        let polynomials = Insight::polynomials(self.keys, &columns);
        let own = &polynomials[polynomials.len() - self.shown.len()..];
        let own = own.iter().zip(&self.shown);
        let mut all: Numbers = own
            .flat_map(|(of, points)| points.iter().map(|point| value(self.keys, of, *point)))
            .collect();
        let pieces = hidden(&quotient(self.keys, &columns, &self.points.rows), scalars);
        all.extend(pieces.iter().map(|piece| value_of(piece, self.points.tau)));
        let xn = self.points.x.pow([self.keys.key.protocol().rows() as u64]);
        let parts = pieces.iter().zip(powers(xn));
        all.push(parts.map(|(piece, power)| power * value_of(piece, self.points.x)).sum());
        all
    }

    /// The same for numbers that stand one after the other: so many of each column, and so many for the pieces.
    fn of_coins(&self, counts: &[usize], coins: &[Fr]) -> Numbers {
        let mut rest = coins;
        let mut cut = |count: usize| {
            let (own, others) = rest.split_at(count);
            rest = others;
            own.to_vec()
        };
        let blinders: Vec<Numbers> = counts.iter().map(|count| cut(*count)).collect();
        self.published(&blinders, rest)
    }

    /// What is published if all coins are 0, and for each published number, by what each coin changes it. The map is affine, so that differences
    /// are exact, which is checked on one more point.
    fn map(&self, counts: &[usize], scalars: usize) -> (Numbers, Vec<Numbers>) {
        let count = counts.iter().sum::<usize>() + scalars;
        let base = self.of_coins(counts, &vec![Fr::ZERO; count]);
        let mut rows = vec![vec![]; base.len()];
        for coin in 0..count {
            let mut coins = vec![Fr::ZERO; count];
            coins[coin] = Fr::ONE;
            let changed = self.of_coins(counts, &coins);
            for (row, (changed, base)) in rows.iter_mut().zip(changed.iter().zip(&base)) {
                row.push(*changed - base);
            }
        }
        let mut random = rng(5);
        let coins: Numbers = (0..count).map(|_| Fr::random(&mut random)).collect();
        let expected = rows.iter().zip(&base).map(|(row, base)| {
            *base + row.iter().zip(&coins).map(|(factor, coin)| *factor * coin).sum::<Fr>()
        });
        assert_eq!(self.of_coins(counts, &coins), expected.collect::<Numbers>(), "it is affine");
        (base, rows)
    }

    /// By how much the rank is less than the number of functionals.
    fn missing(&self, counts: &[usize], scalars: usize) -> usize {
        let (_, rows) = self.map(counts, scalars);
        rows.len() - rank(&rows)
    }

    /// The fewest coins: one for each functional, and in the last column that is opened at two rotations one more. That one makes the quotient random
    /// at τ.
    fn fewest(&self) -> Vec<usize> {
        let mut counts: Vec<usize> = self.shown.iter().map(Vec::len).collect();
        *counts.iter_mut().rfind(|count| **count == 3).unwrap() += 1;
        counts
    }
}

/// Step 2. Of the circuits, those with lookups alone, with copies alone, and with both.
#[test]
fn what_follows_is_random_but_for_the_relation_at_x() {
    let mut shapes = [0; 3];
    let small = [two_tables(), nine_columns(), every(0)].map(|sample| (0, sample));
    let random = sampled(0..400, 40).into_iter().map(|seed| (seed, circuit(seed)));
    for (seed, sample) in small.into_iter().chain(random) {
        let keys = Keys::of(&sample);
        let columns = Insight::of(&keys, &sample, seed, |_, _| ()).coefficients(&keys);
        let second = Second::of(&keys, columns, random_points(seed));
        let has = [!sample.protocol.tables().is_empty(), !sample.protocol.copied().is_empty()];
        shapes[usize::from(has[0]) + 2 * usize::from(has[1]) - 1] += 1;

        let count = second.shown.len();
        assert_eq!(second.missing(&vec![BLINDERS; count], PIECES - 1), 1, "circuit {seed}");
        let fewest = second.fewest();
        assert!(fewest.iter().all(|count| *count <= BLINDERS));
        assert_eq!(second.missing(&fewest, PIECES - 1), 1, "circuit {seed}");
        for column in 0..count {
            let mut fewer = fewest.clone();
            fewer[column] -= 1;
            assert!(second.missing(&fewer, PIECES - 1) > 1, "circuit {seed}, column {column}");
        }
        assert!(second.missing(&fewest, PIECES - 2) > 1, "circuit {seed}");
        // Ever so many blinders elsewhere do not replace the fourth of the sum and of the product.
        let counts = second.shown.iter().map(|points| if points.len() == 3 { 3 } else { BLINDERS });
        assert_eq!(second.missing(&counts.collect::<Vec<_>>(), PIECES - 1), 2, "circuit {seed}");
    }
    assert!(shapes.iter().all(|count| *count > 0));
}

/// The real prover draws what the two steps count on: rows and coefficients that no other proof has.
#[test]
fn coins_are_where_they_are_said_to_be() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let [one, two] = [1, 2].map(|seed| Insight::of(&keys, &sample, seed, |_, _| ()));
    let (rows, usable) = (sample.protocol.rows(), sample.protocol.usable());
    let [inputs, first] = [5, 5 + 1 + 3];
    for (place, (one, two)) in one.columns.iter().zip(&two.columns).enumerate() {
        let differ = one.numbers[usable..].iter().zip(&two.numbers[usable..]).all(|(a, b)| a != b);
        if place == inputs {
            assert_eq!(one.numbers, two.numbers);
        } else if place < first {
            assert_eq!(one.numbers[..usable], two.numbers[..usable]);
            assert!(differ && one.blinders.is_empty(), "column {place}");
        } else {
            let differ = one.blinders.iter().zip(&two.blinders).all(|(a, b)| a != b);
            assert!(differ && one.blinders.len() == BLINDERS, "column {place}");
        }
    }
    for (place, piece) in one.pieces.iter().enumerate() {
        assert_eq!(piece.len(), rows + usize::from(place < PIECES - 1));
    }
    assert!(one.pieces[..3].iter().zip(&two.pieces).all(|(one, two)| one[rows] != two[rows]));
}

/// Every proof for one witness is, byte for byte, the proof for any other, with other coins.
#[test]
fn a_proof_is_one_for_every_witness() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    assert_eq!(keys.verify(&sample, &insight.proof), Ok(()));
    let challenges = insight.challenges;
    let points = Points { tau: tau(), x: challenges.x, rows: challenges.rows };
    let theirs = insight.coefficients(&keys);
    let advice = sample.protocol.advice();
    for seed in 1..3 {
        let other = every(seed);
        assert_ne!(other.advice, sample.advice);
        let mut coins = rng(seed);
        // Random rows that show what the columns from this place on show.
        let mut adapt = |made: &mut Vec<Blinded>, first: usize| {
            for (place, column) in made.iter_mut().enumerate() {
                let rotations = match place {
                    _ if first > 0 => &[0],
                    place => sample.protocol.rotations(Column::Advice(place)),
                };
                let shown = shown(&keys, points, rotations);
                let numbers = &mut column.numbers;
                numbers[sample.protocol.usable()..].fill(Fr::ZERO);
                let goal = &theirs[first + place].numbers;
                let rest: Numbers = shown
                    .iter()
                    .map(|point| value_of(goal, *point) - interpolate(numbers, *point))
                    .collect();
                let rows = of_random_rows(&sample, &shown);
                let solution = solve(&rows, &rest, &mut coins).unwrap();
                numbers[sample.protocol.usable()..].copy_from_slice(&solution);
            }
        };
        let mut columns: Vec<Blinded> = vec![];
        let mut scalars = vec![];
        let proof = keys.forge(&other, seed, |round, made| match round {
            Round::Advice => {
                adapt(made, 0);
                columns.extend(made.iter().cloned());
                columns.push(insight.columns[advice].clone());
            }
            Round::Multiplicities => {
                adapt(made, advice + 1);
                columns.extend(made.iter().cloned());
            }
            Round::Arguments => {
                columns.extend(made.iter().cloned());
                for column in &mut columns {
                    keys.prover.system.domain.to_coefficients(&mut column.numbers);
                }
                let blinders: Vec<Numbers> = theirs[theirs.len() - made.len()..]
                    .iter()
                    .map(|it| it.blinders.clone())
                    .collect();
                let goal = Second::of(&keys, theirs.clone(), points);
                // With their blinders, and all but the last published number of their pieces as these are.
                let mut goal = goal.published(&blinders, &[Fr::ZERO; PIECES - 1]);
                let first = goal.len() - 1 - PIECES;
                for (goal, piece) in goal[first..].iter_mut().zip(&insight.pieces) {
                    *goal = value_of(piece, points.tau);
                }
                let own = Second::of(&keys, columns.clone(), points);
                let counts = vec![BLINDERS; made.len()];
                let (base, rows) = own.map(&counts, PIECES - 1);
                let rest: Numbers = goal.iter().zip(&base).map(|(a, b)| *a - b).collect();
                let mut solution = solve(&rows, &rest, &mut rng(seed)).unwrap();
                scalars = solution.split_off(BLINDERS * made.len());
                for (column, blinders) in made.iter_mut().zip(solution.chunks(BLINDERS)) {
                    column.blinders = blinders.to_vec();
                }
                let first = columns.len() - made.len();
                for (column, made) in columns[first..].iter_mut().zip(made) {
                    column.blinders.clone_from(&made.blinders);
                }
            }
            Round::Pieces => {
                let pieces = hidden(&quotient(&keys, &columns, &points.rows), &scalars);
                *made = pieces.into_iter().map(Blinded::plain).collect();
            }
            _ => unreachable!("fast has no more rounds"),
        });
        assert_eq!(proof, insight.proof);
    }
}
