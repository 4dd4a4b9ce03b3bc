//! The signature schemes for which there are circuits.

use std::{fmt, str::FromStr};

use muster_gadgets::{
    membership::{LeafFormat, PublicKey},
    signature::{
        bip340::Bip340,
        bls::member::{Bls12381, Bls12381MinSig, Bn254MinPk, Bn254MinSig},
        ecdsa::{EcdsaP256, EcdsaSecp256k1},
        ed25519::Ed25519,
        eddsa::Eddsa,
        instructions::{Needs, SignatureInstructions},
        musig::Musig,
        schnorr::Schnorr,
        AnySignature, Choices, Description, KeyKind, Message, MessageForm, NoSuchChoice, PointHash,
        PublicMessage, Rule, SignatureError, SignedMessage,
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
    #[cfg(feature = "forgery")]
    Preimage,
}

/// An operation generic over the scheme.
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

/// How a leaf holds the keys of a scheme.
pub(crate) fn leaf_format<S: SignatureInstructions>(scheme: &S) -> LeafFormat {
    scheme.adds_keys().map_or(LeafFormat::Names, |keys| LeafFormat::Keys(keys.leaf_format()))
}

/// What is true of a scheme whatever its choices.
struct Facts {
    name: &'static str,
    description: fn() -> Description,
    is_aggregate: bool,
    public: fn(&MessageForm) -> PublicMessage,
    message_length: Option<usize>,
    read_message: fn(&[u8]) -> Option<Message>,
    key_kinds: &'static [KeyKind],
    rules: &'static [Rule],
    form: MessageForm,
    adds_keys: bool,
    leaf_format: LeafFormat,
}

struct Tell;

impl SchemeVisitor for Tell {
    type Output = Facts;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Facts {
        Facts {
            name: S::NAME,
            description: S::description,
            is_aggregate: S::AGGREGATE,
            public: S::public_message,
            message_length: S::Message::LENGTH,
            read_message: |bytes| S::Message::from_bytes(bytes).map(|read| read.to_message()),
            key_kinds: S::KEY_KINDS,
            rules: S::RULES,
            form: S::FORM,
            adds_keys: scheme.adds_keys().is_some(),
            leaf_format: leaf_format(&scheme),
        }
    }
}

impl Scheme {
    /// All schemes.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The scheme with members named by coordinates and its default rule.
    pub fn suite(self) -> Suite {
        Suite { scheme: self, choices: Choices::default() }
    }

    fn facts(self) -> Facts {
        self.suite().visit(Tell)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The scheme in words.
    pub fn description(self) -> Description {
        (self.facts().description)()
    }

    /// Whether the signers make one signature together.
    pub fn is_aggregate(self) -> bool {
        self.facts().is_aggregate
    }

    /// Whether the root of a set commits to the sum of all keys, so that there is the mode
    /// [`Complement`](crate::Mode::Complement).
    pub fn adds_keys(self) -> bool {
        self.facts().adds_keys
    }

    /// How a leaf holds the scheme's keys.
    pub fn leaf_format(self) -> LeafFormat {
        self.facts().leaf_format
    }

    /// Children of a node by default: the fastest over the sweeps, see `RESULTS.md`. Where leaves have whole keys, nodes share
    /// their permutation.
    pub fn default_arity(self) -> usize {
        match self.leaf_format() {
            LeafFormat::Names => 5,
            LeafFormat::Keys(_) => 16,
        }
    }

    /// What kind of message a statement has if messages take this form.
    pub(crate) fn public_message(self, form: MessageForm) -> PublicMessage {
        (self.facts().public)(&form)
    }

    /// Length of a message in bytes; `None` if it may have any.
    pub fn message_length(self) -> Option<usize> {
        self.facts().message_length
    }

    /// Reads a message of the scheme; `None` if the length is wrong, or if the integer is no field element
    /// where one is needed.
    pub fn message_from_bytes(self, bytes: &[u8]) -> Option<Message> {
        (self.facts().read_message)(bytes)
    }

    /// Whether the members of a set can be named as `keys` says.
    pub fn names_members_by(self, keys: KeyKind) -> bool {
        self.facts().key_kinds.contains(&keys)
    }

    /// The default rule; `None` for a scheme without such a choice.
    pub fn default_rule(self) -> Option<Rule> {
        self.facts().rules.first().copied()
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
        struct Choose(KeyKind, Option<Rule>, Option<MessageForm>);

        impl SchemeVisitor for Choose {
            type Output = Result<Choices, NoSuchChoice>;

            fn visit<S: SignatureInstructions>(self, _: S) -> Self::Output {
                Choices::new::<S>(self.0, self.1, self.2)
            }
        }

        let choices = scheme.suite().visit(Choose(keys, rule, form))?;
        Ok(Self { scheme, choices })
    }

    /// The same suite with messages hashed to points by `hash`.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice::Hash`] if the scheme does not hash messages of the chosen form this way.
    pub fn with_hash(self, hash: PointHash) -> Result<Self, NoSuchChoice> {
        struct Choose(Choices, PointHash);

        impl SchemeVisitor for Choose {
            type Output = Result<Choices, NoSuchChoice>;

            fn visit<S: SignatureInstructions>(self, _: S) -> Self::Output {
                self.0.with_hash::<S>(self.1)
            }
        }

        let choices = self.visit(Choose(self.choices, hash))?;
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
        self.choices.form().unwrap_or(self.scheme.facts().form)
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
            #[cfg(feature = "forgery")]
            Scheme::Preimage => visitor.visit(muster_gadgets::signature::preimage::Preimage),
        }
    }

    /// Checks whether a set can hold `key`.
    ///
    /// # Errors
    ///
    /// [`SignatureError::OtherKey`] for a key of another kind, or the rule that the key breaks.
    pub fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        struct Admits<'a>(&'a PublicKey);

        impl SchemeVisitor for Admits<'_> {
            type Output = Result<(), SignatureError>;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
                scheme.admits(self.0)
            }
        }

        self.visit(Admits(key))
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
        struct Decode<'a>(&'a [&'a [u8]]);

        impl SchemeVisitor for Decode<'_> {
            type Output = Vec<Result<PublicKey, SignatureError>>;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
                let keys = S::decode_public_keys(self.0).into_iter();
                keys.map(|key| key.map(|key| scheme.member(&key))).collect()
            }
        }

        self.visit(Decode(list))
    }

    /// The part of a key's encoding that is the key itself, if the length is right. This takes no time. If two
    /// encodings agree on it, [`Self::decode_key`] reads the same key from each or refuses it.
    ///
    /// # Errors
    ///
    /// The rule that bytes of this length break.
    pub fn key_part<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SignatureError> {
        struct Part<'a>(&'a [u8]);

        impl<'a> SchemeVisitor for Part<'a> {
            type Output = Result<&'a [u8], SignatureError>;

            fn visit<S: SignatureInstructions>(self, _: S) -> Self::Output {
                if !S::KEY_LENGTHS.contains(&self.0.len()) {
                    // Refused before any arithmetic.
                    S::decode_public_key(self.0)?;
                }
                Ok(S::key_part(self.0))
            }
        }

        self.visit(Part(bytes))
    }

    /// A key in the encoding of the scheme's own standard; `None` for a key of another scheme or an
    /// address.
    pub fn encode_key(&self, key: &PublicKey) -> Option<Vec<u8>> {
        struct Encode<'a>(&'a PublicKey);

        impl SchemeVisitor for Encode<'_> {
            type Output = Option<Vec<u8>>;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
                scheme.encode_member(self.0)
            }
        }

        self.visit(Encode(key))
    }

    /// Reads a member's signature and checks everything except the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that the bytes break.
    pub fn decode_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        struct Decode<'a>(&'a [u8]);

        impl SchemeVisitor for Decode<'_> {
            type Output = Result<AnySignature, SignatureError>;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
                scheme.decode_member_signature(self.0)
            }
        }

        self.visit(Decode(bytes))
    }

    /// The gates that the scheme's circuits need.
    pub(crate) fn needs(&self) -> Needs {
        struct Ask;

        impl SchemeVisitor for Ask {
            type Output = Needs;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Needs {
                scheme.needs()
            }
        }

        self.visit(Ask)
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
