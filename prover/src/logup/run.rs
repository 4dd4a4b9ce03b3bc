use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine},
    ff::Field,
};
use muster_engine::Inputs;
use muster_verifier::{Column, Opened, Polynomial, Transcript};
use rand::RngCore;
use rayon::prelude::*;

use super::{
    blinded::{compressed, number, to_bytes, value_of, Blinded, BLINDERS},
    key::KeyColumns,
    multiplicities::Asked,
    openings::{Openings, Part},
    prover::{Prover, PIECES},
};
use crate::{
    cosets::{Coefficients, Evaluated},
    polynomial::{powers, running_product, Numbers},
    profile::{Phase, Stopwatch},
};

/// What is committed to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    Advice,
    Multiplicities,
    /// Helpers, the sum, the product, the differences.
    Arguments,
    /// Those of the quotient.
    Pieces,
}

/// Where challenges come from.
pub(super) trait Oracle: Clone {
    fn absorb(&mut self, item: &[u8]);
    fn squeeze(&mut self) -> Fr;
}

impl Oracle for Transcript {
    fn absorb(&mut self, item: &[u8]) {
        self.absorb(item);
    }

    fn squeeze(&mut self) -> Fr {
        number(&self.squeeze())
    }
}

/// A proof in the making. What is made in each round goes through `edit` before it is committed to, by which tests forge.
pub(super) struct Run<'a, R, E, O = Transcript> {
    pub(super) prover: &'a Prover,
    pub(super) key: &'a KeyColumns,
    pub(super) rng: &'a mut R,
    pub(super) watch: &'a mut Stopwatch,
    pub(super) writer: Writer<O>,
    pub(super) edit: E,
}

/// The bytes so far, and the challenges that follow from them.
#[derive(Clone)]
pub(super) struct Writer<O> {
    pub(super) transcript: O,
    pub(super) bytes: Vec<u8>,
}

impl<O: Oracle> Writer<O> {
    /// Writes what one round commits to.
    fn points(&mut self, points: &[G1Affine]) {
        self.write(&points.iter().flat_map(compressed).collect::<Vec<_>>());
    }

    fn numbers(&mut self, numbers: &[Fr]) {
        self.write(&numbers.iter().flat_map(to_bytes).collect::<Vec<_>>());
    }

    fn write(&mut self, item: &[u8]) {
        self.transcript.absorb(item);
        self.bytes.extend_from_slice(item);
    }

    fn challenge(&mut self) -> Fr {
        self.transcript.squeeze()
    }
}

impl Prover {
    /// The bytes of a proof for these advice columns and inputs; `columns` are the key's. Rows of `advice` from the usable
    /// ones on are overwritten. It is not verified: if the columns do not meet the constraints, it is no proof.
    ///
    /// # Panics
    ///
    /// If there are not as many advice columns, rows or inputs as the protocol has.
    pub(crate) fn prove<R: RngCore>(
        &self,
        columns: &KeyColumns,
        advice: Vec<Numbers>,
        inputs: &[Fr],
        rng: &mut R,
        watch: &mut Stopwatch,
    ) -> Vec<u8> {
        Run::new(self, columns, rng, watch, |_, _| ()).proof(advice, inputs)
    }
}

impl<'a, R: RngCore, E: FnMut(Round, &mut Vec<Blinded>)> Run<'a, R, E> {
    pub(super) fn new(
        prover: &'a Prover,
        key: &'a KeyColumns,
        rng: &'a mut R,
        watch: &'a mut Stopwatch,
        edit: E,
    ) -> Self {
        let writer = Writer { transcript: Transcript::new(), bytes: vec![] };
        Self { prover, key, rng, watch, writer, edit }
    }
}

impl<'a, R: RngCore, E: FnMut(Round, &mut Vec<Blinded>), O: Oracle> Run<'a, R, E, O> {
    /// See [`Prover::prove`].
    pub(super) fn proof(&mut self, advice: Vec<Numbers>, inputs: &[Fr]) -> Vec<u8> {
        let protocol = self.prover.protocol();
        assert_eq!(advice.len(), protocol.advice(), "advice columns");
        assert_eq!(inputs.len(), protocol.inputs(), "inputs");
        let transcript = &mut self.writer.transcript;
        transcript.absorb(&self.prover.key.digest());
        transcript.absorb(&inputs.iter().flat_map(to_bytes).collect::<Vec<_>>());
        self.rounds(advice, inputs)
    }

