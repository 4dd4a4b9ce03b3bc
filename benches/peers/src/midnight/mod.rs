//! midnight-zk-stdlib: its chips on BLS12-381, KZG, Blake2b transcript.

mod count;
mod ed25519;
mod foreign;
mod quorum;
mod schnorr;
mod threshold;
mod tree;

use midnight_curves::Bls12;
use midnight_proofs::poly::kzg::params::ParamsKZG;
use midnight_zk_stdlib::{
    optimal_k, prove, setup_pk, setup_vk, verify, MidnightCircuit, MidnightPK, MidnightVK, Relation,
};
use rand::rngs::OsRng;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::error::PeerError;
use crate::measure::{Prover, Shape};
use crate::sample::SEED;
use crate::usage::Usage;

pub(crate) use ed25519::Ed25519;
pub(crate) use foreign::SchnorrSecp256k1;
pub(crate) use quorum::QuorumJubjub;
pub(crate) use schnorr::SchnorrJubjub;
pub(crate) use threshold::ThresholdEcdsa;
pub(crate) use tree::PoseidonTree;

/// The native field: the scalars of BLS12-381.
type F = midnight_curves::Fq;
/// Fiat-Shamir by Blake2b, as in the library's examples and as on the other peer's side.
type Hash = blake2b_simd::State;

/// A relation with one true instance, its witness, and a false instance beside it.
pub(crate) struct Sample<R: Relation> {
    pub(crate) relation: R,
    pub(crate) instance: R::Instance,
    pub(crate) false_instance: R::Instance,
    pub(crate) witness: R::Witness,
}

/// A sample with an SRS of its size; the keys come with [`Prover::keygen`].
pub(crate) struct MidnightProver<R: Relation> {
    sample: Sample<R>,
    srs: ParamsKZG<Bls12>,
    keys: Option<(MidnightVK, MidnightPK<R>)>,
}

impl<R: Relation> MidnightProver<R> {
    /// Makes an insecure SRS of 2^`degree` rows, by default as many as the library finds optimal.
    pub(crate) fn new(sample: Sample<R>, degree: Option<u32>) -> Self {
        let degree = degree.unwrap_or_else(|| optimal_k(&sample.relation));
        let srs = ParamsKZG::unsafe_setup(degree, ChaCha20Rng::seed_from_u64(SEED));
        Self { sample, srs, keys: None }
    }

    fn keys(&self) -> Result<&(MidnightVK, MidnightPK<R>), PeerError> {
        self.keys.as_ref().ok_or(PeerError::Proof {
            step: "proving",
            reason: "the keys were not made".to_owned(),
        })
    }
}

impl<R: Relation> Prover for MidnightProver<R> {
    fn keygen(&mut self) -> Result<Shape, PeerError> {
        let verifying_key = setup_vk(&self.srs, &self.sample.relation);
        let proving_key = setup_pk(&self.sample.relation, &verifying_key);
        let system = verifying_key.vk().cs();
        let shape = Shape {
            degree: u32::from(verifying_key.k()),
            advice: system.num_advice_columns(),
            lookup: system.lookups().len(),
            fixed: system.num_fixed_columns(),
        };
        self.keys = Some((verifying_key, proving_key));
        Ok(shape)
    }

    fn prove(&self) -> Result<Vec<u8>, PeerError> {
        let (_, proving_key) = self.keys()?;
        let Sample { relation, instance, witness, .. } = &self.sample;
        prove::<R, Hash>(&self.srs, proving_key, relation, instance, witness.clone(), OsRng)
            .map_err(PeerError::at("proving"))
    }

    fn verify(&self, proof: &[u8], tampered: bool) -> bool {
        let Ok((verifying_key, _)) = self.keys() else { return false };
        let Sample { instance, false_instance, .. } = &self.sample;
        let instance = if tampered { false_instance } else { instance };
        verify::<R, Hash>(&self.srs.verifier_params(), verifying_key, instance, None, proof).is_ok()
    }

    fn usage(&self) -> Result<Usage, PeerError> {
        let (verifying_key, _) = self.keys()?;
        let degree = u32::from(verifying_key.k());
        count::count(&MidnightCircuit::from_relation(&self.sample.relation, Some(degree)))
    }
}

