//! What the schemes of this folder differ in.

use std::fmt::Debug;

use blake2::{Blake2b512, Digest};
use ff::FromUniformBytes;
use halo2curves::{bls12_381, bn256};
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use crate::{
    hash::to_curve::Tag,
    signature::{
        bls::{
            bls12381, scheme::TaggedSuite, Ciphersuite, HashedMessage, MinPkBasicBls12381,
            MinPkPopBls12381, MinPkProofBls12381, MinSigBasicBls12381, MinSigBasicBn254,
            MinSigPopBls12381, MinSigPopBn254, MinSigProofBls12381, MinSigProofBn254, OtherHash,
            PublicKey, SecretKey, Signature, SignedPoint, PUBLIC_BYTES,
        },
        FarPoint, KeyFormat, MessageForm, PointHash, SignedBytes, SignedMessage,
    },
};

/// A suite whose keys can be members of a set: its names, what members sign, and how a key comes with a proof that its
/// owner knows the secret.
pub trait Possession: Ciphersuite {
    /// The name of the scheme.
    const SCHEME: &'static str;
    /// Label of the tag under which a key is hashed to one field element.
    const NAME_DOMAIN: &'static str;
    /// How a leaf holds keys, in [these elements](super::OwnedKey::parts).
    const LEAF: KeyFormat;
    /// Bytes of a proof of possession.
    const PROOF_BYTES: usize;
    /// What members sign.
    type Message: SignedMessage;
    /// A proof that the owner of a key knows the secret.
    type Proof: Copy + Debug + PartialEq + Send + Sync;

    /// The scheme in words.
    fn words() -> Words;

    /// The secret that a seed stands for; zero for one in about 2^250.
    fn secret_of_seed(seed: &[u8; 32]) -> Self::Scalar;

    /// Whether its signers sign messages of this form.
    fn takes(form: &MessageForm) -> bool {
        form.is_public()
    }

    /// Whether its signers hash messages of this form, which it takes, in this way.
    fn hashes(hash: PointHash, _form: MessageForm) -> bool {
        hash.is_default()
    }

    /// The tag with which this way hashes bytes to points; `None` if there is no tag in it.
    fn tag(_hash: &PointHash) -> Option<Tag<'_>> {
        None
    }

    /// The bytes that are hashed, if there are any and they are known.
    fn signed_bytes(_message: &Self::Message) -> Option<&SignedBytes> {
        None
    }

    /// Checks that a circuit finds the point of a message, if bytes are hashed in this way.
    ///
    /// # Errors
    ///
    /// [`FarPoint`].
    fn check_distance(_message: &Self::Message, _hash: PointHash) -> Result<(), FarPoint> {
        Ok(())
    }

    /// Another hash, of those that the schemes have, with which a signature that does not hold if bytes are hashed in
    /// this way does.
    fn other_hash(
        _key: &PublicKey<Self>,
        _message: &Self::Message,
        _signature: &Signature<Self>,
        _hash: PointHash,
    ) -> Option<OtherHash> {
        None
    }

    /// A random message of a form that it takes.
    fn random_message(_form: MessageForm, rng: &mut (impl RngCore + CryptoRng)) -> Self::Message {
        Self::Message::random(rng)
    }

    /// The point that is signed, if bytes are hashed in this way.
    fn signed_point(message: &Self::Message, hash: PointHash) -> SignedPoint<Self>;

    /// Signs a message, if bytes are hashed in this way.
    fn sign_message(
        secret: &SecretKey<Self>,
        message: &Self::Message,
        hash: PointHash,
    ) -> Signature<Self>;

    /// Proves that its owner knows this secret.
    fn prove(secret: &SecretKey<Self>) -> Self::Proof;

    /// Reads a proof and checks everything except its equations.
    fn read_proof(bytes: &[u8]) -> Option<Self::Proof>;

    /// Whether all of these proofs hold for their keys, by a sum with these coefficients; see
    /// [`Ciphersuite::verify_each`].
    fn are_proofs(owned: &[(PublicKey<Self>, Self::Proof)], coefficients: &[u128]) -> bool;

    /// The bytes that it is read from.
    fn proof_to_bytes(proof: &Self::Proof) -> Vec<u8>;
}

