//! The signature schemes for which there are circuits.

use std::{fmt, str::FromStr};

#[cfg(test)]
use crate::tests::preimage::Preimage;
use muster_gadgets::signature::instructions::{NativeInstructions, Needs, SignatureInstructions};
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
        PublicMessage, Rule, SignatureError, SignatureScheme, SignedMessage,
    },
};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::statement::MESSAGE;

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
#[error("unknown scheme {name:?}; there are {all}", name = .0, all = names())]
pub struct UnknownScheme(pub String);

/// The names of all schemes.
fn names() -> String {
    Scheme::ALL.iter().map(|scheme| scheme.name()).collect::<Vec<_>>().join(", ")
}

type MessageOf<S> = <S as SignatureScheme>::Message;

/// Evaluates an expression for the scheme of a suite, given its type and its value. This is the only place that tells
/// schemes apart: each scheme itself says whatever else is particular to it.
macro_rules! with_scheme {
    ($suite:expr, |$value:ident: $type:ident| $body:expr) => {
        match $suite.scheme {
            Scheme::Schnorr => with_scheme!(Schnorr, $suite, $value, $type, $body),
            Scheme::Eddsa => with_scheme!(Eddsa, $suite, $value, $type, $body),
            Scheme::Musig => with_scheme!(Musig, $suite, $value, $type, $body),
            Scheme::EcdsaSecp256k1 => with_scheme!(EcdsaSecp256k1, $suite, $value, $type, $body),
            Scheme::EcdsaP256 => with_scheme!(EcdsaP256, $suite, $value, $type, $body),
            Scheme::SchnorrSecp256k1 => with_scheme!(Bip340, $suite, $value, $type, $body),
            Scheme::Ed25519 => with_scheme!(Ed25519, $suite, $value, $type, $body),
            Scheme::BlsBls12381 => with_scheme!(Bls12381, $suite, $value, $type, $body),
            Scheme::BlsBls12381MinSig => with_scheme!(Bls12381MinSig, $suite, $value, $type, $body),
            Scheme::BlsBn254 => with_scheme!(Bn254MinPk, $suite, $value, $type, $body),
            Scheme::BlsBn254MinSig => with_scheme!(Bn254MinSig, $suite, $value, $type, $body),
            #[cfg(test)]
            Scheme::Preimage => with_scheme!(Preimage, $suite, $value, $type, $body),
        }
    };
    ($scheme:ty, $suite:expr, $value:ident, $type:ident, $body:expr) => {{
        type $type = $scheme;
        let $value = $type::with($suite.choices);
        $body
    }};
}

impl Scheme {
    /// All schemes.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The scheme with members named by coordinates and its default rule.
    pub fn suite(self) -> Suite {
        Suite { scheme: self, choices: Choices::default() }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        with_scheme!(self.suite(), |_scheme: S| S::NAME)
    }

    /// The scheme in words.
    pub fn description(self) -> Description {
        with_scheme!(self.suite(), |_scheme: S| S::description())
    }

    /// Whether the signers make one signature together.
    pub fn is_aggregate(self) -> bool {
        with_scheme!(self.suite(), |_scheme: S| S::AGGREGATE)
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
        with_scheme!(self.suite(), |scheme: S| {
            scheme
                .adds_keys()
                .map_or(LeafFormat::Names, |keys| LeafFormat::Keys(keys.leaf_format()))
        })
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
        with_scheme!(self.suite(), |_scheme: S| S::public_message(&form))
    }

    /// Length of a message in bytes; `None` if it may have any.
    pub fn message_length(self) -> Option<usize> {
        with_scheme!(self.suite(), |_scheme: S| <MessageOf<S> as SignedMessage>::LENGTH)
    }

    /// Reads a message of the scheme; `None` if the length is wrong, or if the integer is not a field element
    /// where one is needed.
    pub fn message_from_bytes(self, bytes: &[u8]) -> Option<Message> {
        with_scheme!(self.suite(), |_scheme: S| {
            let message = <MessageOf<S> as SignedMessage>::from_bytes(bytes);
            message.map(|message| message.to_message())
        })
    }

    /// Whether the members of a set can be named as `keys` says.
    pub fn names_members_by(self, keys: KeyKind) -> bool {
        Suite::new(self, keys, None, None).is_ok()
    }

    /// The default rule; `None` for a scheme without a choice of rule.
    pub fn default_rule(self) -> Option<Rule> {
        with_scheme!(self.suite(), |_scheme: S| S::RULES.first().copied())
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
        let choices =
            with_scheme!(scheme.suite(), |_scheme: S| Choices::new::<S>(keys, rule, form))?;
        Ok(Self { scheme, choices })
    }

    /// The same suite with messages hashed to points by `hash`.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice::Hash`] if the scheme does not hash messages of the chosen form this way.
    pub fn with_hash(self, hash: PointHash) -> Result<Self, NoSuchChoice> {
        let choices = with_scheme!(self, |_scheme: S| self.choices.with_hash::<S>(hash))?;
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
        self.choices.form().unwrap_or_else(|| with_scheme!(self, |_scheme: S| S::FORM))
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

    /// Runs `visitor` on the scheme.
    pub fn visit<V: SchemeVisitor>(&self, visitor: V) -> V::Output {
        with_scheme!(self, |scheme: S| visitor.visit(scheme))
    }

    /// Checks whether a set can hold `key`.
    ///
    /// # Errors
    ///
    /// [`SignatureError::OtherKey`] for a key of another kind, or the rule that the key breaks.
    pub fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        with_scheme!(self, |scheme: S| scheme.admits(key))
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
        with_scheme!(self, |scheme: S| {
            let keys = S::decode_public_keys(list).into_iter();
            keys.map(|key| key.map(|key| scheme.member(&key))).collect()
        })
    }

    /// The part of a key's encoding that is the key itself, if the length is right. This takes no time. If two
    /// encodings agree on it, [`Self::decode_key`] reads the same key from each or refuses it.
    ///
    /// # Errors
    ///
    /// The rule that bytes of this length break.
    pub fn key_part<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SignatureError> {
        with_scheme!(self, |_scheme: S| {
            if !S::KEY_LENGTHS.contains(&bytes.len()) {
                // Refused before any arithmetic.
                S::decode_public_key(bytes)?;
            }
            Ok(S::key_part(bytes))
        })
    }

    /// A key in the encoding of the scheme's own standard; `None` for a key of another scheme or an
    /// address.
    pub fn encode_key(&self, key: &PublicKey) -> Option<Vec<u8>> {
        with_scheme!(self, |scheme: S| scheme.encode_member(key))
    }

    /// Reads a member's signature and checks everything except the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that the bytes break.
    pub fn decode_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        with_scheme!(self, |scheme: S| scheme.decode_member_signature(bytes))
    }

    /// The gates that the scheme's circuits need.
    pub(crate) fn needs(&self) -> Needs {
        with_scheme!(self, |scheme: S| scheme.needs())
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
