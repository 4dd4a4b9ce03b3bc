use std::collections::HashMap;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
    },
    plonk::{Circuit, Error, ProvingKey},
    transcript::{EncodedChallenge, TranscriptWrite},
};
use muster_engine::{Bases, Inputs};
use rayon::prelude::*;

use super::{
    columns::{Columns, Part},
    lookup::Values,
    openings::Opening,
    prover::{commit, slices, Prover},
    randomness::Randomness,
    shplonk::{Opened, Quotients},
};
use crate::{
    cosets::{Coefficients, Evaluated},
    polynomial::{combine, powers, running_product, Numbers},
    profile::{Phase, Stopwatch},
    synthesis::{self, Size},
};

/// A proof in the making.
struct Run<'a, R: ?Sized, T> {
    prover: &'a Prover,
    pk: &'a ProvingKey<G1Affine>,
    randomness: &'a mut R,
    transcript: &'a mut T,
    watch: &'a mut Stopwatch,
}

/// A lookup's columns in each row.
struct Lookups {
    /// For each, its input and its table, joined.
    joined: Vec<Numbers>,
    /// Likewise, permuted.
    permuted: Vec<Numbers>,
}

impl Prover {
    /// Writes a proof for `circuit` into `transcript`. It is not verified: if the circuit is not satisfied, the proof
    /// is invalid.
    ///
    /// # Errors
    ///
    /// Those of the circuit's synthesis, and of writing.
    pub(crate) fn prove<C, E, T, R>(
        &self,
        pk: &ProvingKey<G1Affine>,
        circuit: C,
        public_inputs: &[Fr],
        randomness: &mut R,
        transcript: &mut T,
        watch: &mut Stopwatch,
    ) -> Result<(), Error>
    where
        C: Circuit<Fr>,
        E: EncodedChallenge<G1Affine>,
        T: TranscriptWrite<G1Affine, E>,
        R: Randomness + ?Sized,
    {
        pk.get_vk().hash_into(transcript)?;
        let Columns { rows, advice, .. } = self.columns;
        let size = Size { rows, usable: self.columns.usable(), advice };
        let advice = synthesis::advice(size, &circuit, public_inputs)?;
        // It may take more memory than all columns.
        drop(circuit);
        watch.lap(Phase::Witness, advice.len());
        for input in public_inputs {
            transcript.common_scalar(*input)?;
        }
        let mut instance = public_inputs.to_vec();
        instance.resize(self.columns.rows, Fr::ZERO);
        let mut run = Run { prover: self, pk, randomness, transcript, watch };
        run.witness(advice, instance)
    }
}

