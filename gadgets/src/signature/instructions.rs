//! Everything that a threshold circuit needs from a signature scheme.

use std::fmt::Debug;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use rand_core::{CryptoRng, RngCore};
use rayon::prelude::*;

use super::{foreign::ExceptionalCase, point::AssignedPoint};
use muster_gates::{foreign::Equation, GateContext};
use muster_schemes::signature::{
    AggregateError, AnySignature, Choices, FarPoint, KeyFormat, Message, SignatureError,
    SignatureScheme, SignedMessage,
};
use muster_schemes::{
    curve::weierstrass::Address,
    membership::{EmptyPlace, PublicKey},
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
    /// The signer's weight; 0 for an unused slot.
    pub weight: AssignedValue<Fr>,
}

/// What an unused slot is filled with: a signer who is not a member, and whose secret key everybody knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Padding<S: NativeInstructions> {
    /// The key.
    pub key: S::RawKey,
    /// What a leaf would hold of the key: its name alone, or the elements of the whole key.
    pub leaf_key: Vec<Fr>,
    /// Its signature, which is good. For an aggregate scheme, that of this signer alone.
    pub signature: S::RawSignature,
}

/// Keys and signatures that were verified, as a circuit takes them.
#[derive(Clone, Debug)]
pub struct Verified<S: NativeInstructions> {
    /// The keys, one per signer.
    pub keys: Vec<S::RawKey>,
    /// The signatures: one per signer, or one by all.
    pub signatures: Vec<S::RawSignature>,
}

impl<S: NativeInstructions> Verified<S> {
    /// The keys and signatures of the signers at these places, in this order. A signature by all signers is kept.
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
    /// Keys or signatures do not belong to the scheme.
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
        /// The address of the key recovered from the signature.
        found: Address,
    },
    /// The signature by all signers does not verify.
    Aggregate(SignatureError),
    /// The signers' keys have no sum that is a key.
    AggregateKey(AggregateError),
}

/// What a scheme needs from the Edwards gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdwardsNeeds {
    /// The most lanes over which the slots can be spread.
    pub lanes: usize,
    /// The fewest rows of a lane that a slot takes.
    pub rows: usize,
}

/// The gates that a scheme needs besides those of every circuit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The Edwards gate.
    pub edwards: Option<EdwardsNeeds>,
    /// The equations modulo foreign primes; empty for a scheme without such primes.
    pub equations: Vec<Equation>,
    /// Width of the Poseidon state that it hashes with besides those of every circuit.
    pub poseidon: Option<usize>,
    /// Whether it hashes with Keccak-256, at least one permutation per slot.
    pub keccak: bool,
    /// What it hashes with SHA-256, if anything.
    pub sha256: Option<Chains>,
    /// What it hashes with SHA-512, if anything.
    pub sha512: Option<Chains>,
}

/// What a scheme hashes block by block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chains {
    /// One input per slot, all of the same length.
    OfEachSlot,
    /// One input that all slots share.
    Shared,
}

impl Chains {
    /// How many chains of blocks there are: the most lanes that have work.
    pub fn count(self, slots: usize) -> usize {
        match self {
            Self::OfEachSlot => slots,
            Self::Shared => 1,
        }
    }
}

