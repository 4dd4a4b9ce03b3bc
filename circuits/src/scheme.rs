//! The signature schemes for which there are circuits.

use std::{fmt, str::FromStr};

#[cfg(test)]
use crate::tests::preimage::Preimage;
use muster_gadgets::signature::instructions::{Needs, SignatureInstructions};
use muster_schemes::{
    membership::{LeafFormat, PublicKey},
    signature::{
        bip340::Bip340,
        bls::member::{Bls12381, Bls12381MinSig, Bn254MinPk, Bn254MinSig},
        ecdsa::{EcdsaP256, EcdsaSecp256k1},
        ed25519::Ed25519,
        eddsa::Eddsa,
        musig::Musig,
        schnorr::Schnorr,
        AnySignature, Choices, Description, KeyKind, Message, MessageForm, NoSuchChoice, PointHash,
        PublicMessage, Rule, SignatureError,
    },
};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::{any_scheme::AnyScheme, statement::MESSAGE};

/// A signature scheme, by the name that files and the command line use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Scheme {
    /// Key-prefixed Schnorr signatures, each made by one signer alone.
    Schnorr,
    /// circomlib's EdDSA-Poseidon.
    Eddsa,
    /// MuSig2: the signers make one signature together.
    Musig,
    /// ECDSA as in Bitcoin and Ethereum.
    EcdsaSecp256k1,
    /// ECDSA over NIST's curve P-256.
    EcdsaP256,
    /// BIP-340.
    SchnorrSecp256k1,
    /// Ed25519.
    Ed25519,
    /// BLS over BLS12-381, with keys in G1.
    BlsBls12381,
    /// BLS over BLS12-381, with signatures in G1.
    BlsBls12381MinSig,
    /// BLS over BN254, with keys in G1, on points of G2.
    BlsBn254,
    /// BLS over BN254, with signatures in G1.
    BlsBn254MinSig,
    /// A preimage in place of a signature.
    #[cfg(test)]
    Preimage,
}

/// An operation that needs the type of the scheme.
pub trait SchemeVisitor {
    /// What the operation returns.
    type Output;

    /// Runs it on this scheme, whose choices have been made.
    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output;
}

/// A scheme with the choices that it leaves open made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Suite {
    scheme: Scheme,
    choices: Choices,
}

/// No scheme has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scheme {0:?}")]
pub struct UnknownScheme(pub String);

impl Scheme {
    /// All schemes.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The scheme with members named by coordinates and its default rule.
    pub fn suite(self) -> Suite {
        Suite { scheme: self, choices: Choices::default() }
    }

    /// The scheme as an object. What is asked of it here does not depend on its choices.
    fn object(self) -> Box<dyn AnyScheme> {
        self.suite().object()
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.object().name()
    }

    /// The scheme in words.
    pub fn description(self) -> Description {
        self.object().description()
    }

    /// Whether the signers make one signature together.
    pub fn is_aggregate(self) -> bool {
        self.object().is_aggregate()
    }

    /// Whether the root of a set commits to the sum of all keys, so that there is the mode
    /// [`Complement`](crate::Mode::Complement).
    pub fn adds_keys(self) -> bool {
        match self.leaf_format() {
            LeafFormat::Names => false,
            LeafFormat::Keys(_) => true,
        }
    }

    /// How a leaf holds the scheme's keys.
    pub fn leaf_format(self) -> LeafFormat {
        self.object().leaf_format()
    }

    /// Children of a node by default: the fastest over the sweeps, see `RESULTS.md`. Where leaves hold whole keys, nodes
    /// share their permutation.
    pub fn default_arity(self) -> usize {
        match self.leaf_format() {
            LeafFormat::Names => 5,
            LeafFormat::Keys(_) => 16,
        }
    }

    /// What kind of message a statement has if messages take this form.
    pub(crate) fn public_message(self, form: MessageForm) -> PublicMessage {
        self.object().public_message(form)
    }

    /// Length of a message in bytes; `None` if it may have any.
    pub fn message_length(self) -> Option<usize> {
        self.object().message_length()
    }

    /// Reads a message of the scheme; `None` if the length is wrong, or if the integer is not a field element
    /// where one is needed.
    pub fn message_from_bytes(self, bytes: &[u8]) -> Option<Message> {
        self.object().message_from_bytes(bytes)
    }

    /// Whether the members of a set can be named as `keys` says.
    pub fn names_members_by(self, keys: KeyKind) -> bool {
        Suite::new(self, keys, None, None).is_ok()
    }

    /// The default rule; `None` for a scheme without a choice of rule.
    pub fn default_rule(self) -> Option<Rule> {
        self.object().default_rule()
    }
}

impl Suite {
    /// A scheme with these choices, and its default rule and message form if none are given.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice`] for a choice that the scheme does not have.
    pub fn new(
        scheme: Scheme,
        keys: KeyKind,
        rule: Option<Rule>,
        form: Option<MessageForm>,
    ) -> Result<Self, NoSuchChoice> {
        let choices = scheme.object().choices(keys, rule, form)?;
        Ok(Self { scheme, choices })
    }

