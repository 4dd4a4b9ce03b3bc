//! Committees and signatures to try things with.

use blake2::Digest;
use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_circuits::{Committee, KeyKind, Message, Scheme, Signature, Signatures};
use muster_gadgets::{
    membership::PublicKey,
    signature::{
        bip340::Bip340,
        ecdsa::{self, EcdsaP256, EcdsaSecp256k1, RecoveryId},
        eddsa::Eddsa,
        musig::{AggregateNonce, KeyAggregation, Musig, SecretNonce, Session},
        schnorr::{self, Schnorr},
        SignatureScheme,
    },
};
use rand::{rngs::OsRng, seq::index, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use serde_json::{json, Value};

use crate::{encoding::to_hex, keys::Blake2b256, Error};

#[cfg(feature = "cli")]
mod groups;

#[cfg(feature = "cli")]
pub use groups::Quorum;

/// Most members of a sample: their file stays below the length up to which it is read.
const MAX_SIGNERS: usize = 1 << 23;
/// Label of the seed that a text stands for.
const SEED_LABEL: &[u8] = b"muster.sample.v1";
// Streams of the generator: one for all choices, and one for the nonces and the key of each member.
const CHOICES: u64 = 0;
const NONCES: u64 = 1 << 32;
const MEMBERS: u64 = 1 << 33;

/// What a sample is to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scheme.
    pub scheme: Scheme,
    /// How the committee names its members.
    pub keys: KeyKind,
    /// Members of the committee.
    pub signers: usize,
    /// How many of them sign.
    pub signing: usize,
    /// What they sign; `None` for a random message.
    pub message: Option<Message>,
    /// Children of a node and levels of the tree: the aggregate key depends on its root.
    pub tree: (usize, usize),
}

/// A committee, signatures by some members, and where the secret keys come from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The scheme.
    pub scheme: Scheme,
    /// How the committee names its members.
    pub keys: KeyKind,
    /// The committee; every weight is one.
    pub committee: Committee,
    /// What was signed.
    pub message: Message,
    /// Signatures of random members; those of ECDSA have a low s, so that either rule takes them.
    pub signatures: Signatures,
    source: Source,
}

/// Where all randomness of a sample comes from.
#[derive(Clone)]
pub struct Source([u8; 32]);

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Source(..)")
    }
}

impl Source {
    /// The operating system.
    pub fn random() -> Self {
        let mut seed = [0; 32];
        OsRng.fill_bytes(&mut seed);
        Self(seed)
    }

    /// A text: the same sample every time, with keys that anybody can compute. For tests.
    pub fn from_text(text: &str) -> Self {
        Self(Blake2b256::new().chain_update(SEED_LABEL).chain_update(text).finalize().into())
    }

    fn stream(&self, stream: u64) -> ChaCha20Rng {
        let mut rng = ChaCha20Rng::from_seed(self.0);
        rng.set_stream(stream);
        rng
    }

    fn secret_key<S: SignatureScheme>(&self, member: usize) -> Result<S::SecretKey, Error> {
        let mut seed = [0; 32];
        self.stream(MEMBERS + member as u64).fill_bytes(&mut seed);
        Ok(S::secret_key_from_seed(&seed)?)
    }

    /// The keys of all members, on all cores.
    fn public_keys<S>(&self, members: usize) -> Result<Vec<PublicKey>, Error>
    where
        S: SignatureScheme<PublicKey: Into<PublicKey>>,
    {
        let key = |member| Ok(S::public_key(&self.secret_key::<S>(member)?).into());
        (0..members).into_par_iter().map(key).collect()
    }

    fn sign<S>(&self, signers: &[usize], message: &S::Message) -> Result<Signatures, Error>
    where
        S: SignatureScheme<Message: Sync, Signature: Into<Signature>>,
    {
        let sign = |&member: &usize| {
            let mut rng = self.stream(NONCES + member as u64);
            Ok((member, S::sign(&self.secret_key::<S>(member)?, message, &mut rng).into()))
        };
        let list = signers.par_iter().map(sign).collect::<Result<_, Error>>()?;
        Ok(Signatures::Independent(list))
    }