/// A scheme in words.
#[derive(Clone, Debug)]
pub struct Words {
    /// The curve, and the groups of keys and signatures.
    pub curve: &'static str,
    /// What a key is.
    pub key: &'static str,
    /// What a proof of possession is, or where it is defined.
    pub proof: &'static str,
    /// What a message is.
    pub message: &'static str,
    /// How a sum of signatures is encoded.
    pub signature: &'static str,
    /// When a signature is valid.
    pub equation: String,
    /// Whether signatures made for something else count.
    pub elsewhere: &'static str,
}

/// Members of a suite that hashes messages. Their proofs are signatures on the encoding of the key, under a tag for
/// nothing else: that of the suite `$possession`. They may also sign under the tag of the basic scheme, that of
/// `$basic`, or one of their own; or the point that [`TaggedSuite::SEARCH`] finds or [`TaggedSuite::KECCAK`] hashes to. All
/// three suites have the same groups.
macro_rules! members {
    ($suite:ident, $possession:ident, $basic:ident, { $($named:tt)* }) => {
        impl Possession for $suite {
            $($named)*

            const PROOF_BYTES: usize = Self::SIGNATURE_BYTES;
            type Message = HashedMessage<Self>;
            type Proof = Signature<$possession>;

            /// 32 bytes that are public themselves, bytes that are public by their SHA-256, or a point.
            fn takes(form: &MessageForm) -> bool {
                matches!(
                    form,
                    MessageForm::Public | MessageForm::Sha256 { .. } | MessageForm::Point
                )
            }

            /// There is a choice only where bytes are hashed. A search starts from the 32 that are public, and circuits
            /// hash no others with Keccak. The tag of proofs of possession, which anyone may read, is for nothing else.
            fn hashes(hash: PointHash, form: MessageForm) -> bool {
                match hash {
                    PointHash::Proven => true,
                    PointHash::Basic => !form.is_point(),
                    PointHash::Tagged(tag) => {
                        !form.is_point() && tag.bytes() != <$possession>::TAG
                    }
                    PointHash::Keccak(_) => Self::KECCAK.is_some() && form.is_public(),
                    PointHash::Search { .. } => Self::SEARCH.is_some() && form.is_public(),
                }
            }

            fn tag(hash: &PointHash) -> Option<Tag<'_>> {
                let own = |tag| Tag::new(tag).expect("a tag of less than 256 bytes");
                match hash {
                    PointHash::Proven => Some(own(Self::TAG)),
                    PointHash::Basic => Some(own($basic::TAG)),
                    PointHash::Tagged(tag) | PointHash::Keccak(tag) => Some(tag.tag()),
                    PointHash::Search { .. } => None,
                }
            }

            fn signed_bytes(message: &HashedMessage<Self>) -> Option<&SignedBytes> {
                message.bytes()
            }

            fn check_distance(
                message: &HashedMessage<Self>,
                hash: PointHash,
            ) -> Result<(), FarPoint> {
                let (PointHash::Search { most }, HashedMessage::Bytes(signed)) = (hash, message)
                else {
                    return Ok(());
                };
                let (_, passed) = Self::searched(signed.bytes());
                (passed < most).then_some(()).ok_or(FarPoint { passed, most })
            }

            fn other_hash(
                key: &PublicKey<Self>,
                message: &HashedMessage<Self>,
                signature: &Signature<Self>,
                hash: PointHash,
            ) -> Option<OtherHash> {
                let bytes = message.bytes()?.bytes();
                let tag = Self::tag(&hash);
                let own = tag.as_ref().map(|tag| tag.bytes());
                if let Some(other) = key.other_tag(bytes, signature, own) {
                    return Some(other);
                }
                let search = Self::SEARCH.filter(|_| tag.is_some() && bytes.len() == PUBLIC_BYTES)?;
                let point = SignedPoint::<Self>(search(bytes).0);
                point.is_signed(key, signature).then_some(OtherHash::Search)
            }

            /// A random point is a hash, like any other that is signed.
            fn random_message(
                form: MessageForm,
                rng: &mut (impl RngCore + CryptoRng),
            ) -> HashedMessage<Self> {
                let bytes = SignedBytes::random(rng);
                match form {
                    MessageForm::Sha256 { most } => bytes.up_to(most).into(),
                    MessageForm::Point => {
                        Self::signed_point(&bytes.into(), PointHash::default()).into()
                    }
                    _ => bytes.into(),
                }
            }

            fn signed_point(message: &HashedMessage<Self>, hash: PointHash) -> SignedPoint<Self> {
                let signed = match message {
                    HashedMessage::Point(point) => return *point,
                    HashedMessage::Bytes(signed) => signed,
                };
                SignedPoint(match (hash, Self::tag(&hash)) {
                    (PointHash::Keccak(_), Some(tag)) => {
                        let keccak = Self::KECCAK;
                        let keccak = keccak.expect("schemes without this hash have no such choice");
                        keccak(signed.bytes(), &tag)
                    }
                    (_, Some(tag)) => Self::hashed_with(signed.bytes(), &tag),
                    (_, None) => Self::searched(signed.bytes()).0,
                })
            }

            /// Where bytes are hashed with SHA-256, by the suite itself, which is in constant time if the suite is.
            fn sign_message(
                secret: &SecretKey<Self>,
                message: &HashedMessage<Self>,
                hash: PointHash,
            ) -> Signature<Self> {
                match (message, hash, Self::tag(&hash)) {
                    (HashedMessage::Point(point), ..) => point.signed_by(secret),
                    (HashedMessage::Bytes(_), PointHash::Keccak(_), _)
                    | (HashedMessage::Bytes(_), _, None) => {
                        Self::signed_point(message, hash).signed_by(secret)
                    }
                    (HashedMessage::Bytes(signed), _, Some(tag)) => {
                        Signature(Self::sign_tagged(&secret.scalar(), signed.bytes(), &tag))
                    }
                }
            }

            fn prove(secret: &SecretKey<Self>) -> Self::Proof {
                let key = secret.public_key().to_bytes();
                Signature($possession::sign(&secret.scalar(), &key))
            }

            fn read_proof(bytes: &[u8]) -> Option<Self::Proof> {
                Signature::from_bytes(bytes).ok()
            }

            fn are_proofs(
                owned: &[(PublicKey<Self>, Self::Proof)],
                coefficients: &[u128],
            ) -> bool {
                let keys: Vec<_> = owned.iter().map(|(key, _)| key.to_bytes()).collect();
                // The same key, under another tag.
                let signed = owned.iter().zip(&keys).map(|((key, proof), bytes)| {
                    (PublicKey::<$possession>(key.0), &bytes[..], *proof)
                });
                PublicKey::verify_each(signed, coefficients)
            }

            fn proof_to_bytes(proof: &Self::Proof) -> Vec<u8> {
                proof.to_bytes()
            }
        }
    };
}

