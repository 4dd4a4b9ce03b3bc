//! A dealer of its own, plain and slow: its polynomials have whatever values they are given on the domain, and
//! all that is said about them is made as well as can be.

use ff::Field as _;
use group::{prime::PrimeCurveAffine, Curve};
use rand_chacha::ChaCha20Rng;

use super::support::{rng, Stage};
use crate::{
    pairing_curve::{multiply_g1, multiply_g2, sum_g1, Fr, G1Affine, G1Projective, G2Affine},
    pvss::{
        bases,
        range::AtPoint,
        rounds::Rounds,
        transcript::Parts,
        witness::{Statement, Witness},
        Dealt, Field, Variant,
    },
};

/// What player 2 proves, and about what.
pub(super) struct Forger<'a> {
    pub(super) stage: &'a Stage,
    pub(super) statement: Statement,
    /// What the ciphertexts hold, and their randomness.
    pub(super) witness: Witness,
    /// f on the domain, which C commits to. Its value at 1 comes first.
    pub(super) committed: Vec<Fr>,
    /// fⱼ on the domain but at 1.
    pub(super) digits: Vec<Vec<Fr>>,
    /// Whether v_h is what meets the equation of the evaluations, whatever h is.
    pub(super) fitted: bool,
}

/// The values of a polynomial on the domain, and the blinder of its commitment.
struct Polynomial {
    values: Vec<Fr>,
    blinder: Fr,
}

impl Polynomial {
    fn commit(&self, stage: &Stage) -> G1Affine {
        let parameters = stage.session.parameters();
        let sum = sum_g1(&parameters.lagrange, &self.values);
        (sum + multiply_g1(&parameters.xi_g1.into(), &self.blinder)).to_affine()
    }

    fn at(&self, point: &AtPoint) -> Fr {
        self.values.iter().zip(&point.lagrange).map(|(value, factor)| *value * factor).sum()
    }

    /// Coefficients, lowest first.
    fn coefficients(&self, stage: &Stage) -> Vec<Fr> {
        let transform = &stage.session.parameters().transform;
        let mut all = vec![Fr::ZERO; self.values.len()];
        transform.inverse_unscaled(&self.values, &mut all);
        all.iter().map(|coefficient| *coefficient * transform.scale()).collect()
    }
}

/// What an opening is told of what it opens.
struct Opened<'a> {
    zeta: Fr,
    /// The factors of the polynomials.
    mus: &'a [Fr],
    /// Their evaluations, as the proof has them.
    stated: &'a [Fr],
}

/// All polynomials of a range proof.
struct Range {
    first: Fr,
    shift: Fr,
    committed: Polynomial,
    shifted: Polynomial,
    digits: Vec<Polynomial>,
}

impl Range {
    fn new(forger: &Forger<'_>, rng: &mut ChaCha20Rng) -> Self {
        let mut random = || Fr::random(&mut *rng);
        let (first, shift, blinder) = (random(), random(), random());
        let mut values = forger.committed.clone();
        let committed = Polynomial { values: values.clone(), blinder };
        values[0] += first;
        let shifted = Polynomial { values, blinder: blinder + shift };
        let digit = |own: &Vec<Fr>| {
            let values = [&[random()][..], own].concat();
            Polynomial { values, blinder: random() }
        };
        let digits = forger.digits.iter().map(digit).collect();
        Self { first, shift, committed, shifted, digits }
    }

    /// h: what division by Z* leaves, of β (f̂ − Σ 2ʲ fⱼ) + Σ βⱼ fⱼ (fⱼ − 1). There may be a remainder, which
    /// is dropped.
    fn quotient(&self, stage: &Stage, beta: Fr, betas: &[Fr], blinder: Fr) -> Polynomial {
        let size = self.shifted.values.len();
        let mut numerator = vec![Fr::ZERO; 2 * size];
        for (sum, own) in numerator.iter_mut().zip(self.shifted.coefficients(stage)) {
            *sum += beta * own;
        }
        let mut power = beta;
        for (digit, factor) in self.digits.iter().zip(betas) {
            let own = digit.coefficients(stage);
            for (i, a) in own.iter().enumerate() {
                numerator[i] -= *a * (power + factor);
                own.iter().enumerate().for_each(|(j, b)| numerator[i + j] += *factor * a * b);
            }
            power = power.double();
        }
        // By (X^M − 1) / (X − 1): times X − 1, of which the upper half is what X^M goes into.
        let times = |k: usize| numerator[k - 1] - numerator.get(k).unwrap_or(&Fr::ZERO);
        let coefficients: Vec<Fr> = (size..2 * size).map(times).collect();
        let mut values = vec![Fr::ZERO; size];
        stage.session.parameters().transform.forward(&coefficients, &mut values);
        Polynomial { values, blinder }
    }