    fn sign_ecdsa<S: SignatureScheme>(
        &self,
        sign: fn(&S::SecretKey, &[u8; 32]) -> (ecdsa::Signature, RecoveryId),
        keys: KeyKind,
        signers: &[usize],
        digest: &[u8; 32],
    ) -> Result<Signatures, Error> {
        let sign = |&member: &usize| {
            let (signature, id) = sign(&self.secret_key::<S>(member)?, digest);
            let (signature, id) = match signature.is_high() {
                true => (signature.negate(), id.negate()),
                false => (signature, id),
            };
            Ok(match keys {
                KeyKind::Coordinates => (member, signature.into()),
                KeyKind::Address => (member, (signature, id).into()),
            })
        };
        let list = signers.par_iter().map(sign).collect::<Result<_, Error>>()?;
        Ok(Signatures::Independent(list))
    }

    /// The committee, every weight one.
    fn committee(&self, scheme: Scheme, keys: KeyKind, size: usize) -> Result<Committee, Error> {
        let points = match scheme {
            Scheme::Schnorr => self.public_keys::<Schnorr>(size)?,
            Scheme::Eddsa => self.public_keys::<Eddsa>(size)?,
            Scheme::Musig => self.public_keys::<Musig>(size)?,
            Scheme::EcdsaSecp256k1 => self.public_keys::<EcdsaSecp256k1>(size)?,
            Scheme::EcdsaP256 => self.public_keys::<EcdsaP256>(size)?,
            Scheme::SchnorrSecp256k1 => self.public_keys::<Bip340>(size)?,
        };
        let named = |key: &PublicKey| match (keys, key) {
            (KeyKind::Address, PublicKey::Weierstrass(point)) => (point.address().into(), 1),
            (KeyKind::Coordinates | KeyKind::Address, _) => (*key, 1),
        };
        Ok(Committee::new(&points.par_iter().map(named).collect::<Vec<_>>())?)
    }

    /// The two rounds of MuSig2.
    fn sign_together(
        &self,
        committee: &Committee,
        root: &Fr,
        members: Vec<usize>,
        message: &Fr,
    ) -> Result<Signatures, Error> {
        let point = |&member: &usize| committee.members()[member].public_key.baby_jubjub().copied();
        let points: Vec<_> = members.iter().filter_map(point).collect();
        let keys = KeyAggregation::new(root, &points)?;
        let draw = |&member: &usize| {
            let secret: schnorr::SecretKey = self.secret_key::<Musig>(member)?;
            let mut rng = self.stream(NONCES + member as u64);
            let nonce = SecretNonce::generate(&secret, &keys, Some(message), &mut rng);
            Ok((secret, nonce))
        };
        let signers = members.par_iter().map(draw).collect::<Result<Vec<_>, Error>>()?;
        let nonces: Vec<_> = signers.iter().map(|(_, nonce)| nonce.public()).collect();
        let session = Session::new(&keys, &AggregateNonce::new(&nonces), message)?;
        let share = |(secret, nonce)| Ok(session.sign(&secret, nonce)?);
        let shares = signers.into_par_iter().map(share).collect::<Result<Vec<_>, Error>>()?;
        let shares: Vec<_> = nonces.into_iter().zip(shares).collect();
        Ok(Signatures::Aggregate { members, signature: session.aggregate(&shares)? })
    }
}

