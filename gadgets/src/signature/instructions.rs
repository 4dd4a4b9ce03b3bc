//! The hinge: all that a threshold circuit asks of a signature scheme.

use std::fmt::Debug;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};
use rand_core::{CryptoRng, RngCore};
use rayon::prelude::*;

use super::{
    foreign::Met, musig::MusigError, point::AssignedPoint, AnySignature, Choices, SignatureError,
    SignatureScheme,
};
use crate::{
    curve::weierstrass::Address,
    gate::{foreign::Equation, Chips},
    membership::PublicKey,
};

/// What the signatures are checked against.
#[derive(Clone, Copy, Debug)]
pub struct AssignedClaim<M = AssignedValue<Fr>> {
    /// Root of the key set.
    pub key_set_root: AssignedValue<Fr>,
    /// The message.
    pub message: M,
}

/// A signer's slot.
#[derive(Clone, Debug)]
pub struct AssignedSigner<K = AssignedPoint> {
    /// The signer's key.
    pub public_key: K,
    /// The signer's weight; 0 for a slot that is not used.
    pub weight: AssignedValue<Fr>,
}

/// What a slot that is not used is filled with: a signer whose secret key everybody knows, and who is
/// no member.
#[derive(Clone, Debug, PartialEq)]
pub struct Padding<S: SignatureInstructions> {
    /// The key.
    pub key: S::RawKey,
    /// What a leaf would name the key by.
    pub name: Fr,
    /// Its signature, which is good. For an aggregate scheme that of the signer alone.
    pub signature: S::RawSignature,
}

/// Keys and signatures that were verified, as a circuit takes them.
#[derive(Clone, Debug)]
pub struct Verified<S: SignatureInstructions> {
    /// The keys, one a signer.
    pub keys: Vec<S::RawKey>,
    /// The signatures: one a signer, or one of all.
    pub signatures: Vec<S::RawSignature>,
}

impl<S: SignatureInstructions> Verified<S> {
    /// Those of the signers at these places, in this order. A signature of all signers stays.
    ///
    /// # Panics
    /// If there is no such signer.
    pub fn of(&self, places: &[usize]) -> Self {
        let keys = places.iter().map(|place| self.keys[*place].clone()).collect();
        let signatures = if S::AGGREGATE {
            self.signatures.clone()
        } else {
            places.iter().map(|place| self.signatures[*place].clone()).collect()
        };
        Self { keys, signatures }
    }
}

/// Why signatures are refused. Signers are named by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Keys or signatures are not those of the scheme.
    WrongKind,
    /// A signature does not verify.
    Signature {
        /// Whose it is.
        signer: usize,
        /// The rule that is broken.
        rule: SignatureError,
    },
    /// A signature is by another address.
    Address {
        /// Whose it should be.
        signer: usize,
        /// The member's address.
        expected: Address,
        /// The address of the key that the signature gives.
        found: Address,
    },
    /// The signature of all signers does not verify.
    Aggregate(SignatureError),
    /// The signers' keys have no sum that is a key.
    AggregateKey(MusigError),
}

/// What a scheme takes of the Edwards gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdwardsNeeds {
    /// Most lanes that the slots can be spread over.
    pub lanes: usize,
    /// Rows of a lane that a slot takes at least.
    pub rows: usize,
}

/// The gates that a scheme takes besides those of every circuit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The Edwards gate.
    pub edwards: Option<EdwardsNeeds>,
    /// What is related modulo foreign primes; nothing for a scheme that has no such primes.
    pub equations: Vec<Equation>,
    /// Whether it hashes by Keccak-256, a permutation or more a slot.
    pub keccak: bool,
    /// Whether it hashes by SHA-256, a block or more a slot.
    pub sha256: bool,
}

