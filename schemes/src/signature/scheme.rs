//! Signature schemes outside a circuit, and signatures of any scheme.

use std::{any::Any, fmt::Debug, sync::Arc};

use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::{
    Description, KeyKind, MessageForm, PointHash, PublicMessage, Rule, SignatureError,
    SignedMessage,
};

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
    fn encode_signature(signature: &Self::Signature) -> Vec<u8>;

    /// Reads a signature and checks everything except the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that a part of the signature breaks.
    fn decode_signature(bytes: &[u8]) -> Result<Self::Signature, SignatureError>;
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
