//! Signature schemes outside a circuit: what they are in words, how they name keys, which rules they have, and signatures
//! of any of them.

use std::{
    any::Any,
    fmt::{self, Debug},
    sync::Arc,
};

use rand_core::{CryptoRng, RngCore};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::{MessageForm, PointHash, PublicMessage, SignatureError, SignedMessage};
use crate::curve::weierstrass::Curve;

/// A signature scheme outside a circuit.
///
/// Keys and signatures are evidence: a value of type `PublicKey` or `Signature` obeys every rule of
/// its encoding, so `verify` only has to check the equation.
pub trait SignatureScheme {
    /// The name of the scheme on the command line and in files.
    const NAME: &'static str;
    /// How a set can name its members.
    const KEY_KINDS: &'static [KeyKind] = &[KeyKind::Coordinates];
    /// The rules to choose from, the default first; empty if there is only one way to accept a
    /// signature.
    const RULES: &'static [Rule] = &[];
    /// Lengths in bytes that the encoding of a key may have. Other lengths are refused without looking at the point.
    const KEY_LENGTHS: &'static [usize] = &[32];
    /// Which part of a message is public by default.
    const FORM: MessageForm = MessageForm::Public;
    /// A secret key. It is wiped when dropped, and is never printed.
    type SecretKey: Send + Sync;
    /// A checked public key.
    type PublicKey: Copy + Eq + Debug;
    /// What is signed.
    type Message: SignedMessage;
    /// A checked signature.
    type Signature: Clone + MemberSignature;

    /// The scheme in words.
    fn description() -> Description;

    /// Whether its signers sign messages of this form.
    fn takes(form: &MessageForm) -> bool {
        form.is_public()
    }

    /// Whether its signers hash messages of this form, which it takes, to points by `hash`. Schemes that hash nothing
    /// to points have the default hash, too.
    fn hashes(hash: PointHash, _form: MessageForm) -> bool {
        hash.is_default()
    }

    /// How a statement represents a message of a form that its signers sign.
    fn public_message(form: &MessageForm) -> PublicMessage {
        if form.is_plain() {
            PublicMessage::Plain
        } else {
            Self::Message::PUBLIC
        }
    }

    /// A fresh secret key.
    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> Self::SecretKey;

    /// The secret key that a 32-byte seed stands for.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] for the one seed in about 2^250 that gives the zero key.
    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<Self::SecretKey, SignatureError>;

    /// The secret key, or the seed that it is made from, in the scheme's byte order. Wiped when
    /// dropped.
    fn encode_secret_key(secret_key: &Self::SecretKey) -> Zeroizing<[u8; 32]>;

    /// The public key of a secret key.
    fn public_key(secret_key: &Self::SecretKey) -> Self::PublicKey;

    /// Signs a message. Schemes with deterministic nonces draw nothing from `rng`.
    fn sign(
        secret_key: &Self::SecretKey,
        message: &Self::Message,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Self::Signature;

    /// Checks a signature, in variable time.
    ///
    /// # Errors
    ///
    /// [`SignatureError::Equation`] if this is not a signature on this message by this key; or the
    /// rule of the scheme that a well-formed signature breaks.
    fn verify(
        public_key: &Self::PublicKey,
        message: &Self::Message,
        signature: &Self::Signature,
    ) -> Result<(), SignatureError>;

    /// The key in the encoding of the scheme's own standard.
    fn encode_public_key(public_key: &Self::PublicKey) -> Vec<u8>;

    /// Reads a key and checks it.
    ///
    /// # Errors
    ///
    /// [`SignatureError::PublicKey`] or [`SignatureError::Key`] with the rule that the bytes break.
    fn decode_public_key(bytes: &[u8]) -> Result<Self::PublicKey, SignatureError>;

    /// Reads many keys, with the verdicts of [`Self::decode_public_key`]; faster where keys come with proofs.
    fn decode_public_keys(list: &[&[u8]]) -> Vec<Result<Self::PublicKey, SignatureError>> {
        list.iter().map(|bytes| Self::decode_public_key(bytes)).collect()
    }

    /// The part of a key's encoding that is the key itself: two encodings with the same part are of the same key.
    fn key_part(bytes: &[u8]) -> &[u8] {
        bytes
    }

    /// The signature in the encoding of the scheme's own standard.
    fn encode_signature(signature: &Self::Signature) -> Vec<u8> {
        signature.to_bytes()
    }

    /// Reads a signature and checks everything except the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that a part of the signature breaks.
    fn decode_signature(bytes: &[u8]) -> Result<Self::Signature, SignatureError>;
}

/// What a scheme takes and what it accepts. Each scheme writes its own, next to its code and from
/// the constants that the code uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The curve.
    pub curve: &'static str,
    /// Encoding of a public key.
    pub public_key: String,
    /// What is signed.
    pub message: &'static str,
    /// Encoding of a signature.
    pub signature: String,
    /// When a signature is valid.
    pub equation: String,
    /// Which keys are accepted.
    pub key_rules: &'static str,
    /// What a signature must satisfy besides the equation.
    pub signature_rules: String,
    /// Whether signatures made for something else count.
    pub elsewhere: String,
}

