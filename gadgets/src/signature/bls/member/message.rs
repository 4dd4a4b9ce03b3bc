//! The points that are signed, in circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

use crate::{
    curve::pairing::PairingEquations,
    hash::to_curve::{FixedMessage, PointSearch},
    signature::{
        bls::chip::{MessagePoint, PointGroup},
        instructions::Chains,
        signed_bytes::{assert_public, AssignedBytes},
    },
};
use muster_gates::{foreign::Equation, GateContext};
use muster_schemes::signature::bls::member::{Bls, Possession};
use muster_schemes::signature::{
    bls::{Ciphersuite, PUBLIC_BYTES},
    MessageForm, PointHash, PublicMessage, SignatureScheme,
};

/// A point of the group of signatures.
pub(super) type Point<S> = <<S as Ciphersuite>::RawPoint as PointGroup>::Point;

/// A suite in circuit: a circuit can take the points of both groups, and what members sign.
pub trait CiphersuiteChip:
    Possession<
    RawKey: PointGroup<Other = <Self as Ciphersuite>::RawPoint>,
    RawPoint: PointGroup<Other = <Self as Ciphersuite>::RawKey>,
>
{
    /// What it hashes with SHA-256 for messages of this form, hashed in this way, if anything.
    fn sha256((form, hash): (MessageForm, PointHash)) -> Option<Chains> {
        let is_other = matches!(hash, PointHash::Search { .. } | PointHash::Keccak(_));
        (!is_point::<Self>(form) && !is_other).then_some(Chains::Shared)
    }

    /// Whether it hashes such messages with Keccak-256.
    fn keccak((form, hash): (MessageForm, PointHash)) -> bool {
        !is_point::<Self>(form) && matches!(hash, PointHash::Keccak(_))
    }

    /// The equations that such messages take.
    fn message_equations((form, hash): (MessageForm, PointHash)) -> Vec<Equation> {
        match hash {
            _ if is_point::<Self>(form) => vec![],
            PointHash::Search { most } => PointSearch::new(most).all(),
            PointHash::Proven | PointHash::Basic | PointHash::Tagged(_) | PointHash::Keccak(_) => {
                Self::RawPoint::hash_equations(Self::CURVE)
            }
        }
    }

    /// The point that is signed, bound to the public inputs of a message of this form, hashed in this way.
    fn assign_point(
        ctx: &mut GateContext,
        (form, hash): (MessageForm, PointHash),
        (public, message): (&[AssignedValue<Fr>], &Self::Message),
    ) -> MessagePoint<Point<Self>> {
        let equations = PairingEquations::new(Self::CURVE);
        if is_point::<Self>(form) {
            let point = Self::signed_point(message, hash).coordinates();
            return point.public(ctx, &equations, public);
        }
        if let PointHash::Search { most } = hash {
            let digest = public.try_into().expect("32 bytes take two public inputs");
            let search = (&PointSearch::new(most), digest);
            return Self::RawPoint::found(ctx, &equations, search);
        }
        let tag = Self::tag(&hash).expect("bytes that are not searched for are hashed with a tag");
        match form {
            MessageForm::Public => {
                let text = FixedMessage::new(public, PUBLIC_BYTES);
                if Self::keccak((form, hash)) {
                    return Self::RawPoint::hash_with_keccak(ctx, &equations, &text, &tag);
                }
                Self::RawPoint::hash(ctx, &equations, &text, &tag)
            }
            MessageForm::Sha256 { most } => {
                // Where bytes are missing, any will do: the constraints refuse them.
                let signed = Self::signed_bytes(message).cloned().unwrap_or_default();
                let bytes = AssignedBytes::new(ctx, (&signed, most));
                assert_public(ctx, bytes.digest(), public);
                Self::RawPoint::hash(ctx, &equations, bytes.text(), &tag)
            }
            MessageForm::Point | MessageForm::Bytes { .. } | MessageForm::CometbftPrecommit => {
                unreachable!("the scheme hashes no messages of this form")
            }
        }
    }
}

impl<S: Possession> CiphersuiteChip for S
where
    S::RawKey: PointGroup<Other = S::RawPoint>,
    S::RawPoint: PointGroup<Other = S::RawKey>,
{
}

/// Whether messages of this form are points.
fn is_point<S: Possession>(form: MessageForm) -> bool {
    matches!(Bls::<S>::public_message(&form), PublicMessage::Point(_))
}