/// The prefix of a seed when it is hashed to a secret of BN254.
const BN254_LABEL: &str = "muster.bls.bn254.key.v1";
const COMPRESSED: &str = "the compressed point";
const COMPRESSED_SUM: &str = "the sum of their signatures, compressed";
const DRAFT: &str = "draft-irtf-cfrg-bls-signature, section 3.3";
const SAME_HASH: &str = "count if they are on the same bytes, with the chosen hash";
const HASHED: &str = "32 bytes: the digest of what is signed, by the hash that the signers use; or bytes whose SHA-256 is \
                      public (--message-form sha256:N, at most N of them, N at most 16,384); or the point that they are hashed to \
                      (--message-form point), by its coordinates, big-endian, x before y and imaginary parts before \
                      real ones: then whoever verifies hashes the message themselves, and compares the point";

members!(MinPkPopBls12381, MinPkProofBls12381, MinPkBasicBls12381, {
    const SCHEME: &'static str = "bls-bls12-381";
    const NAME_DOMAIN: &'static str = "muster.key.bls12-381-g1.v1";
    const LEAF: KeyFormat = KeyFormat::new(4, "muster.leaf.bls12-381-g1.v1");

    fn words() -> Words {
        Words {
            curve: "BLS12-381, keys in G1 and signatures in G2",
            key: COMPRESSED,
            proof: DRAFT,
            message: HASHED,
            signature: COMPRESSED_SUM,
            equation: format!("e(ΣA, H(m)) = e(g, σ), {}", hashes::<Self>()),
            elsewhere: "count if they are on the same bytes, with the chosen tag: Ethereum's \
                        validators sign with that of --hash pop",
        }
    }

    fn secret_of_seed(seed: &[u8; 32]) -> bls12_381::Fr {
        bls12381::secret_of_seed(seed)
    }
});

