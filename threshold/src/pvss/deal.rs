//! Dealing: a secret shared and encrypted, and the proofs, in the order of [`super::rounds`].

use ff::Field as _;
use group::Curve;
use rand_core::CryptoRngCore;
use rayon::prelude::*;

use super::{
    bases,
    range::{random_scalars, AtPoint, RangeProver},
    rounds::Rounds,
    session::Session,
    transcript::Parts,
    witness::{g2_multiples, h_multiples, Statement, Witness},
    Dealt, Equation, Error, Field, KeyKind, Place, SecretKeys, Variant,
};
use crate::{
    bls::random,
    pairing_curve::{add_in_lanes, multiply_g1, sum_points_g1, Fr, G1Affine, G2Affine, Secret},
};

/// Deals a secret other than zero, as player `dealer`.
///
/// # Errors
///
/// [`Error::BadSecret`] for zero, [`Error::UnknownPlayer`], or [`Error::OtherKey`] if the keys are not
/// that player's.
pub fn deal(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    secret: &Fr,
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let own = session.player(dealer)?;
    if own.bytes[1] != keys.signing_key() {
        return Err(Error::OtherKey { player: dealer, kind: KeyKind::Signing });
    }
    if bool::from(secret.is_zero()) {
        return Err(Error::BadSecret);
    }
    let witness = Witness::draw(session, secret, rng);
    let statement = Statement::new(session, &witness);
    prove(session, dealer, keys, &statement, &witness, rng)
}

/// Deals a random secret, which nobody learns, and forgets it.
///
/// # Errors
///
/// As [`deal`].
pub fn deal_random(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let secret: Secret<Fr> = Secret::new(random(rng));
    deal(session, dealer, keys, &secret, rng)
}

/// A nonce's scalars for the masks of the range commitment: of r and of Δ.
struct MaskNonce {
    scalars: Secret<[Fr; 2]>,
    point: G1Affine,
}

impl MaskNonce {
    fn new(session: &Session, rng: &mut impl CryptoRngCore) -> Self {
        let scalars = Secret::new([Fr::random(&mut *rng), Fr::random(rng)]);
        let parameters = session.parameters();
        let point = multiply_g1(&parameters.lagrange[0].into(), &scalars[0])
            + multiply_g1(&parameters.xi_g1.into(), &scalars[1]);
        Self { scalars, point: point.to_affine() }
    }

    /// The answers for r and Δ.
    fn respond(&self, challenge: &Fr, [first, shift]: [&Fr; 2]) -> [Fr; 2] {
        [self.scalars[0] + *challenge * first, self.scalars[1] + *challenge * shift]
    }
}

fn respond(nonces: &[Fr], challenge: &Fr, secrets: &[Fr]) -> Vec<Fr> {
    nonces.iter().zip(secrets).map(|(nonce, secret)| *nonce + *challenge * secret).collect()
}

/// Proves a statement, and signs it.
pub(super) fn prove(
    session: &Session,
    dealer: usize,
    keys: &SecretKeys,
    statement: &Statement,
    witness: &Witness,
    rng: &mut impl CryptoRngCore,
) -> Result<Dealt, Error> {
    let parameters = session.parameters();
    let bits = session.shape().chunk_bits() as usize;
    let compact = session.shape().variant() == Variant::Compact;
    let mut writer = Parts::blank(&session.layout);
    let mut rounds = Rounds::new(session, dealer);

    writer.put_g2(Field::Secret, &[statement.secret]);
    writer.put_g2(Field::Shares, &statement.shares);
    writer.put_g1(Field::Ciphertexts, &statement.ciphertexts);
    writer.put_g1(Field::Randomness, &statement.randomness);
    let (mut range, made) = RangeProver::new(parameters, &witness.chunks, bits, rng);
    writer.put_g1(Field::Commitment, &[made.commitment]);
    writer.put_g1(Field::Shifted, &[made.shifted]);
    let masks = MaskNonce::new(session, rng);
    writer.put_g1(Field::MasksNonce, &[masks.point]);
    if let Some(challenge) = rounds.masks(&writer) {
        writer.put_scalars(Field::MasksResponses, &masks.respond(&challenge, range.masks()));
    }
    writer.put_g1(Field::Bits, &made.bits);
    let (beta, betas) = rounds.bits(&writer);
    writer.put_g1(Field::Quotient, &[range.quotient(&beta, &betas)]);
    let zeta = rounds.point(&writer);
    // A challenge within the domain has a probability of 2^-240; nobody would accept the dealing.
    let refused = Error::Refused { dealer, equation: Equation::Range, place: Place::default() };
    let at = AtPoint::new(&parameters.transform, &zeta).ok_or(refused)?;
    let evaluations = range.evaluate(&at);
    writer.put_scalars(Field::Evaluations, &evaluations);
    let nonces = random_scalars(witness.randomness.len(), rng);
    writer.put_g1(Field::RandomnessNonces, &h_multiples(&nonces));
    if compact {
        let binding = binding_nonce(session, &at, &masks.scalars[0], &nonces);
        writer.put_g1(Field::BindingNonce, &[binding]);
    }
    let (mus, link) = rounds.opening(&writer);
    writer.put_g1(Field::Opening, &range.open(&at, &zeta, &mus, &evaluations, rng));
    let link = match link {
        Some(link) => {
            writer.put_scalars(Field::MasksResponses, &masks.respond(&link, range.masks()));
            link
        }
        None => prove_chunks(session, witness, (&mut writer, &mut rounds), &nonces, &range, rng),
    };
    let responses = respond(&nonces, &link, &witness.randomness);
    writer.put_scalars(Field::RandomnessResponses, &responses);
    writer.sign(session, dealer, keys)
}