/// Where a curve comes from.
pub(super) fn origin(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1 (SEC 2)",
        Curve::P256 => "P-256, or secp256r1 (FIPS 186-5)",
        Curve::Edwards25519 => "edwards25519 (RFC 8032)",
    }
}

/// What schemes over curves of other fields sign.
pub(super) const DIGEST: &str =
    "32 bytes: the digest of what is signed, by the hash that the signers use";

/// Which points of a curve of prime order are keys.
pub(super) const ON_CURVE: &str = "canonical, on the curve, not the identity";

/// How a set names its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyKind {
    /// By the coordinates of their keys.
    #[default]
    Coordinates,
    /// By Ethereum addresses.
    Address,
}

impl KeyKind {
    /// Whether it is by coordinates.
    pub fn is_coordinates(&self) -> bool {
        *self == Self::Coordinates
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinates => "coordinates",
            Self::Address => "address",
        })
    }
}

/// Which signatures count where implementations differ. A scheme lists its rules in
/// [`SignatureScheme::RULES`]; for any other rule, its checks apply the narrowest
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// ECDSA: of (r, s) and (r, n - s) only the one whose s is at most n/2, as in Bitcoin (BIP-146)
    /// and Ethereum (EIP-2).
    LowS,
    /// ECDSA: both, as in the standards.
    AnyS,
    /// Ed25519: the equation times the cofactor, for any encoding of a point (ZIP 215).
    Zip215,
    /// Ed25519: the equation times the cofactor, for canonical encodings (RFC 8032, section 5.1.7).
    Rfc8032,
    /// Ed25519: the equation itself, for canonical encodings of points that are not of small order:
    /// `verify_strict` of the crate `ed25519-dalek`.
    Strict,
    /// BLS: keys whose owners have proven that they know the secrets.
    ProvenKeys,
    /// BLS: any keys. A rogue key, made up from the keys of others, signs for all of them, so whoever commits to a
    /// set must know by other means that it has none.
    TrustedKeys,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::LowS,
        Self::AnyS,
        Self::Zip215,
        Self::Rfc8032,
        Self::Strict,
        Self::ProvenKeys,
        Self::TrustedKeys,
    ];

    /// The name of the rule in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowS => "low-s",
            Self::AnyS => "any-s",
            Self::Zip215 => "zip215",
            Self::Rfc8032 => "rfc8032",
            Self::Strict => "strict",
            Self::ProvenKeys => "proven-keys",
            Self::TrustedKeys => "trusted-keys",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::LowS => "s at most n/2",
            Self::AnyS => "any s",
            Self::Zip215 => "8 times the equation, any encoding of R and A",
            Self::Rfc8032 => "8 times the equation, R and A canonical",
            Self::Strict => {
                "the equation itself, R and A canonical, R not of small order, A in the subgroup of \
                 order l"
            }
            Self::ProvenKeys => "each key with a proof of possession",
            Self::TrustedKeys => "keys without proofs of possession, on the word of whoever lists them",
        }
    }
}

/// A signature as a member of a set makes it. A value obeys every rule of its encoding.
pub trait MemberSignature: Any + Debug + Send + Sync {
    /// The bytes in the encoding of the scheme's own standard.
    fn to_bytes(&self) -> Vec<u8>;
}

/// A signature of some scheme, whose bytes obey every rule of their encoding.
#[derive(Clone, Debug)]
pub struct AnySignature(Arc<dyn MemberSignature>);

impl AnySignature {
    /// The bytes in the encoding of the scheme's own standard.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The signature, if it is of this type.
    pub fn of<G: MemberSignature>(&self) -> Option<&G> {
        let signature: &dyn Any = &*self.0;
        signature.downcast_ref()
    }
}

impl<G: MemberSignature> From<G> for AnySignature {
    fn from(signature: G) -> Self {
        Self(Arc::new(signature))
    }
}