members!(MinSigPopBls12381, MinSigProofBls12381, MinSigBasicBls12381, {
    const SCHEME: &'static str = "bls-bls12-381-min-sig";
    const NAME_DOMAIN: &'static str = "muster.key.bls12-381-g2.v1";
    const LEAF: KeyFormat = KeyFormat::new(8, "muster.leaf.bls12-381-g2.v1");

    fn words() -> Words {
        Words {
            curve: "BLS12-381, keys in G2 and signatures in G1",
            key: COMPRESSED,
            proof: DRAFT,
            message: HASHED,
            signature: COMPRESSED_SUM,
            equation: format!("e(H(m), ΣA) = e(σ, g), {}", hashes::<Self>()),
            elsewhere:
                "count if they are on the same bytes, with the chosen tag: Sui's validators sign \
                        with that of --hash nul",
        }
    }

    fn secret_of_seed(seed: &[u8; 32]) -> bls12_381::Fr {
        bls12381::secret_of_seed(seed)
    }
});

members!(MinSigPopBn254, MinSigProofBn254, MinSigBasicBn254, {
    const SCHEME: &'static str = "bls-bn254-min-sig";
    const NAME_DOMAIN: &'static str = "muster.key.bn254-g2.v1";
    const LEAF: KeyFormat = KeyFormat::new(6, "muster.leaf.bn254-g2.v1");

    fn words() -> Words {
        Words {
            curve: "BN254, keys in G2 and signatures in G1",
            key: "the point, with coordinates in the order of EIP-197",
            proof: "a signature on the bytes of the key, with a tag for nothing else",
            message: HASHED,
            signature: "the sum of their signatures, both coordinates",
            equation: format!("e(H(m), ΣA) = e(σ, g), {}", hashes::<Self>()),
            elsewhere: SAME_HASH,
        }
    }

    fn secret_of_seed(seed: &[u8; 32]) -> bn256::Fr {
        bn254_secret(seed)
    }
});

/// The available hashes, in words.
fn hashes<S: Possession>() -> String {
    let tag = |hash| {
        let tag = S::tag(&hash).expect("there is a tag in it");
        String::from_utf8_lossy(tag.bytes()).into_owned()
    };
    let [proven, basic] = [PointHash::Proven, PointHash::Basic].map(tag);
    let search = if S::hashes(PointHash::Search { most: 1 }, MessageForm::Public) {
        "; H over Keccak-256 with a tag of your own (--hash keccak:TAG), for 32 bytes; or the first point from \
         the 32 bytes on, as BN254.hashToG1 of EigenLayer's contracts finds it (--hash try-and-increment:N, with \
         N numbers that a circuit looks at)"
    } else {
        ""
    };
    format!(
        "H with the tag {proven} (--hash pop, the default), {basic} (--hash nul) or one of your own \
         (--hash tag:TAG){search}"
    )
}

/// The secret that a seed stands for over BN254: Blake2b-512 of a label and the seed, modulo the order.
pub(super) fn bn254_secret(seed: &[u8; 32]) -> bn256::Fr {
    let hash = Blake2b512::new_with_prefix(BN254_LABEL).chain_update(seed).finalize();
    bn256::Fr::from_uniform_bytes(&Zeroizing::new(<[u8; 64]>::from(hash)))
}