    /// f̂, h and fⱼ, in the order of the evaluations.
    fn all<'a>(&'a self, quotient: &'a Polynomial) -> impl Iterator<Item = &'a Polynomial> {
        [&self.shifted, quotient].into_iter().chain(&self.digits)
    }
}

/// v_h that meets its equation with the other evaluations.
fn fit(values: &mut [Fr], point: &AtPoint, zeta: Fr, beta: Fr, betas: &[Fr]) {
    let composed = values[2..].iter().rev().fold(Fr::ZERO, |sum, value| sum.double() + value);
    let bits = values[2..].iter().zip(betas);
    let products: Fr = bits.map(|(value, factor)| *factor * value * (*value - Fr::ONE)).sum();
    let numerator = beta * (values[0] - composed) + products;
    values[1] = numerator * (zeta - Fr::ONE) * point.vanishing.invert().unwrap();
}

/// Σ sᵢPᵢ.
fn sum(terms: &[(Fr, G1Affine)]) -> G1Affine {
    let products = terms.iter().map(|(scalar, point)| multiply_g1(&(*point).into(), scalar));
    products.sum::<G1Projective>().to_affine()
}

fn respond(nonces: &[Fr], challenge: Fr, secrets: &[Fr]) -> Vec<Fr> {
    nonces.iter().zip(secrets).map(|(nonce, secret)| *nonce + challenge * secret).collect()
}

impl<'a> Forger<'a> {
    /// Who proves what is so.
    pub(super) fn honest(stage: &'a Stage, witness: Witness) -> Self {
        let size = stage.session.parameters().domain();
        let padded = |values: &mut dyn Iterator<Item = Fr>, size| {
            values.chain(std::iter::repeat(Fr::ZERO)).take(size).collect::<Vec<Fr>>()
        };
        let committed = padded(&mut [Fr::ZERO].into_iter().chain(witness.values.to_vec()), size);
        let digit = |bit: u32| {
            let bits = witness.chunks.iter().map(|chunk| Fr::from(u64::from(chunk >> bit & 1)));
            padded(&mut bits.collect::<Vec<_>>().into_iter(), size - 1)
        };
        let digits = (0..stage.session.shape().chunk_bits()).map(digit).collect();
        let statement = Statement::new(&stage.session, &witness);
        Self { stage, statement, witness, committed, digits, fitted: false }
    }

    pub(super) fn deal(&self) -> Dealt {
        let (session, mut rng) = (&self.stage.session, rng(31));
        let parameters = session.parameters();
        let (mut writer, mut rounds) = (Parts::blank(&session.layout), Rounds::new(session, 2));
        writer.put_g2(Field::Secret, &[self.statement.secret]);
        writer.put_g2(Field::Shares, &self.statement.shares);
        writer.put_g1(Field::Ciphertexts, &self.statement.ciphertexts);
        writer.put_g1(Field::Randomness, &self.statement.randomness);
        let range = Range::new(self, &mut rng);
        let mut random =
            |count: usize| -> Vec<Fr> { (0..count).map(|_| Fr::random(&mut rng)).collect() };
        writer.put_g1(Field::Commitment, &[range.committed.commit(self.stage)]);
        writer.put_g1(Field::Shifted, &[range.shifted.commit(self.stage)]);
        let (masks, secrets) = (random(2), [range.first, range.shift]);
        let bases = [parameters.lagrange[0], parameters.xi_g1];
        writer.put_g1(Field::MasksNonce, &[sum(&[(masks[0], bases[0]), (masks[1], bases[1])])]);
        if let Some(challenge) = rounds.masks(&writer) {
            writer.put_scalars(Field::MasksResponses, &respond(&masks, challenge, &secrets));
        }
        let digits: Vec<_> = range.digits.iter().map(|digit| digit.commit(self.stage)).collect();
        writer.put_g1(Field::Bits, &digits);
        let (beta, betas) = rounds.bits(&writer);
        let quotient = range.quotient(self.stage, beta, &betas, random(1)[0]);
        writer.put_g1(Field::Quotient, &[quotient.commit(self.stage)]);
        let zeta = rounds.point(&writer);
        let point = AtPoint::new(&parameters.transform, &zeta).unwrap();
        let mut values: Vec<Fr> = range.all(&quotient).map(|own| own.at(&point)).collect();
        if self.fitted {
            fit(&mut values, &point, zeta, beta, &betas);
        }
        writer.put_scalars(Field::Evaluations, &values);
        let nonces = random(self.witness.randomness.len());
        let points: Vec<_> = nonces.iter().map(|nonce| sum(&[(*nonce, bases::h())])).collect();
        writer.put_g1(Field::RandomnessNonces, &points);
        if session.shape().variant() == Variant::Compact {
            let nonce = self.binding_nonce(&point, masks[0], &nonces);
            writer.put_g1(Field::BindingNonce, &[nonce]);
        }
        let (mus, link) = rounds.opening(&writer);
        let opening = self.open(
            &range,
            &quotient,
            &point,
            Opened { zeta, mus: &mus, stated: &values },
            random(1)[0],
        );
        writer.put_g1(Field::Opening, &opening);
        if let Some(link) = link {
            writer.put_scalars(Field::MasksResponses, &respond(&masks, link, &secrets));
        }
        let link = link.unwrap_or_else(|| {
            let alphas = random(self.witness.values.len() + 1);
            self.prove_chunks(&mut writer, &mut rounds, &alphas, &nonces, range.committed.blinder)
        });
        let responses = respond(&nonces, link, &self.witness.randomness);
        writer.put_scalars(Field::RandomnessResponses, &responses);
        writer.sign(session, 2, &self.stage.keys[1]).unwrap()
    }