/// What is asked of a signature scheme outside a circuit: which keys a set holds, what its members sign, and the verdict
/// that makes a witness. A value holds the choices that the scheme leaves open.
pub trait NativeInstructions:
    SignatureScheme<PublicKey: Into<PublicKey>> + Copy + Debug + Send + Sync + 'static
{
    /// An unchecked key: what an attacker brings.
    type RawKey: Clone + Debug + PartialEq + Send + Sync;
    /// An unchecked signature.
    type RawSignature: Clone + Debug + PartialEq + Send + Sync;

    /// Whether the signers make one signature together.
    const AGGREGATE: bool = false;

    /// The scheme with these choices.
    fn with(choices: Choices) -> Self;

    /// Checks whether a set can hold `key`.
    ///
    /// # Errors
    ///
    /// [`SignatureError::OtherKey`] for a key of another kind, or the rule that the key breaks.
    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError>;

    /// A key as a member of a set.
    fn member(&self, key: &Self::PublicKey) -> PublicKey {
        (*key).into()
    }

    /// A member's key in the encoding of the scheme's own standard; `None` for one that no set of the scheme can hold,
    /// or that is only an address.
    fn encode_member(&self, key: &PublicKey) -> Option<Vec<u8>>;

    /// Reads a member's signature and checks everything except the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that a part of the signature breaks.
    fn decode_member_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        Self::decode_signature(bytes).map(AnySignature::from)
    }

    /// Signs as a member that the set names in the chosen way.
    fn sign_as_member(
        &self,
        secret_key: &Self::SecretKey,
        message: &Self::Message,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> AnySignature {
        Self::sign(secret_key, message, rng).into()
    }

    /// A random message, of the chosen form.
    fn random_message(&self, rng: &mut (impl RngCore + CryptoRng)) -> Self::Message {
        Self::Message::random(rng)
    }

    /// The message as a statement holds it, in the chosen form.
    fn stated(&self, message: &Self::Message) -> Message {
        message.to_message()
    }

    /// Checks that a circuit takes this message in the chosen form.
    ///
    /// # Errors
    ///
    /// [`FarPoint`] if the circuit does not find its point.
    fn check_message(&self, _message: &Self::Message) -> Result<(), FarPoint> {
        Ok(())
    }

    /// Signatures by these members of the set with this root, in the order of the set: one each, or one by all.
    ///
    /// # Errors
    ///
    /// [`AggregateError`], for schemes whose signers sign together.
    fn sign_all<R: RngCore + CryptoRng + Send>(
        &self,
        _root: &Fr,
        signers: Vec<(Self::SecretKey, R)>,
        message: &Self::Message,
    ) -> Result<Vec<AnySignature>, AggregateError> {
        Ok(sign_each(self, signers, message))
    }

    /// Verifies all signatures natively, on all cores: one per signer, or one by all, with signers in the order of the
    /// set with this root. Returns what a circuit is filled with.
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
}

/// What fills the slots that no signature takes, and what is tried next where some inputs have no witness.
pub trait PaddingInstructions: NativeInstructions {
    /// Signer `number`, from 0, who may fill unused slots; `None` if there are no more. There is always the first.
    fn padding(&self, message: &Self::Message, number: u8) -> Option<Padding<Self>>;

    /// The name of all padding, if it is always the same and leaves hold names.
    fn padding_name(&self) -> Option<Fr> {
        None
    }

    /// Another signature that holds wherever `signature` does; `None` if there is no other.
    fn other_form(&self, _signature: &Self::RawSignature) -> Option<Self::RawSignature> {
        None
    }
}

/// A signature scheme as the threshold circuit takes it: the twin of [`NativeInstructions`]. What
/// [`verify_all`](NativeInstructions::verify_all) accepts is what [`Self::assert_verify_all`] can be satisfied with.
pub trait SignatureInstructions: PaddingInstructions {
    /// A key in circuit: canonical, on its curve, in the right subgroup and not the identity; or one for which the
    /// scheme takes all this for granted if its name is that of a member.
    type AssignedKey;
    /// The message in circuit.
    type AssignedMessage;

    /// The operations of a scheme whose keys add up.
    fn adds_keys(&self) -> Option<&dyn AddsKeys<Self>> {
        None
    }

    /// The gates that it needs.
    fn needs(&self) -> Needs;

    /// The message, bound to its public inputs. A scheme that signs more than is public witnesses the rest from
    /// `message`.
    fn assign_message(
        &self,
        ctx: &mut GateContext,
        public: &[AssignedValue<Fr>],
        message: &Self::Message,
    ) -> Self::AssignedMessage;

    /// Witnesses the keys of all slots.
    fn assign_keys(&self, ctx: &mut GateContext, keys: &[Self::RawKey]) -> Vec<Self::AssignedKey>;

    /// The name of a key, which leaves hold unless they hold [whole keys](AddsKeys::assign_entry): the twin of
    /// [`PublicKey::name`].
    fn name(&self, ctx: &mut GateContext, key: &Self::AssignedKey) -> AssignedValue<Fr>;

    /// Constrains the signatures of all signers on the claim's message: one per signer or, for an
    /// aggregate scheme, only the first.
    ///
    /// # Errors
    /// [`ExceptionalCase`] if there is no witness for these signatures. The same constraints are recorded, and the assignment does
    /// not satisfy them.
    ///
    /// # Panics
    /// If there are no signers, a wrong number of signatures, or lanes that the signers do not fill evenly.
    fn assert_verify_all(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<Self::AssignedMessage>,
        signers: &[AssignedSigner<Self::AssignedKey>],
        signatures: &[Self::RawSignature],
    ) -> Result<(), ExceptionalCase>;
}