    fn rounds(&mut self, advice: Vec<Numbers>, inputs: &[Fr]) -> Vec<u8> {
        let prover = self.prover;
        let mut inputs = inputs.to_vec();
        inputs.resize(prover.protocol().rows(), Fr::ZERO);
        let mut columns = self.advice(advice);
        (self.edit)(Round::Advice, &mut columns);
        columns.push(Blinded::plain(inputs));
        let mut counts = self.multiplicities(&columns);
        (self.edit)(Round::Multiplicities, &mut counts);
        self.watch.lap(Phase::Arguments, counts.len());
        let advice = prover.protocol().advice();
        let mut points = prover.bases.columns(&columns[..advice]);
        points.extend(prover.bases.columns(&counts));
        self.watch.lap(Phase::Commitments, points.len());
        self.writer.points(&points);
        columns.extend(counts);

        let mut challenges: Vec<Fr> = (0..4).map(|_| self.writer.challenge()).collect();
        let mut arguments = self.arguments(&columns, &challenges);
        (self.edit)(Round::Arguments, &mut arguments);
        self.watch.lap(Phase::Arguments, arguments.len());
        let points = prover.bases.columns(&arguments);
        self.watch.lap(Phase::Commitments, points.len());
        self.writer.points(&points);
        columns.extend(arguments);

        challenges.push(self.writer.challenge());
        let transform = |column: &mut Blinded| prover.domain.to_coefficients(&mut column.numbers);
        columns.par_iter_mut().for_each(transform);
        self.watch.lap(Phase::Transforms, columns.len());
        let pieces = self.quotient(&columns, &challenges);
        loop {
            if let Some(proof) = self.finish(&columns, &pieces) {
                return proof;
            }
        }
    }

    fn random(&mut self, count: usize) -> Numbers {
        (0..count).map(|_| Fr::random(&mut *self.rng)).collect()
    }

    /// Fills the random rows.
    fn advice(&mut self, advice: Vec<Numbers>) -> Vec<Blinded> {
        let (rows, usable) = (self.prover.protocol().rows(), self.prover.protocol().usable());
        let hide = |mut column: Numbers| {
            assert_eq!(column.len(), rows, "columns of 2^k rows");
            column.truncate(usable);
            column.extend(self.random(rows - usable));
            Blinded::plain(column)
        };
        let columns = advice.into_iter().map(hide).collect();
        self.watch.lap(Phase::Witness, 0);
        columns
    }

    /// All columns so far, as expressions name them.
    fn cells<'c>(&'c self, columns: &'c [Blinded]) -> Vec<&'c [Fr]> {
        let own = self.key.values.iter().map(Vec::as_slice);
        own.chain(columns.iter().map(|column| column.numbers.as_slice())).collect()
    }

    pub(super) fn evaluate(
        &self,
        program: &muster_engine::Program,
        columns: &[Blinded],
        challenges: &[Fr],
    ) -> Vec<Numbers> {
        let columns = self.cells(columns);
        let rows = self.prover.protocol().rows();
        let inputs = Inputs { rows, columns: &columns, parameters: challenges };
        program.evaluate(self.prover.backend, inputs)
    }

    /// How often each row of each table is asked for. Tuples are joined by a number that nobody else learns: that two
    /// different ones are taken for the same is as unlikely as guessing it.
    fn multiplicities(&mut self, columns: &[Blinded]) -> Vec<Blinded> {
        let theta = self.random(1);
        let tuples = self.evaluate(&self.prover.programs.tuples, columns, &theta);
        let (rows, usable) = (self.prover.protocol().rows(), self.prover.protocol().usable());
        let mut rest = tuples.as_slice();
        let mut asked = vec![];
        for table in self.prover.protocol().tables() {
            let (own, others) = rest.split_at(1 + table.inputs.len());
            asked.push(Asked { table: &own[0][..usable], inputs: &own[1..] });
            rest = others;
        }
        let counts: Vec<Vec<u64>> = asked.par_iter().map(Asked::count).collect();
        let column = |counts: Vec<u64>| {
            let mut column: Numbers = counts.into_iter().map(Fr::from).collect();
            column.extend(self.random(rows - usable));
            Blinded::plain(column)
        };
        counts.into_iter().map(column).collect()
    }