    /// A₃ = α_r L₀(ζ)·G − Σ αⱼₖ Eⱼₖ.
    fn binding_nonce(&self, point: &AtPoint, first: Fr, nonces: &[Fr]) -> G1Affine {
        let session = &self.stage.session;
        let keys = session.encryption_keys();
        let mut terms = vec![(first * point.lagrange[0], bases::g())];
        for (place, value) in session.places.iter().zip(&point.lagrange[1..]) {
            let nonce = nonces[session.shape().randomness(place)];
            terms.push((-(nonce * value), keys[place.player]));
        }
        sum(&terms)
    }

    /// π₁ and π₂ for u = μf̂ + μ_h h + Σ μⱼ fⱼ and the value that the evaluations give it.
    fn open(
        &self,
        range: &Range,
        quotient: &Polynomial,
        point: &AtPoint,
        Opened { zeta, mus, stated }: Opened<'_>,
        mask: Fr,
    ) -> [G1Affine; 2] {
        let parameters = self.stage.session.parameters();
        let value: Fr = mus.iter().zip(stated).map(|(mu, value)| *mu * value).sum();
        let (mut values, mut blinder) = (vec![-value; parameters.domain()], Fr::ZERO);
        for (own, mu) in range.all(quotient).zip(mus) {
            values.iter_mut().zip(&own.values).for_each(|(sum, value)| *sum += *mu * value);
            blinder += *mu * own.blinder;
        }
        values.iter_mut().zip(&point.inverses).for_each(|(value, factor)| *value *= -*factor);
        let first = Polynomial { values, blinder: mask }.commit(self.stage);
        let one = G1Affine::generator();
        [first, sum(&[(blinder + mask * zeta, one), (-mask, parameters.tau_g1)])]
    }

    /// The Σ-protocol of the published variants; its last nonce is the blinder's.
    fn prove_chunks(
        &self,
        writer: &mut Parts,
        rounds: &mut Rounds,
        alphas: &[Fr],
        nonces: &[Fr],
        blinder: Fr,
    ) -> Fr {
        let session = &self.stage.session;
        let (parameters, shape) = (session.parameters(), session.shape());
        let keys = session.encryption_keys();
        let nonce = |(place, alpha): (&crate::pvss::shape::ChunkPlace, &Fr)| {
            sum(&[(*alpha, bases::g()), (nonces[shape.randomness(place)], keys[place.player])])
        };
        let points: Vec<_> = session.places.iter().zip(alphas).map(nonce).collect();
        writer.put_g1(Field::CiphertextNonces, &points);
        let count = points.len();
        let mut terms: Vec<(Fr, G1Affine)> =
            alphas[..count].iter().copied().zip(parameters.lagrange[1..].to_vec()).collect();
        terms.push((alphas[count], parameters.xi_g1));
        writer.put_g1(Field::CommitmentNonce, &[sum(&terms)]);
        if shape.variant() == Variant::Chunky2 {
            let powers = shape.radix_powers();
            let share = |alphas: &[Fr]| -> G2Affine {
                let whole: Fr = alphas.iter().zip(&powers).map(|(a, power)| *a * power).sum();
                multiply_g2(&G2Affine::generator().into(), &whole).to_affine()
            };
            let points: Vec<_> = alphas[..count].chunks_exact(powers.len()).map(share).collect();
            writer.put_g2(Field::ShareNonces, &points);
        }
        let link = rounds.link(writer);
        let responses = respond(alphas, link, &self.witness.values);
        writer.put_scalars(Field::ChunkResponses, &responses);
        writer.put_scalars(Field::BlinderResponse, &[alphas[count] + link * blinder]);
        link
    }
}