/// A signature scheme as the threshold circuit takes it. A value has the choices made that the scheme
/// leaves open.
///
/// The native half and its twin in circuit stand side by side: what [`Self::verify_all`] accepts is
/// what [`Self::assert_verify_all`] can be satisfied with.
pub trait SignatureInstructions: SignatureScheme + Copy + Debug + Send + Sync + 'static {
    /// A key that nothing is known of: what an attacker brings.
    type RawKey: Clone + Debug + PartialEq + Send + Sync;
    /// A signature that nothing is known of.
    type RawSignature: Clone + Debug + PartialEq + Send + Sync;
    /// A key in circuit: canonical, on its curve, in the right subgroup, not the identity.
    type AssignedKey;
    /// The message in circuit.
    type AssignedMessage;

    /// Whether the signers make one signature together.
    const AGGREGATE: bool;

    /// The scheme with these choices.
    fn with(choices: Choices) -> Self;

    /// Whether a set can hold `key`.
    fn admits(&self, key: &PublicKey) -> bool;

    /// A key as a member of a set.
    fn member(&self, key: &Self::PublicKey) -> PublicKey;

    /// A member's key in the encoding of the scheme's own standard; `None` for one that no set of the
    /// scheme holds, or that is not there but for its address.
    fn encode_member(&self, key: &PublicKey) -> Option<Vec<u8>>;

    /// Reads a member's signature and checks all but the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that a part of the signature breaks.
    fn decode_member_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError>;

    /// The signature of a member that a set names as the scheme has chosen.
    fn sign_as_member(
        &self,
        secret_key: &Self::SecretKey,
        message: &Self::Message,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> AnySignature {
        Self::sign(secret_key, message, rng).into()
    }

    /// Signatures of these members of the set with this root, in its order: one each, or one of all.
    ///
    /// # Errors
    ///
    /// [`MusigError`], of schemes whose signers sign together.
    fn sign_all<R: RngCore + CryptoRng + Send>(
        &self,
        _root: &Fr,
        signers: Vec<(Self::SecretKey, R)>,
        message: &Self::Message,
    ) -> Result<Vec<AnySignature>, MusigError> {
        Ok(sign_each(self, signers, message))
    }

    /// Verifies all signatures natively, on all cores: one a signer, or one of all, by signers in the
    /// order of the set with this root. What it gives is what a circuit is filled with.
    ///
    /// # Errors
    ///
    /// [`Refusal`], for the first signer whose signature is bad.
    fn verify_all(
        &self,
        root: &Fr,
        signers: &[PublicKey],
        message: &Self::Message,
        signatures: &[AnySignature],
    ) -> Result<Verified<Self>, Refusal>;

    /// What fills a slot that is not used.
    fn padding(&self, message: &Self::Message) -> Padding<Self>;

    /// What all padding is named, if it is always the same.
    fn padding_name(&self) -> Option<Fr> {
        None
    }

    /// Another signer that may fill it, by a number from 0 up; `None` where one is enough.
    fn other_padding(&self, _message: &Self::Message, _number: u8) -> Option<Padding<Self>> {
        None
    }

    /// A signature that holds wherever `signature` does; `None` where there is no other.
    fn other_form(&self, _signature: &Self::RawSignature) -> Option<Self::RawSignature> {
        None
    }

    /// The gates that it takes.
    fn needs(&self) -> Needs;

    /// The message, out of its public inputs.
    fn assign_message(inputs: &[AssignedValue<Fr>]) -> Self::AssignedMessage;

    /// Witnesses the keys of all slots.
    fn assign_keys(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        keys: &[Self::RawKey],
    ) -> Vec<Self::AssignedKey>;

    /// What a leaf names the key by: the twin of [`PublicKey::name`].
    fn name(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        key: &Self::AssignedKey,
    ) -> AssignedValue<Fr>;

    /// Constrains the signatures of all signers on the claim's message: one a signer, or, for an
    /// aggregate scheme, the first alone.
    ///
    /// # Errors
    /// [`Met`] where there is no witness for these signatures. The same constraints are recorded, and
    /// refuse what was filled in.
    ///
    /// # Panics
    /// If there are no signers, another number of signatures, or lanes that the signers do not fill
    /// evenly.
    fn assert_verify_all(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim<Self::AssignedMessage>,
        signers: &[AssignedSigner<Self::AssignedKey>],
        signatures: &[Self::RawSignature],
    ) -> Result<(), Met>;
}

/// A signature of each of these members, on all cores.
pub(super) fn sign_each<S: SignatureInstructions, R: RngCore + CryptoRng + Send>(
    scheme: &S,
    signers: Vec<(S::SecretKey, R)>,
    message: &S::Message,
) -> Vec<AnySignature> {
    let sign = |(secret_key, mut rng)| scheme.sign_as_member(&secret_key, message, &mut rng);
    signers.into_par_iter().map(sign).collect()
}

/// Verifies a signature a signer of a set of the scheme, on all cores, by what `open` says of each; the
/// first that is bad is named.
pub(super) fn each<S: SignatureInstructions>(
    scheme: &S,
    signers: &[PublicKey],
    signatures: &[AnySignature],
    open: impl Fn(usize, &PublicKey, &AnySignature) -> Result<(S::RawKey, S::RawSignature), Refusal>
        + Sync,
) -> Result<Verified<S>, Refusal> {
    if signers.len() != signatures.len() || !signers.iter().all(|key| scheme.admits(key)) {
        return Err(Refusal::WrongKind);
    }
    let pairs = signers.par_iter().zip(signatures).enumerate();
    let opened: Vec<_> =
        pairs.map(|(number, (key, signature))| open(number, key, signature)).collect();
    let opened = opened.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (keys, signatures) = opened.into_iter().unzip();
    Ok(Verified { keys, signatures })
}
