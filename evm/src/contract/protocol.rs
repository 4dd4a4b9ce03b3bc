//! What a contract has to check for a key: snark-verifier's protocol, put into the order of work.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine},
    ff::Field,
};
use serde::Deserialize;
use snark_verifier::system::halo2::{compile, Config};

use super::key::ContractKey;
use crate::Error;

/// Bytes of a word.
pub(super) const WORD: usize = 32;
/// Bytes of a point.
pub(super) const POINT: usize = 64;

/// An evaluation of a polynomial at a rotation of the challenge x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub(super) struct Query {
    pub(super) poly: usize,
    pub(super) rotation: i32,
}

/// A polynomial that every verifier can evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Common {
    /// x itself.
    Identity,
    /// The Lagrange polynomial of a row; negative ones count from the end.
    Lagrange(i32),
}

/// snark-verifier's expressions, which it exposes only in serialized form.
#[derive(Clone, Debug, Deserialize)]
pub(super) enum Expression {
    Constant(Fr),
    CommonPolynomial(Common),
    Polynomial(Query),
    Challenge(usize),
    Negated(Box<Expression>),
    Sum(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Scaled(Box<Expression>, Fr),
    DistributePowers(Vec<Expression>, Box<Expression>),
}

/// How many points the transcript absorbs, and how many challenges it then gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) points: usize,
    pub(super) challenges: usize,
}

/// Polynomials that are opened at the same rotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpeningSet {
    pub(super) rotations: Vec<i32>,
    pub(super) polys: Vec<usize>,
}

/// A commitment by where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commitment {
    /// Of the key.
    Key(G1Affine),
    /// Of the proof, at this place in calldata.
    Proof(usize),
    /// Of the quotient, whose pieces lie in calldata.
    Quotient,
}

/// A constraint, and its name.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) name: String,
    pub(super) expression: Expression,
}

/// What a contract has to check.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    /// Number of public inputs, which calldata begins with.
    pub(super) public_inputs: usize,
    /// log₂ of the rows.
    pub(super) k: usize,
    /// Generator of the domain, and its inverse.
    omega: [Fr; 2],
    /// 1 / 2^k.
    pub(super) n_inv: Fr,
    /// What the transcript begins with.
    pub(super) initial_state: Fr,
    /// The rounds up to the challenge x; the pieces of the quotient are the last one's points.
    pub(super) rounds: Vec<Round>,
    /// The evaluations of the proof, in order.
    pub(super) evaluations: Vec<Query>,
    /// What is opened, in the order of the powers of the challenges.
    pub(super) sets: Vec<OpeningSet>,
    /// The constraints, in the order of falling powers of the challenge alpha.
    pub(super) constraints: Vec<Constraint>,
    key_points: Vec<G1Affine>,
    quotient_pieces: usize,
}