    fn blinded(&mut self, numbers: Numbers) -> Blinded {
        Blinded { numbers, blinders: self.random(BLINDERS) }
    }

    /// Numerators over denominators, which come in pairs.
    fn fractions(&self, mut parts: Vec<Numbers>) -> Vec<Numbers> {
        let backend = self.prover.backend;
        parts.par_chunks_mut(2).for_each(|pair| {
            let [denominator, numerator] = pair else { unreachable!("they come in pairs") };
            backend.invert(denominator);
            backend.mul(denominator, numerator);
        });
        parts.into_iter().step_by(2).collect()
    }

    /// What the second round commits to, by the challenges of the first.
    pub(super) fn arguments(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Vec<Blinded> {
        let mut arguments = self.lookups(columns, challenges);
        arguments.extend(self.copies(columns, challenges));
        arguments
    }

    /// The helpers and the sum.
    fn lookups(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Vec<Blinded> {
        let prover = self.prover;
        let parts = self.evaluate(&prover.programs.lookups, columns, challenges);
        let mut fractions = self.fractions(parts);
        let Some(mut steps) = fractions.pop() else { return vec![] };
        fractions.iter().for_each(|helper| prover.backend.add(&mut steps, helper));
        // It stands still in random rows.
        let mut sum = Fr::ZERO;
        let usable = prover.protocol().usable();
        for (row, step) in steps.iter_mut().enumerate() {
            let before = sum;
            if row < usable {
                sum += *step;
            }
            *step = before;
        }
        fractions.push(steps);
        fractions.into_iter().map(|column| self.blinded(column)).collect()
    }

    /// The product and the differences.
    fn copies(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Vec<Blinded> {
        let prover = self.prover;
        let parts = self.evaluate(&prover.programs.copies, columns, challenges);
        // Each chunk's factor, times those before it.
        let mut factors = self.fractions(parts);
        for chunk in 1..factors.len() {
            let (before, own) = factors.split_at_mut(chunk);
            prover.backend.mul(&mut own[0], &before[chunk - 1]);
        }
        let Some(last) = factors.pop() else { return vec![] };
        let product = running_product(Fr::ONE, &last);
        let difference = |mut factor: Numbers| {
            // Where nothing was copied the factor is 1, and the difference 0.
            factor.par_iter_mut().for_each(|factor| *factor -= Fr::ONE);
            prover.backend.mul(&mut factor, &product);
            factor
        };
        let mut made: Vec<Numbers> = factors.into_iter().map(difference).collect();
        made.insert(0, product);
        made.into_iter().map(|column| self.blinded(column)).collect()
    }

    /// The pieces of the quotient, which hide nothing yet.
    fn quotient(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Vec<Numbers> {
        let of_key: Vec<usize> = (0..self.prover.columns.of_key()).collect();
        let polynomials = self.polynomials(columns);
        debug_assert_eq!(polynomials.len(), self.prover.columns.count());
        let evaluated = Evaluated { polynomials: &polynomials, of_key: &of_key, challenges };
        let program = &self.prover.programs.constraints;
        self.prover.cosets.quotient(self.prover.backend, program, evaluated, self.watch)
    }

    fn polynomials<'c>(&self, columns: &'c [Blinded]) -> Vec<Coefficients<'c>>
    where
        'a: 'c,
    {
        let own = self
            .key
            .coefficients(&self.prover.domain)
            .iter()
            .map(|numbers| Coefficients::plain(numbers));
        let columns = columns.iter();
        let columns =
            columns.map(|Blinded { numbers, blinders }| Coefficients { numbers, blinders });
        own.chain(columns).collect()
    }

    /// From the commitments to the quotient on; nothing if a challenge is one of the few for which there is no proof.
    fn finish(&mut self, columns: &[Blinded], pieces: &[Numbers]) -> Option<Vec<u8>> {
        let prover = self.prover;
        let mut writer = self.writer.clone();
        let pieces = hidden(pieces, &self.random(PIECES - 1));
        let mut pieces: Vec<Blinded> = pieces.into_iter().map(Blinded::plain).collect();
        (self.edit)(Round::Pieces, &mut pieces);
        let pieces: Vec<Numbers> = pieces.into_iter().map(|piece| piece.numbers).collect();
        self.watch.lap(Phase::Quotient, 0);
        writer.points(&prover.bases.polynomials(&pieces));
        self.watch.lap(Phase::Commitments, pieces.len());
        let x = writer.challenge();
        let xn = x.pow_vartime([prover.protocol().rows() as u64]);
        if x == Fr::ZERO || xn == Fr::ONE {
            return None;
        }
        let opened = prover.protocol().arrangement().polynomials();
        let polynomials = self.polynomials(columns);
        let parts: Vec<Part<'_>> = opened
            .par_iter()
            .filter(|Opened { polynomial, .. }| *polynomial != Polynomial::Quotient)
            .map(|Opened { polynomial, rotations }| {
                let of = polynomials[prover.place(*polynomial)];
                let value = |rotation: &i32| {
                    let point = prover.point(x, *rotation);
                    let own = prover.backend.value_at(of.numbers, point);
                    own + (xn - Fr::ONE) * value_of(of.blinders, point)
                };
                Part { of, rotations, values: rotations.iter().map(value).collect() }
            })
            .collect();
        let values: Numbers = parts.iter().flat_map(|part| part.values.iter().copied()).collect();
        writer.numbers(&values);
        self.watch.lap(Phase::Openings, values.len());

        let weights: Vec<Fr> = powers(xn).take(PIECES).collect();
        let quotient = Openings::quotient(prover, &weights, &pieces);
        let alpha = writer.challenge();
        let openings = Openings::new(prover, parts, &quotient, (x, alpha));
        let first = openings.first();
        self.watch.lap(Phase::Openings, 0);
        writer.points(&prover.bases.polynomials(std::slice::from_ref(&first)));
        self.watch.lap(Phase::Commitments, 1);
        let u = writer.challenge();
        let second = openings.second(&first, u)?;
        self.watch.lap(Phase::Openings, 0);
        writer.points(&prover.bases.polynomials(&[second]));
        self.watch.lap(Phase::Commitments, 1);
        Some(writer.bytes)
    }
}

/// The pieces with numbers that cancel in `Σ xⁱⁿ·pieceᵢ` at `x`, and there alone: one for each piece but the last.
pub(super) fn hidden(pieces: &[Numbers], numbers: &[Fr]) -> Vec<Numbers> {
    let mut hidden = pieces.to_vec();
    for (place, number) in numbers.iter().enumerate() {
        hidden[place].push(*number);
        hidden[place + 1][0] -= number;
    }
    hidden
}

impl Prover {
    /// The number of a column.
    pub(super) fn place(&self, polynomial: Polynomial) -> usize {
        let columns = self.columns;
        match polynomial {
            Polynomial::Advice(index) => columns.column(Column::Advice(index)),
            Polynomial::Multiplicity(index) => columns.multiplicity(index),
            Polynomial::Helper(index) => columns.helper(index),
            Polynomial::Sum => columns.sum(),
            Polynomial::Product => columns.product(),
            Polynomial::Difference(index) => columns.difference(index),
            Polynomial::Fixed(index) => columns.column(Column::Fixed(index)),
            Polynomial::Sigma(index) => columns.sigma(index),
            Polynomial::Quotient => unreachable!("it is no column"),
        }
    }

    /// `x·ω^ρ`.
    pub(super) fn point(&self, x: Fr, rotation: i32) -> Fr {
        let rows = self.protocol().rows() as i64;
        let power = i64::from(rotation).rem_euclid(rows) as u64;
        x * self.domain.root().pow_vartime([power])
    }
}
