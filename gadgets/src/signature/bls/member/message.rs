//! The points that are signed, in circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};

use crate::{
    curve::pairing::chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations},
    hash::to_curve::chip::{FixedMessage, PointSearch},
    signature::{
        bls::chip::{Hashed, MessagePoint, PointGroup},
        instructions::Chains,
        signed_bytes::chip::{assert_public, AssignedBytes},
    },
};
use muster_gates::{foreign::Equation, Chips};
use muster_schemes::signature::bls::member::{Bn254PublicKey, MemberSuite, Proven};
use muster_schemes::{
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Tag},
    signature::{
        bls::{
            Coordinates, HashedMessage, ProvenBn254, ProvenPublicKey, ProvenSignature, SignedPoint,
            Suite, PUBLIC_BYTES,
        },
        MessageForm, PointHash,
    },
};

/// A point of the group of signatures.
pub(super) type Point<S> = <<S as Coordinates>::RawPoint as PointGroup>::Point;

/// Groups whose points a circuit can take.
pub trait InCircuit:
    Coordinates<
    RawKey: PointGroup<Other = <Self as Coordinates>::RawPoint>,
    RawPoint: PointGroup<Other = <Self as Coordinates>::RawKey>,
>
{
}

impl InCircuit for ProvenPublicKey {}
impl InCircuit for ProvenSignature {}
impl InCircuit for ProvenBn254 {}
impl InCircuit for Bn254PublicKey {}

/// A suite in circuit.
pub trait MemberInstructions: MemberSuite + InCircuit {
    /// What it hashes with SHA-256 for messages of this form, hashed in this way, if anything.
    fn sha256(choice: (MessageForm, PointHash)) -> Option<Chains>;

    /// The equations that such messages take.
    fn message_equations(choice: (MessageForm, PointHash)) -> Vec<Equation>;

    /// The point that is signed, bound to the public inputs of a message of this form, hashed in this way.
    fn assign_point(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        choice: (MessageForm, PointHash),
        message: (&[AssignedValue<Fr>], &Self::Message),
    ) -> MessagePoint<Point<Self>>;
}

/// A suite whose messages are hashed in circuit.
pub trait HashedMessages: Proven + InCircuit {
    /// The hash.
    type Hash: Hashed<Point = Point<Self>>;

    /// The point that a search finds among its numbers, from a digest on.
    ///
    /// # Panics
    /// For suites without a search: no scheme offers it for them.
    fn found(
        _ctx: &mut Context<Fr>,
        _chips: &Chips,
        _search: (&PointSearch, [AssignedValue<Fr>; 2]),
    ) -> MessagePoint<Point<Self>> {
        unreachable!("the scheme has no such hash")
    }
}

impl HashedMessages for ProvenPublicKey {
    type Hash = Bls12381G2;
}

impl HashedMessages for ProvenSignature {
    type Hash = Bls12381G1;
}

impl HashedMessages for ProvenBn254 {
    type Hash = Bn254G1;

    fn found(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        search: (&PointSearch, [AssignedValue<Fr>; 2]),
    ) -> MessagePoint<AssignedGroupPoint> {
        MessagePoint::found(ctx, chips, &PairingEquations::new(Self::CURVE), search)
    }
}

impl<S: HashedMessages> MemberInstructions for S {
    fn sha256((form, hash): (MessageForm, PointHash)) -> Option<Chains> {
        let is_searched = matches!(hash, PointHash::Search { .. });
        (!form.is_point() && !is_searched).then_some(Chains::Shared)
    }

    fn message_equations((form, hash): (MessageForm, PointHash)) -> Vec<Equation> {
        match (form, hash) {
            (MessageForm::Point, _) => vec![],
            (_, PointHash::Search { most }) => PointSearch::new(most).all(),
            (_, PointHash::Proven | PointHash::Basic) => S::Hash::equations(),
        }
    }

    fn assign_point(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        (form, hash): (MessageForm, PointHash),
        (public, message): (&[AssignedValue<Fr>], &HashedMessage<S>),
    ) -> MessagePoint<Point<S>> {
        let equations = PairingEquations::new(S::CURVE);
        let tag = match hash {
            PointHash::Proven => S::TAG,
            PointHash::Basic => S::Basic::TAG,
            PointHash::Search { most } => {
                let digest = public.try_into().expect("32 bytes take two public inputs");
                return S::found(ctx, chips, (&PointSearch::new(most), digest));
            }
        };
        let tag = Tag::new(tag).expect("a tag of less than 256 bytes");
        match form {
            MessageForm::Public => {
                let text = FixedMessage::new(public, PUBLIC_BYTES);
                S::Hash::hash_with_tag(ctx, chips, &equations, &text, &tag)
            }
            MessageForm::Sha256 { most } => {
                // Where bytes are missing, any will do: the constraints refuse them.
                let signed = message.bytes().cloned().unwrap_or_default();
                let bytes = AssignedBytes::new(ctx, chips, (&signed, most));
                assert_public(ctx, bytes.digest(), public);
                S::Hash::hash_with_tag(ctx, chips, &equations, bytes.text(), &tag)
            }
            MessageForm::Point => {
                S::signed_point(message, hash).coordinates().public(ctx, chips, &equations, public)
            }
            MessageForm::Bytes { .. } | MessageForm::CometbftPrecommit => {
                unreachable!("the scheme has no messages of this form")
            }
        }
    }
}

impl MemberInstructions for Bn254PublicKey {
    fn sha256(_: (MessageForm, PointHash)) -> Option<Chains> {
        None
    }

    fn message_equations(_: (MessageForm, PointHash)) -> Vec<Equation> {
        vec![]
    }

    fn assign_point(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        _: (MessageForm, PointHash),
        (public, message): (&[AssignedValue<Fr>], &SignedPoint<Self>),
    ) -> MessagePoint<AssignedTwistPoint> {
        let equations = PairingEquations::new(Self::CURVE);
        message.coordinates().public(ctx, chips, &equations, public)
    }
}