/// Relations are parameterised by one count, which is what is written beside a proving key.
fn write_count(writer: &mut impl std::io::Write, count: usize) -> std::io::Result<()> {
    writer.write_all(&(count as u64).to_le_bytes())
}

/// The other half of [`write_count`].
fn read_count(reader: &mut impl std::io::Read) -> std::io::Result<usize> {
    let mut bytes = [0; 8];
    reader.read_exact(&mut bytes)?;
    usize::try_from(u64::from_le_bytes(bytes)).map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use ff::Field;
    use midnight_curves::k256::{Fq, K256};

    use super::*;

    /// Whether a proof made from this witness convinces the verifier.
    fn convinces<R: Relation>(sample: Sample<R>) -> bool {
        let mut prover = MidnightProver::new(sample, None);
        assert!(prover.keygen().is_ok());
        prover.prove().is_ok_and(|proof| prover.verify(&proof, false))
    }

    #[test]
    fn a_signature_of_another_key_is_refused() {
        let mut sample = SchnorrJubjub::sample(2);
        sample.witness.swap(0, 1);
        assert!(!convinces(sample));
    }

    #[test]
    fn a_signer_that_counts_twice_is_refused() {
        let mut sample = QuorumJubjub::sample(2);
        sample.witness[1] = sample.witness[0].clone();
        assert!(!convinces(sample));
    }

    #[test]
    fn a_quorum_out_of_order_is_refused() {
        let mut sample = QuorumJubjub::sample(2);
        sample.witness.swap(0, 1);
        assert!(!convinces(sample));
    }

    #[test]
    fn a_foreign_signature_with_another_scalar_is_refused() {
        let mut sample = SchnorrSecp256k1::sample(1);
        sample.witness[0] += Fq::ONE;
        assert!(!convinces(sample));
    }

    #[test]
    fn an_ed25519_signature_with_another_s_is_refused() {
        let mut sample = Ed25519::sample(1);
        sample.witness[0].1[0] ^= 1;
        assert!(!convinces(sample));
    }

    /// The golden file of the library's example: k = 16, 57563 rows, 9 advice columns.
    #[test]
    fn threshold_ecdsa_is_the_librarys_example() {
        let model = midnight_zk_stdlib::cost_model(&ThresholdEcdsa::sample(4, 5).relation, None);
        assert_eq!((model.k, model.rows, model.advice_columns), (16, 57563, 9));
    }

    #[test]
    fn a_threshold_signature_with_another_scalar_is_refused() {
        let mut sample = ThresholdEcdsa::sample(1, 2);
        sample.witness[0].s += Fq::ONE;
        assert!(!convinces(sample));
    }

    /// What the README warns of: one of two secrets is enough, since the factor is a constant. The
    /// second member's terms cancel out, and the first one's answer for the digest of both.
    #[test]
    fn threshold_ecdsa_takes_a_proof_by_fewer_signers() {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        let [digest, secret, u, v] = [(); 4].map(|()| Fq::random(&mut rng));
        let victim = K256::generator() * Fq::random(&mut rng);
        let invert = |number: Fq| number.invert().unwrap_or(Fq::ZERO);

        let factors = threshold::factors(2);
        let own_nonce = K256::generator() * u;
        let owed =
            factors[0] * threshold::r(&own_nonce) * secret + (factors[0] + factors[1]) * digest;
        let own = threshold::Signer {
            key: K256::generator() * secret,
            s: owed * invert(factors[0] * u),
            nonce_point: own_nonce,
        };
        let victims_nonce = victim * v;
        let forged = threshold::Signer {
            key: victim,
            s: threshold::r(&victims_nonce) * invert(v),
            nonce_point: victims_nonce,
        };
        let keys = vec![own.key, victim];
        let mut sample = ThresholdEcdsa::sample(2, 2);
        sample.instance = (digest, keys.clone());
        sample.false_instance = (digest + Fq::ONE, keys);
        sample.witness = vec![own, forged];
        assert!(convinces(sample));
    }
}