    /// The same suite with messages hashed to points by `hash`.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice::Hash`] if the scheme does not hash messages of the chosen form this way.
    pub fn with_hash(self, hash: PointHash) -> Result<Self, NoSuchChoice> {
        let choices = self.object().with_hash(self.choices, hash)?;
        Ok(Self { choices, ..self })
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// How a set names its members.
    pub fn keys(&self) -> KeyKind {
        self.choices.keys()
    }

    /// The rule by which signatures are accepted; `None` for a scheme without a choice of rule.
    pub fn rule(&self) -> Option<Rule> {
        self.choices.rule().or(self.scheme.default_rule())
    }

    /// Which part of a message is public.
    pub fn form(&self) -> MessageForm {
        self.choices.form().unwrap_or_else(|| self.object().default_form())
    }

    /// How messages are hashed to points, where they are.
    pub fn hash(&self) -> PointHash {
        self.choices.hash()
    }

    /// What kind of message a statement has.
    pub fn public_message(&self) -> PublicMessage {
        self.scheme.public_message(self.form())
    }

    /// Number of public inputs.
    pub fn public_inputs(&self) -> usize {
        MESSAGE + self.public_message().inputs()
    }

    /// Runs `visitor` on the scheme. This is the only place that tells schemes apart: each scheme
    /// itself says whatever else is particular to it.
    pub fn visit<V: SchemeVisitor>(&self, visitor: V) -> V::Output {
        let choices = self.choices;
        match self.scheme {
            Scheme::Schnorr => visitor.visit(Schnorr::with(choices)),
            Scheme::Eddsa => visitor.visit(Eddsa::with(choices)),
            Scheme::Musig => visitor.visit(Musig::with(choices)),
            Scheme::EcdsaSecp256k1 => visitor.visit(EcdsaSecp256k1::with(choices)),
            Scheme::EcdsaP256 => visitor.visit(EcdsaP256::with(choices)),
            Scheme::SchnorrSecp256k1 => visitor.visit(Bip340::with(choices)),
            Scheme::Ed25519 => visitor.visit(Ed25519::with(choices)),
            Scheme::BlsBls12381 => visitor.visit(Bls12381::with(choices)),
            Scheme::BlsBls12381MinSig => visitor.visit(Bls12381MinSig::with(choices)),
            Scheme::BlsBn254 => visitor.visit(Bn254MinPk::with(choices)),
            Scheme::BlsBn254MinSig => visitor.visit(Bn254MinSig::with(choices)),
            #[cfg(test)]
            Scheme::Preimage => visitor.visit(Preimage::with(choices)),
        }
    }

    /// The scheme as an object.
    pub(crate) fn object(&self) -> Box<dyn AnyScheme> {
        struct Boxed;

        impl SchemeVisitor for Boxed {
            type Output = Box<dyn AnyScheme>;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
                Box::new(scheme)
            }
        }

        self.visit(Boxed)
    }

    /// Checks whether a set can hold `key`.
    ///
    /// # Errors
    ///
    /// [`SignatureError::OtherKey`] for a key of another kind, or the rule that the key breaks.
    pub fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        self.object().admits(key)
    }

    /// Reads a key in the encoding of the scheme's own standard, and checks it. If members are
    /// named by addresses, it reads the address of the key instead.
    ///
    /// # Errors
    ///
    /// The rule that the bytes break.
    pub fn decode_key(&self, bytes: &[u8]) -> Result<PublicKey, SignatureError> {
        self.decode_keys(&[bytes]).remove(0)
    }

    /// Reads many keys, each with the verdict of [`Self::decode_key`]. Proofs of possession are faster to check
    /// together.
    pub fn decode_keys(&self, list: &[&[u8]]) -> Vec<Result<PublicKey, SignatureError>> {
        self.object().decode_keys(list)
    }

    /// The part of a key's encoding that is the key itself, if the length is right. This takes no time. If two
    /// encodings agree on it, [`Self::decode_key`] reads the same key from each or refuses it.
    ///
    /// # Errors
    ///
    /// The rule that bytes of this length break.
    pub fn key_part<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SignatureError> {
        self.object().key_part(bytes)
    }

    /// A key in the encoding of the scheme's own standard; `None` for a key of another scheme or an
    /// address.
    pub fn encode_key(&self, key: &PublicKey) -> Option<Vec<u8>> {
        self.object().encode_key(key)
    }

    /// Reads a member's signature and checks everything except the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that the bytes break.
    pub fn decode_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        self.object().decode_signature(bytes)
    }

    /// The gates that the scheme's circuits need.
    pub(crate) fn needs(&self) -> Needs {
        self.object().needs()
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = if self.keys().is_coordinates() { "" } else { " by address" };
        let rule = self.rule().map(|rule| rule.name().to_owned());
        let form = (!self.form().is_public()).then(|| self.form().to_string());
        let hash = (!self.hash().is_default()).then(|| self.hash().to_string());
        write!(f, "{}{by}", self.scheme)?;
        [rule, form, hash].iter().flatten().try_for_each(|choice| write!(f, ", {choice}"))
    }
}

impl From<Scheme> for &'static str {
    fn from(scheme: Scheme) -> Self {
        scheme.name()
    }
}

impl TryFrom<String> for Scheme {
    type Error = UnknownScheme;

    fn try_from(name: String) -> Result<Self, UnknownScheme> {
        name.parse()
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        let scheme = Self::ALL.iter().find(|scheme| scheme.name() == name);
        scheme.copied().ok_or_else(|| UnknownScheme(name.to_owned()))
    }
}
