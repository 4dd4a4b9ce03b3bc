//! A proof in the making: what is made in each round, its bytes, and the challenges that follow from them.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine},
    ff::Field,
};
use muster_verifier::{Round as PackRound, Transcript};
use rand::RngCore;
use rayon::prelude::*;

use super::{
    blinded::{compressed, number, point_bytes, to_bytes, Blinded},
    commitments::commit,
    decider::DeciderSystem,
    openings::{Opened, Openings, Part},
    prover::Prover,
    system::{KeyColumns, System, PIECES},
    trace::{parts, Trace},
};
use crate::{
    polynomial::{powers, Numbers},
    profile::{Phase, Stopwatch},
};

/// What is made at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    Advice,
    Multiplicities,
    /// Helpers, the sum, the product, the differences.
    Arguments,
    /// Those of the quotient; in `compact` the quotient as one.
    Pieces,
    /// `compact`: the column of the values.
    Values,
    /// `w_0, w_1, …`, and `R`.
    Weights,
    /// The decider's `a, b, c, d`.
    Wires,
    /// Its product.
    DeciderProduct,
    /// Its quotient.
    DeciderQuotient,
}

/// A proof in the making. What is made in each round goes through `edit` before it is committed to, by which tests forge.
pub(super) struct Run<'a, R, E, O = Transcript> {
    pub(super) prover: &'a Prover,
    pub(super) trace: Trace<'a, R>,
    pub(super) writer: Writer<O>,
    pub(super) edit: E,
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
        let writer = match prover.decider {
            None => Writer::new(Transcript::new(), false),
            Some(_) => Writer::new(Transcript::compact(), true),
        };
        let system = &prover.system;
        Self { prover, trace: Trace { system, key, rng, watch }, writer, edit }
    }
}