impl Protocol {
    /// The protocol of a key.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`] for a protocol of another kind than Muster's circuits have.
    pub(super) fn new(key: &ContractKey<'_>) -> Result<Self, Error> {
        let public_inputs = key.shape.public_inputs();
        let config = Config::kzg().with_num_instance(vec![public_inputs]);
        let found = compile(key.params, key.vk, config);
        let unknown = |what: &str| Error::Contract(format!("the protocol of the key: {what}"));
        let numerator = serde_json::to_value(&found.quotient.numerator)
            .and_then(serde_json::from_value)
            .map_err(|error| unknown(&error.to_string()))?;
        let Expression::DistributePowers(expressions, _) = numerator else {
            return Err(unknown("the numerator of the quotient is not a sum of powers"));
        };
        if found.quotient.chunk_degree != 1 || found.instance_committing_key.is_some() {
            return Err(unknown("pieces of the quotient, or committed public inputs"));
        }
        let query = |poly: usize, rotation: i32| Query { poly, rotation };
        let queries: Vec<_> =
            found.queries.iter().map(|found| query(found.poly, found.rotation.0)).collect();
        let evaluations =
            found.evaluations.iter().map(|found| query(found.poly, found.rotation.0)).collect();
        let mut rounds = vec![];
        let quotient_pieces = found.quotient.num_chunk();
        let witness = found.num_witness.iter().zip(&found.num_challenge);
        let last = (&quotient_pieces, &1);
        let mut points = 0;
        for (count, challenges) in witness.chain([last]) {
            points += count;
            // Without a challenge the transcript just goes on.
            if *challenges > 0 {
                rounds.push(Round { points: std::mem::take(&mut points), challenges: *challenges });
            }
        }
        let initial_state = found.transcript_initial_state;
        Ok(Self {
            public_inputs,
            k: found.domain.k,
            omega: [found.domain.r#gen, found.domain.gen_inv],
            n_inv: found.domain.n_inv,
            initial_state: initial_state.ok_or_else(|| unknown("no digest of the key"))?,
            rounds,
            evaluations,
            sets: opening_sets(&queries),
            constraints: name(key, expressions),
            key_points: found.preprocessed,
            quotient_pieces,
        })
    }

    /// The generator of the domain to the power of a rotation.
    pub(super) fn omega(&self, rotation: i32) -> Fr {
        let base = self.omega[usize::from(rotation < 0)];
        base.pow_vartime([u64::from(rotation.unsigned_abs())])
    }

    /// Where the proof begins in calldata: after the public inputs.
    pub(super) fn proof(&self) -> usize {
        WORD * self.public_inputs
    }

    /// The polynomial of the public inputs.
    pub(super) fn instance(&self) -> usize {
        self.key_points.len()
    }

    /// The quotient polynomial.
    pub(super) fn quotient(&self) -> Query {
        Query { poly: self.instance() + 1 + self.witness_points(), rotation: 0 }
    }

    /// Number of challenges of the rounds, of which x is the last.
    pub(super) fn challenges(&self) -> usize {
        self.rounds.iter().map(|round| round.challenges).sum()
    }

    /// Points of the proof before the pieces of the quotient.
    fn witness_points(&self) -> usize {
        self.rounds.iter().map(|round| round.points).sum::<usize>() - self.quotient_pieces
    }

    /// Places of the pieces of the quotient in calldata.
    pub(super) fn quotient_pieces(&self) -> Vec<usize> {
        let first = self.witness_points();
        (first..first + self.quotient_pieces).map(|piece| self.proof() + POINT * piece).collect()
    }

    /// Places in calldata of the points of the proof that the constraints are about.
    pub(super) fn witnesses(&self) -> Vec<usize> {
        (0..self.witness_points()).map(|point| self.proof() + POINT * point).collect()
    }

    /// Where a polynomial's commitment comes from.
    pub(super) fn commitment(&self, poly: usize) -> Commitment {
        match poly {
            poly if poly < self.key_points.len() => Commitment::Key(self.key_points[poly]),
            poly if poly == self.quotient().poly => Commitment::Quotient,
            poly => Commitment::Proof(self.proof() + POINT * (poly - self.instance() - 1)),
        }
    }

    /// Place of the first evaluation in calldata.
    pub(super) fn first_evaluation(&self) -> usize {
        self.proof() + POINT * (self.witness_points() + self.quotient_pieces)
    }

    /// Place of an evaluation in calldata, if the proof has it.
    pub(super) fn evaluation(&self, query: Query) -> Option<usize> {
        let place = self.evaluations.iter().position(|found| *found == query)?;
        Some(self.first_evaluation() + WORD * place)
    }

    /// Place of the point W, the commitment to the openings' quotient; W′ follows it.
    pub(super) fn opening(&self) -> usize {
        self.first_evaluation() + WORD * self.evaluations.len()
    }

    /// Length of the calldata.
    pub(super) fn calldata(&self) -> usize {
        self.opening() + 2 * POINT
    }

    /// All rotations at which something is opened, in order.
    pub(super) fn rotations(&self) -> Vec<i32> {
        let mut all: Vec<_> = self.sets.iter().flat_map(|set| &set.rotations).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Polynomials by the rotations that they are opened at. Order matters for the powers of the
/// challenges: polynomials and sets stand in the order of their first query.
fn opening_sets(queries: &[Query]) -> Vec<OpeningSet> {
    let mut polys: Vec<(usize, Vec<i32>)> = vec![];
    for query in queries {
        match polys.iter_mut().find(|(poly, _)| *poly == query.poly) {
            None => polys.push((query.poly, vec![query.rotation])),
            Some((_, rotations)) if !rotations.contains(&query.rotation) => {
                rotations.push(query.rotation);
            }
            Some(_) => {}
        }
    }
    let mut sets: Vec<OpeningSet> = vec![];
    for (poly, mut rotations) in polys {
        rotations.sort_unstable();
        match sets.iter_mut().find(|set| set.rotations == rotations) {
            None => sets.push(OpeningSet { rotations, polys: vec![poly] }),
            Some(set) => set.polys.push(poly),
        }
    }
    sets
}

/// Names constraints: those of gates have names, those of arguments come in halo2's order.
fn name(key: &ContractKey<'_>, expressions: Vec<Expression>) -> Vec<Constraint> {
    let gates = key.vk.cs().gates().iter();
    let gates = gates.flat_map(|gate| {
        let each = (0..gate.polynomials().len()).map(|index| gate.constraint_name(index));
        each.map(|name| match name {
            "" => gate.name().to_owned(),
            name => format!("{}: {name}", gate.name()),
        })
    });
    let mut names: Vec<_> = gates.collect();
    let lookups = key.vk.cs().lookups().len();
    let parts = LOOKUP.len() * lookups;
    // Two at the ends, one for each product, one between each two.
    let products = expressions.len().saturating_sub(names.len() + parts) / 2;
    names
        .extend(["permutation: starts at one", "permutation: ends at one or zero"].map(Into::into));
    names.extend((1..products).map(|number| format!("permutation: goes on in product {number}")));
    names.extend((0..products).map(|number| format!("permutation: product {number}")));
    names.extend(
        (0..lookups)
            .flat_map(|number| LOOKUP.iter().map(move |part| format!("lookup {number}: {part}"))),
    );
    let names = names.into_iter().chain(std::iter::repeat("argument".to_owned()));
    let named = names.zip(expressions);
    named.map(|(name, expression)| Constraint { name, expression }).collect()
}

/// The constraints of a lookup.
const LOOKUP: [&str; 5] =
    ["starts at one", "ends at one or zero", "product", "first row", "same as in table or before"];