/// A₃ = α_r L₀(ζ)·G − Σ αⱼₖ Eⱼₖ, with Σ αⱼₖ Eⱼₖ = Σᵢ (Σ αⱼₖ L_idx(ζ))·ekᵢ.
fn binding_nonce(session: &Session, at: &AtPoint, first: &Fr, nonces: &[Fr]) -> G1Affine {
    let mut sums = Secret::new(vec![Fr::ZERO; session.shape().players()]);
    for (place, value) in session.places.iter().zip(&at.lagrange[1..]) {
        sums[place.player] += nonces[session.shape().randomness(place)] * value;
    }
    let products = session.key_multiples_each(&sums);
    let points: Vec<G1Affine> = products.iter().map(G1Affine::from).collect();
    let base = multiply_g1(&bases::g().into(), &(at.lagrange[0] * first));
    (base - sum_points_g1(&points)).to_affine()
}

/// The Σ-protocol of the published variants: a nonce and an answer for every chunk.
fn prove_chunks(
    session: &Session,
    witness: &Witness,
    (writer, rounds): (&mut Parts, &mut Rounds),
    nonces: &[Fr],
    range: &RangeProver<'_>,
    rng: &mut impl CryptoRngCore,
) -> Fr {
    let alphas = random_scalars(session.shape().total_chunks(), rng);
    let blinder = Secret::new(Fr::random(rng));
    writer.put_g1(Field::CiphertextNonces, &ciphertext_nonces(session, &alphas, nonces));
    writer.put_g1(Field::CommitmentNonce, &[commitment_nonce(session, &alphas, &blinder)]);
    if session.shape().variant() == Variant::Chunky2 {
        writer.put_g2(Field::ShareNonces, &share_nonces(session, &alphas));
    }
    let link = rounds.link(writer);
    writer.put_scalars(Field::ChunkResponses, &respond(&alphas, &link, &witness.values));
    writer.put_scalars(Field::BlinderResponse, &[*blinder + link * range.blinder()]);
    link
}

/// Aᵢⱼₖ = αᵢⱼₖ·G + αⱼₖ·ekᵢ.
fn ciphertext_nonces(session: &Session, alphas: &[Fr], nonces: &[Fr]) -> Vec<G1Affine> {
    let masks = session.key_multiples(nonces);
    let blocks = masks.par_chunks(256).zip(alphas.par_chunks(256));
    blocks
        .flat_map_iter(|(masks, alphas)| {
            let mut sums = bases::G.multiply(alphas);
            add_in_lanes(&mut sums, |lane| masks[lane]);
            sums.iter().map(G1Affine::from).collect::<Vec<_>>()
        })
        .collect()
}

/// A_C = α_ρ·[ξ]₁ + Σ α_idx·[L_idx(τ)]₁.
fn commitment_nonce(session: &Session, alphas: &[Fr], blinder: &Fr) -> G1Affine {
    let parameters = session.parameters();
    let sum = parameters.lagrange_sum(1, alphas);
    (sum + multiply_g1(&parameters.xi_g1.into(), blinder)).to_affine()
}

/// A^V = (Σₖ Bᵏ⁻¹ αᵢⱼₖ)·g₂.
fn share_nonces(session: &Session, alphas: &[Fr]) -> Vec<G2Affine> {
    let powers = session.shape().radix_powers();
    let sum = |alphas: &[Fr]| alphas.iter().zip(&powers).map(|(a, power)| *a * power).sum();
    let sums: Secret<Vec<Fr>> = Secret::new(alphas.chunks_exact(powers.len()).map(sum).collect());
    g2_multiples(&sums)
}