impl<R: RngCore, E: FnMut(Round, &mut Vec<Blinded>), O: Oracle> Run<'_, R, E, O> {
    /// See [`Prover::prove`].
    pub(super) fn proof(&mut self, mut advice: Vec<Numbers>, inputs: &[Fr]) -> Vec<u8> {
        let protocol = &self.prover.system.protocol;
        assert_eq!(advice.len(), protocol.advice(), "advice columns");
        assert_eq!(inputs.len(), protocol.inputs(), "inputs");
        self.writer.begin(&self.prover.name(), inputs);
        let start = self.writer.clone();
        loop {
            match self.attempt(advice, inputs) {
                Ok(()) => return std::mem::take(&mut self.writer.bytes),
                Err(same) => advice = same,
            }
            self.writer = start.clone();
        }
    }

    /// A proof, or the advice if a challenge is one of the few for which there is no proof.
    fn attempt(&mut self, advice: Vec<Numbers>, inputs: &[Fr]) -> Result<(), Vec<Numbers>> {
        let system = self.trace.system;
        let mut columns = self.first(advice, inputs);
        let challenges = self.writer.challenges::<4>();
        let advice = |columns: Vec<Blinded>| {
            columns.into_iter().take(system.protocol.advice()).map(|column| column.numbers)
        };
        let Some(mut arguments) = self.trace.arguments(&columns, &challenges) else {
            return Err(advice(columns).collect());
        };
        (self.edit)(Round::Arguments, &mut arguments);
        self.trace.watch.lap(Phase::Arguments, arguments.len());
        columns.extend(arguments);
        self.commit_round(PackRound::Second, &columns);
        let [y] = self.writer.challenges();
        let [theta, lookup, beta, gamma] = challenges;
        let challenges = [theta, lookup, beta, gamma, y];
        self.transform(system, &mut columns);
        let pieces = self.trace.quotient(&columns, &challenges);
        let prover = self.prover;
        let finished = match &prover.decider {
            None => self.finish(&columns, &pieces),
            Some(decider) => self.finish_compact(decider, inputs, &columns, pieces, &challenges),
        };
        finished.ok_or_else(|| {
            let mut values: Vec<Numbers> = advice(columns).collect();
            values.iter_mut().for_each(|column| system.domain.to_values(column));
            values
        })
    }

    /// Advice, inputs and multiplicities.
    fn first(&mut self, advice: Vec<Numbers>, inputs: &[Fr]) -> Vec<Blinded> {
        let mut inputs = inputs.to_vec();
        inputs.resize(self.trace.system.protocol.rows(), Fr::ZERO);
        let mut columns = self.trace.advice(advice);
        (self.edit)(Round::Advice, &mut columns);
        columns.push(Blinded::plain(inputs));
        let mut counts = self.trace.multiplicities(&columns);
        (self.edit)(Round::Multiplicities, &mut counts);
        self.trace.watch.lap(Phase::Arguments, counts.len());
        columns.extend(counts);
        self.commit_round(PackRound::First, &columns);
        columns
    }

    /// Writes the commitments of a round. `columns` are all so far.
    fn commit_round(&mut self, round: PackRound, columns: &[Blinded]) {
        let system = self.trace.system;
        let of_key = system.columns.of_key;
        let packs: Vec<Vec<&Blinded>> = system
            .round(round)
            .map(|pack| system.places(pack).map(|place| &columns[place - of_key]).collect())
            .collect();
        let points = system.bases.packs(&packs);
        self.trace.watch.lap(Phase::Commitments, points.len());
        self.writer.points(&points);
    }

    /// Writes commitments to polynomials.
    fn commit(&mut self, polynomials: &[Numbers]) {
        self.writer.points(&commit(&self.prover.powers, polynomials));
        self.trace.watch.lap(Phase::Commitments, polynomials.len());
    }

    fn transform(&mut self, system: &System, columns: &mut [Blinded]) {
        let transform = |column: &mut Blinded| system.domain.to_coefficients(&mut column.numbers);
        columns.par_iter_mut().for_each(transform);
        self.trace.watch.lap(Phase::Transforms, columns.len());
    }

    /// From the commitments to the quotient on, in the format `fast`.
    fn finish(&mut self, columns: &[Blinded], pieces: &[Numbers]) -> Option<()> {
        let system = self.trace.system;
        let pieces = hidden(pieces, &self.trace.random(PIECES - 1));
        let pieces = self.edited(Round::Pieces, pieces);
        self.trace.watch.lap(Phase::Quotient, 0);
        self.commit(&pieces);
        let [x] = self.writer.challenges();
        let xn = system.raised(x)?;
        let parts = parts(system, self.trace.key, columns, x);
        self.write_values(&parts);
        let weights: Vec<Fr> = powers(xn).take(PIECES).collect();
        let quotient = Openings::quotient(system, &weights, &pieces);
        self.open(system, &parts, quotient, x).map(|_| ())
    }

    /// The same in the format `compact`.
    fn finish_compact(
        &mut self,
        decider: &DeciderSystem,
        inputs: &[Fr],
        columns: &[Blinded],
        pieces: Vec<Numbers>,
        challenges: &[Fr],
    ) -> Option<()> {
        let system = self.trace.system;
        let quotient = self.edited(Round::Pieces, vec![pieces.concat()]);
        self.trace.watch.lap(Phase::Quotient, 0);
        self.commit(&quotient);
        let [x] = self.writer.challenges();
        system.raised(x)?;
        let parts = parts(system, self.trace.key, columns, x);
        let values = decider.values(&parts, self.trace.rng);
        let values = self.edited(Round::Values, vec![values]).concat();
        let values = Blinded::plain(values);
        self.trace.watch.lap(Phase::Openings, decider.decider.cells().len());
        self.commit_decider(decider, &[&values]);
        let (opened, alpha, u) = self.open(system, &parts, quotient.concat(), x)?;
        let weights = [opened.weights, vec![opened.remainder]].concat();
        let weights = self.edited(Round::Weights, vec![weights]).concat();
        self.writer.numbers(&weights);
        let public = [inputs, challenges, &[x, alpha, u], &weights].concat();
        self.decide(decider, &public, values)
    }

    /// The decider's proof.
    fn decide(&mut self, decider: &DeciderSystem, public: &[Fr], values: Blinded) -> Option<()> {
        let system = &decider.system;
        let wires = decider.wires(public, &values.numbers, self.trace.rng)?;
        let wires = self.edited(Round::Wires, wires);
        let mut columns: Vec<Blinded> = wires.into_iter().map(Blinded::plain).collect();
        self.commit_decider(decider, &columns.iter().collect::<Vec<_>>());
        let [beta, gamma] = self.writer.challenges();
        let mut shown = public.to_vec();
        shown.resize(system.protocol.rows(), Fr::ZERO);
        columns.extend([values, Blinded::plain(shown)]);
        let mut challenges = vec![Fr::ZERO, Fr::ZERO, beta, gamma];
        let mut product = self.of_decider(decider).arguments(&columns, &challenges)?;
        (self.edit)(Round::DeciderProduct, &mut product);
        self.trace.watch.lap(Phase::Arguments, 1);
        self.commit_decider(decider, &product.iter().collect::<Vec<_>>());
        challenges.extend(self.writer.challenges::<1>());
        columns.extend(product);
        self.transform(system, &mut columns);
        let pieces = self.of_decider(decider).quotient(&columns, &challenges);
        let quotient = self.edited(Round::DeciderQuotient, vec![pieces.concat()]);
        self.commit(&quotient);
        let [x] = self.writer.challenges();
        system.raised(x)?;
        let parts = parts(system, &decider.key, &columns, x);
        self.write_values(&parts);
        self.open(system, &parts, quotient.concat(), x).map(|_| ())
    }

    /// What makes the decider's columns.
    fn of_decider<'d>(&'d mut self, decider: &'d DeciderSystem) -> Trace<'d, R> {
        let Trace { rng, watch, .. } = &mut self.trace;
        Trace { system: &decider.system, key: &decider.key, rng, watch }
    }

    /// Writes the commitment to one of the decider's packs.
    fn commit_decider(&mut self, decider: &DeciderSystem, pack: &[&Blinded]) {
        self.writer.points(&decider.system.bases.packs(&[pack.to_vec()]));
        self.trace.watch.lap(Phase::Commitments, 1);
    }

    fn edited(&mut self, round: Round, numbers: Vec<Numbers>) -> Vec<Numbers> {
        let mut made = numbers.into_iter().map(Blinded::plain).collect();
        (self.edit)(round, &mut made);
        made.into_iter().map(|made| made.numbers).collect()
    }

    /// Writes all values of packs, by pack, place and rotation.
    fn write_values(&mut self, parts: &[Part<'_>]) {
        let values: Vec<&Fr> = parts.iter().flat_map(|part| &part.values).flatten().collect();
        self.trace.watch.lap(Phase::Openings, values.len());
        self.writer.numbers(values);
    }

    /// Writes `W` and `W′`. With what `W′` leaves come `α` and `u`.
    fn open(
        &mut self,
        system: &System,
        parts: &[Part<'_>],
        quotient: Numbers,
        x: Fr,
    ) -> Option<(Opened, Fr, Fr)> {
        let [alpha] = self.writer.challenges();
        let openings = Openings::new(system, parts, quotient, (x, alpha));
        let first = openings.first();
        self.trace.watch.lap(Phase::Openings, 0);
        self.commit(std::slice::from_ref(&first));
        let [u] = self.writer.challenges();
        let mut opened = openings.second(&first, u)?;
        self.trace.watch.lap(Phase::Openings, 0);
        self.commit(&[std::mem::take(&mut opened.second)]);
        Some((opened, alpha, u))
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

/// What has been said so far. A proof has its points in the short encoding, and the transcript takes them as the format says.
#[derive(Clone)]
pub(super) struct Writer<O> {
    pub(super) transcript: O,
    /// Whether the transcript takes points in the long encoding.
    is_long: bool,
    /// What was said after the last challenge.
    item: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

impl<O: Oracle> Writer<O> {
    pub(super) fn new(transcript: O, is_long: bool) -> Self {
        Self { transcript, is_long, item: vec![], bytes: vec![] }
    }

    /// What both sides know at first.
    pub(super) fn begin(&mut self, key: &[u8; 32], inputs: &[Fr]) {
        self.transcript.absorb(key);
        self.transcript.absorb(&inputs.iter().flat_map(to_bytes).collect::<Vec<_>>());
    }

    pub(super) fn points(&mut self, points: &[G1Affine]) {
        for point in points {
            let short = compressed(point);
            self.bytes.extend(short);
            if self.is_long {
                self.item.extend(point_bytes(point));
            } else {
                self.item.extend(short);
            }
        }
    }

    pub(super) fn numbers<'n>(&mut self, numbers: impl IntoIterator<Item = &'n Fr>) {
        for number in numbers {
            let bytes = to_bytes(number);
            self.bytes.extend(bytes);
            self.item.extend(bytes);
        }
    }

    /// The challenges after all that was said. What follows is the next item.
    pub(super) fn challenges<const N: usize>(&mut self) -> [Fr; N] {
        self.transcript.absorb(&std::mem::take(&mut self.item));
        std::array::from_fn(|_| self.transcript.squeeze())
    }
}