impl Sample {
    /// Makes a sample.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] unless there is a member and no more sign than there are,
    /// [`Error::Circuit`] if the tree does not hold the committee, or if scheme, names and message
    /// do not go together.
    pub fn new(plan: &Plan, source: Source) -> Result<Self, Error> {
        let &Plan { scheme, keys, signers, signing, tree: (arity, depth), .. } = plan;
        check_numbers(signers, signing)?;
        if !scheme.names_members_by(keys) {
            return Err(muster_circuits::Error::Keys { scheme, keys }.into());
        }
        let committee = source.committee(scheme, keys, signers)?;
        let mut rng = source.stream(CHOICES);
        let mut who = index::sample(&mut rng, signers, signing).into_vec();
        who.sort_unstable();
        let message = plan.message.unwrap_or_else(|| random_message(scheme, &mut rng));
        let wrong = || muster_circuits::Error::WrongMessage(scheme);
        let signatures = match scheme {
            Scheme::Schnorr => source.sign::<Schnorr>(&who, message.field().ok_or_else(wrong)?)?,
            Scheme::Eddsa => source.sign::<Eddsa>(&who, message.field().ok_or_else(wrong)?)?,
            Scheme::Musig => {
                let message = message.field().ok_or_else(wrong)?;
                let root = committee.tree(arity, depth)?.root();
                source.sign_together(&committee, &root, who, message)?
            }
            Scheme::EcdsaSecp256k1 => {
                let digest = message.digest().ok_or_else(wrong)?;
                let sign = EcdsaSecp256k1::sign_recoverable;
                source.sign_ecdsa::<EcdsaSecp256k1>(sign, keys, &who, digest)?
            }
            Scheme::EcdsaP256 => {
                let digest = message.digest().ok_or_else(wrong)?;
                let sign = EcdsaP256::sign_recoverable;
                source.sign_ecdsa::<EcdsaP256>(sign, keys, &who, digest)?
            }
            Scheme::SchnorrSecp256k1 => {
                source.sign::<Bip340>(&who, message.digest().ok_or_else(wrong)?)?
            }
        };
        Ok(Self { scheme, keys, committee, message, signatures, source })
    }

    /// The secret keys of all members: 32-byte seeds of EdDSA, secret scalars of the others, in the
    /// order of bytes that their scheme has.
    ///
    /// # Errors
    ///
    /// None in practice: the keys were made once already.
    pub fn secrets(&self) -> Result<Value, Error> {
        let source = &self.source;
        let secret = |member| {
            Ok(match self.scheme {
                Scheme::Schnorr | Scheme::Musig => {
                    to_hex(&*source.secret_key::<Schnorr>(member)?.to_bytes())
                }
                Scheme::Eddsa => to_hex(&*source.secret_key::<Eddsa>(member)?.to_bytes()),
                Scheme::EcdsaSecp256k1 => {
                    to_hex(&*source.secret_key::<EcdsaSecp256k1>(member)?.to_bytes())
                }
                Scheme::EcdsaP256 => to_hex(&*source.secret_key::<EcdsaP256>(member)?.to_bytes()),
                Scheme::SchnorrSecp256k1 => {
                    to_hex(&*source.secret_key::<Bip340>(member)?.to_bytes())
                }
            })
        };
        let members = (0..self.committee.members().len()).into_par_iter();
        let keys = members.map(secret).collect::<Result<Vec<_>, Error>>()?;
        Ok(json!({ "scheme": self.scheme.name(), "secret_keys": keys }))
    }
}

/// Whether a sample can have this many members, of whom this many sign.
///
/// # Errors
///
/// [`Error::Usage`].
pub(crate) fn check_numbers(signers: usize, signing: usize) -> Result<(), Error> {
    if signers > MAX_SIGNERS {
        let reason = format!("{signers} members, but a file holds at most {MAX_SIGNERS}");
        return Err(Error::Usage(reason));
    }
    if signers == 0 || signing == 0 || signing > signers {
        let reason = format!("{signing} of {signers} cannot sign: 1 ≤ signing ≤ signers");
        return Err(Error::Usage(reason));
    }
    Ok(())
}

fn random_message(scheme: Scheme, rng: &mut ChaCha20Rng) -> Message {
    match scheme.is_foreign() {
        false => Fr::random(rng).into(),
        true => {
            let mut digest = [0; 32];
            rng.fill_bytes(&mut digest);
            digest.into()
        }
    }
}