/// All members of a set but the absent.
#[derive(Clone, Copy, Debug)]
pub struct AllButAbsent<'a, K> {
    /// The name of the sum of all keys of the set.
    pub whole: AssignedValue<Fr>,
    /// The claimed sum of their keys, less one padding key per unused slot.
    pub key: &'a K,
}

/// A whole key and its weight, in the elements that a leaf holds. Whoever builds one vouches for these elements, and
/// must already have proven that the weight passes for an amount.
#[derive(Clone, Debug)]
pub struct AssignedLeafEntry {
    /// The elements.
    pub elements: Vec<AssignedValue<Fr>>,
    /// The weight in the last of them.
    pub weight: AssignedValue<Fr>,
}

/// What a scheme provides if its keys add up: the root of a set commits to the sum of all keys, so that a prover can
/// bring those who did not sign in place of those who did.
pub trait AddsKeys<S: SignatureInstructions> {
    /// How leaves hold its keys.
    fn leaf_format(&self) -> KeyFormat;

    /// What a leaf would hold of the padding key, which every unused slot has.
    fn unused_key(&self) -> Vec<Fr>;

    /// The leaf entry of a key with this weight, which is shown to pass for an amount.
    fn assign_entry(
        &self,
        ctx: &mut GateContext,
        key: &S::AssignedKey,
        weight: u64,
    ) -> AssignedLeafEntry;

    /// The key that signs for all of these members, less one padding key per unused slot, as a circuit takes it; `None`
    /// if there is none, or for keys of another scheme.
    fn key_of(&self, members: &[&PublicKey], unused: usize) -> Option<S::RawKey>;

    /// Verifies signatures on a message, one by each of these signers, and adds them up.
    ///
    /// # Errors
    /// [`Refusal`], for the first signer whose signature is bad, or if the keys cancel.
    fn add_up(
        &self,
        signers: &[&PublicKey],
        message: &S::Message,
        signatures: &[AnySignature],
    ) -> Result<AnySignature, Refusal>;

    /// Constrains the signature of all members but the absent, in place of
    /// [`SignatureInstructions::assert_verify_all`]: the key of the rest and the keys in all slots add up to the key of
    /// the whole set.
    ///
    /// # Errors
    /// [`ExceptionalCase`] if there is no witness. The same constraints are recorded, and the assignment does not satisfy them.
    ///
    /// # Panics
    /// If there are no slots for the absent.
    fn assert_verify_rest(
        &self,
        ctx: &mut GateContext,
        claim: &AssignedClaim<S::AssignedMessage>,
        rest: &AllButAbsent<'_, S::RawKey>,
        absent: &[AssignedSigner<S::AssignedKey>],
        signatures: &[S::RawSignature],
    ) -> Result<(), ExceptionalCase>;
}

/// A signature by each of these members, on all cores.
pub(super) fn sign_each<S: NativeInstructions, R: RngCore + CryptoRng + Send>(
    scheme: &S,
    signers: Vec<(S::SecretKey, R)>,
    message: &S::Message,
) -> Vec<AnySignature> {
    let sign = |(secret_key, mut rng)| scheme.sign_as_member(&secret_key, message, &mut rng);
    signers.into_par_iter().map(sign).collect()
}

/// Verifies one signature per signer with `open`, on all cores: none in an empty place. Returns the first refusal in the order of
/// the signers.
pub fn each<S: NativeInstructions>(
    scheme: &S,
    signers: &[PublicKey],
    signatures: &[AnySignature],
    open: impl Fn(usize, &PublicKey, &AnySignature) -> Result<(S::RawKey, S::RawSignature), Refusal>
        + Sync,
) -> Result<Verified<S>, Refusal> {
    if signers.len() != signatures.len() || !signers.iter().all(|key| scheme.admits(key).is_ok()) {
        return Err(Refusal::WrongKind);
    }
    let pairs = signers.par_iter().zip(signatures).enumerate();
    let open = |(signer, (key, signature)): (_, (&PublicKey, _))| match key.of::<EmptyPlace>() {
        Some(_) => Err(Refusal::Signature { signer, rule: SignatureError::EmptyPlace }),
        None => open(signer, key, signature),
    };
    let opened: Vec<_> = pairs.map(open).collect();
    let opened = opened.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (keys, signatures) = opened.into_iter().unzip();
    Ok(Verified { keys, signatures })
}