impl<R: Randomness + ?Sized, T> Run<'_, R, T> {
    /// Fills the last rows of columns with random numbers, from row `first`.
    fn blind(&mut self, column: &mut [Fr], first: usize) {
        column[first..].fill_with(|| self.randomness.number());
    }

    /// Draws what halo2 draws to hide a commitment. This scheme hides by the columns' random rows, and has no use for
    /// it.
    fn skip(&mut self) {
        self.randomness.number();
    }

    fn challenge<E: EncodedChallenge<G1Affine>>(&mut self) -> Fr
    where
        T: TranscriptWrite<G1Affine, E>,
    {
        *self.transcript.squeeze_challenge_scalar::<()>()
    }

    fn commit<E: EncodedChallenge<G1Affine>>(
        &mut self,
        bases: &Bases,
        columns: &[Numbers],
    ) -> Result<(), Error>
    where
        T: TranscriptWrite<G1Affine, E>,
    {
        for commitment in commit(bases, columns) {
            self.transcript.write_point(commitment)?;
        }
        self.watch.lap(Phase::Commitments, columns.len());
        Ok(())
    }

    fn witness<E: EncodedChallenge<G1Affine>>(
        &mut self,
        mut advice: Vec<Numbers>,
        instance: Numbers,
    ) -> Result<(), Error>
    where
        T: TranscriptWrite<G1Affine, E>,
    {
        let (prover, columns) = (self.prover, self.prover.columns);
        for column in &mut advice {
            self.blind(column, columns.usable());
        }
        advice.iter().for_each(|_| self.skip());
        self.watch.lap(Phase::Witness, 0);
        self.commit(&prover.lagrange, &advice)?;

        let mut challenges = vec![self.challenge()];
        let values: Vec<&[Fr]> = slices(self.pk.fixed_values())
            .chain(advice.iter().chain([&instance]).map(Vec::as_slice))
            .chain(slices(self.pk.permutation().permutations()))
            .chain([prover.points.as_slice()])
            .collect();
        let lookups = self.lookups(&values, &challenges);
        self.watch.lap(Phase::Arguments, lookups.permuted.len());
        self.commit(&prover.lagrange, &lookups.permuted)?;

        challenges.extend([self.challenge(), self.challenge()]);
        let products = self.products(&values, &lookups, &challenges);
        let Lookups { permuted, joined } = lookups;
        drop(joined);
        self.watch.lap(Phase::Arguments, products.len());
        self.commit(&prover.lagrange, &products)?;
        let mask = self.randomness.mask(columns.rows);
        self.skip();
        self.watch.lap(Phase::Quotient, 0);
        self.commit(&prover.monomial, std::slice::from_ref(&mask))?;

        challenges.push(self.challenge());
        let parts = [advice, vec![instance], products, permuted];
        let mut witnessed: Vec<Numbers> = parts.into_iter().flatten().collect();
        witnessed.par_iter_mut().for_each(|column| prover.domain.to_coefficients(column));
        self.watch.lap(Phase::Transforms, witnessed.len());
        self.finish(&witnessed, mask, &challenges)
    }

    /// Joins the expressions of each lookup, and permutes them.
    fn lookups(&mut self, values: &[&[Fr]], challenges: &[Fr]) -> Lookups {
        let (prover, columns) = (self.prover, self.prover.columns);
        let inputs = Inputs { rows: columns.rows, columns: values, parameters: challenges };
        let joined = prover.programs.joined.evaluate(prover.backend, inputs);
        let pairs = joined.as_chunks::<2>().0;
        let usable = columns.usable();
        let counted = pairs.par_iter().map(|[input, _]| Values::of(&input[..usable]));
        let mut counted: Vec<Values> = counted.collect();
        for (lookup, values) in counted.iter_mut().enumerate() {
            self.randomness.arrange(lookup, &mut values.distinct);
        }
        let permuted = counted.par_iter().zip(pairs);
        let permuted = permuted.map(|(values, [_, table])| values.permute(&table[..usable]));
        let mut permuted: Vec<Numbers> = permuted.collect::<Vec<_>>().into_flattened();
        for pair in permuted.chunks_mut(2) {
            for column in pair {
                column.resize(columns.rows, Fr::ZERO);
                self.blind(column, usable);
            }
            self.skip();
            self.skip();
        }
        Lookups { joined, permuted }
    }

    /// The products of the permutation, then those of the lookups.
    fn products(&mut self, values: &[&[Fr]], lookups: &Lookups, challenges: &[Fr]) -> Vec<Numbers> {
        let (prover, columns) = (self.prover, self.prover.columns);
        let (rows, parameters) = (columns.rows, challenges);
        let inputs = Inputs { rows, columns: values, parameters };
        let permutation = prover.programs.permutation.evaluate(prover.backend, inputs);
        let pairs = lookups.joined.chunks(2).zip(lookups.permuted.chunks(2));
        let of_lookups: Vec<&[Fr]> = pairs
            .flat_map(|(joined, permuted)| joined.iter().chain(permuted))
            .map(Vec::as_slice)
            .collect();
        let inputs = Inputs { rows, columns: &of_lookups, parameters };
        let of_lookups = prover.programs.lookups.evaluate(prover.backend, inputs);

        let mut products = vec![];
        let mut first = Fr::ONE;
        for factors in self.fractions(permutation) {
            let mut product = running_product(first, &factors);
            first = product[columns.usable()];
            self.blind(&mut product, columns.usable() + 1);
            self.skip();
            products.push(product);
        }
        for factors in self.fractions(of_lookups) {
            let mut product = running_product(Fr::ONE, &factors);
            self.blind(&mut product, columns.usable() + 1);
            self.skip();
            products.push(product);
        }
        products
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

    /// From the quotient on: `witnessed` are the polynomials of advice, public inputs, products, and lookups'
    /// permuted columns.
    fn finish<E: EncodedChallenge<G1Affine>>(
        &mut self,
        witnessed: &[Numbers],
        mask: Numbers,
        challenges: &[Fr],
    ) -> Result<(), Error>
    where
        T: TranscriptWrite<G1Affine, E>,
    {
        let (prover, columns) = (self.prover, self.prover.columns);
        let mut polynomials = numbered(prover.of_key(self.pk), columns, witnessed);
        let evaluated: Vec<_> =
            polynomials.iter().map(|numbers| Coefficients::plain(numbers)).collect();
        let of_key: Vec<usize> = columns.of_key().collect();
        let pieces = prover.cosets.quotient(
            prover.backend,
            &prover.programs.constraints,
            Evaluated { polynomials: &evaluated, of_key: &of_key, challenges },
            self.watch,
        );
        pieces.iter().for_each(|_| self.skip());
        self.commit(&prover.monomial, &pieces)?;

        let x = self.challenge();
        let xn = x.pow_vartime([columns.rows as u64]);
        let weights: Vec<_> = powers(xn).take(pieces.len()).collect();
        let pieces: Vec<_> = pieces.iter().map(Vec::as_slice).collect();
        let quotient = combine(prover.backend, &weights, &pieces);
        polynomials.extend([quotient.as_slice(), &mask]);

        let root = prover.domain.root();
        let inverse = root.invert().expect("a root of unity");
        let point = |rotation: i32| {
            let base = if rotation < 0 { inverse } else { root };
            x * base.pow_vartime([u64::from(rotation.unsigned_abs())])
        };
        let quotient = Opening { polynomial: columns.quotient(), rotation: 0 };
        let all = prover.openings.written.par_iter().chain([&quotient]);
        let values = all.map(|opening| {
            let polynomial = polynomials[opening.polynomial];
            (*opening, prover.backend.value_at(polynomial, point(opening.rotation)))
        });
        let values: HashMap<Opening, Fr> = values.collect();
        for opening in &prover.openings.written {
            self.transcript.write_scalar(values[opening])?;
        }
        self.watch.lap(Phase::Openings, values.len());
        let (backend, polynomials) = (prover.backend, polynomials.as_slice());
        self.open(&Opened { backend, polynomials, values: &values, point: &point })
    }

    fn open<E: EncodedChallenge<G1Affine>>(&mut self, opened: &Opened<'_>) -> Result<(), Error>
    where
        T: TranscriptWrite<G1Affine, E>,
    {
        let prover = self.prover;
        let (y, v) = (self.challenge(), self.challenge());
        let quotients = Quotients::new(opened, &prover.openings.sets, y, v);
        self.watch.lap(Phase::Openings, 0);
        self.commit(&prover.monomial, std::slice::from_ref(&quotients.quotient))?;
        let u = self.challenge();
        let linear = quotients.linear(prover.backend, u);
        self.watch.lap(Phase::Openings, 0);
        self.commit(&prover.monomial, &[linear])
    }
}

/// All polynomials of the constraints by their columns' numbers: the key's, and those of the proof.
fn numbered<'a>(
    mut of_key: Vec<&'a [Fr]>,
    columns: Columns,
    witnessed: &'a [Numbers],
) -> Vec<&'a [Fr]> {
    let (cells, rest) = witnessed.split_at(columns.advice + columns.instance);
    let (products, permuted) = rest.split_at(columns.products + columns.lookups);
    let (products, of_lookups) = products.split_at(columns.products);
    let lookups = of_lookups.iter().zip(permuted.chunks(2)).flat_map(|(product, permuted)| {
        let mut parts: [&[Fr]; Columns::LOOKUP_PARTS] = [&[]; Columns::LOOKUP_PARTS];
        parts[Part::Product as usize] = product;
        parts[Part::Input as usize] = &permuted[0];
        parts[Part::Table as usize] = &permuted[1];
        parts
    });
    let not_fixed = of_key.split_off(columns.fixed);
    let cells = cells.iter().map(Vec::as_slice);
    let products = products.iter().map(Vec::as_slice);
    of_key.into_iter().chain(cells).chain(not_fixed).chain(products).chain(lookups).collect()
}
