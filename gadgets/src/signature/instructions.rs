//! The schemes in circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};

use ff::Field;

use super::{batch::Challenge, RawSignature, SignatureScheme};
use crate::{
    curve::edwards::{AffinePoint, Scalar, SubgroupPoint},
    gate::{
        edwards::{AssignedTable, TableSource},
        Chips,
    },
    hash::poseidon::hash_with_domain,
};

/// Coordinates that nothing is known of: what a file or an attacker brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawPoint {
    /// First coordinate.
    pub x: Fr,
    /// Second coordinate.
    pub y: Fr,
}

impl RawPoint {
    /// The generator of the subgroup.
    pub fn generator() -> Self {
        let point = AffinePoint::generator();
        Self { x: point.x(), y: point.y() }
    }

    /// The `Q` with `8·Q` equal to this point, if there is one in the subgroup; for a point off the
    /// curve, which no `Q` exists for, the point itself.
    fn eighth(&self) -> (Fr, Fr) {
        match AffinePoint::new(self.x, self.y) {
            Some(point) => {
                let eighth = point.divide_by_cofactor();
                (eighth.x(), eighth.y())
            }
            None => (self.x, self.y),
        }
    }
}

/// A point of the subgroup of prime order other than the identity, with its table of multiples.
#[derive(Clone, Debug)]
pub struct AssignedPoint {
    pub(super) table: AssignedTable,
}

impl AssignedPoint {
    /// Witnesses a point: it is on the curve, in the subgroup and not the identity. Coordinates are
    /// field elements, hence canonical.
    pub fn new(ctx: &mut Context<Fr>, chips: &Chips, lane: usize, point: &RawPoint) -> Self {
        let source = TableSource::EighthOf { q: point.eighth() };
        Self { table: chips.edwards.table(ctx, lane, &source) }
    }

    /// The generator of the subgroup.
    pub fn generator(ctx: &mut Context<Fr>, chips: &Chips, lane: usize) -> Self {
        let point = SubgroupPoint::from_affine(AffinePoint::generator());
        let source = TableSource::Constant(point.expect("the generator is in the subgroup"));
        Self { table: chips.edwards.table(ctx, lane, &source) }
    }

    /// First coordinate.
    pub fn x(&self) -> AssignedValue<Fr> {
        self.table.x
    }

    /// Second coordinate.
    pub fn y(&self) -> AssignedValue<Fr> {
        self.table.y
    }
}

/// What the signatures are checked against.
#[derive(Clone, Copy, Debug)]
pub struct AssignedClaim {
    /// Root of the key set.
    pub key_set_root: AssignedValue<Fr>,
    /// The message.
    pub message: AssignedValue<Fr>,
}

/// A signer's slot.
#[derive(Clone, Debug)]
pub struct AssignedSigner {
    /// The signer's key.
    pub public_key: AssignedPoint,
    /// The signer's weight; 0 for a slot that is not used.
    pub weight: AssignedValue<Fr>,
}

/// A scheme over Baby Jubjub in circuit; the native scheme is its supertrait.
pub trait SignatureInstructions: SignatureScheme {
    /// Whether the signers make one signature together.
    const AGGREGATE: bool;

    /// Witnesses a key: canonical, on the curve, in the subgroup, not the identity.
    fn assign_public_key(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        lane: usize,
        public_key: &RawPoint,
    ) -> AssignedPoint {
        AssignedPoint::new(ctx, chips, lane, public_key)
    }

    /// Constrains the signatures of all signers on the claim's message: one a signer, or, for an
    /// aggregate scheme, the first alone.
    ///
    /// # Panics
    /// If a lane gets another number of signers than the first or an odd one, or there is no
    /// signature.
    fn assert_verify_all(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim,
        signers: &[AssignedSigner],
        signatures: &[RawSignature],
    );

    /// The signature of the secret key 1, whose public key is the generator: what fills a slot that
    /// is not used.
    fn padding_signature(message: &Fr) -> RawSignature;
}

/// A signature by the secret key 1 with the nonce 1: `R = B`, `s = 1 + g·c`. It guards no secret.
pub(super) fn padding_signature(scheme: Challenge, message: &Fr) -> RawSignature {
    let RawPoint { x, y } = RawPoint::generator();
    let c = hash_with_domain(scheme.domain, &[x, y, x, y, *message]);
    let s = Scalar::ONE + Scalar::from(scheme.factor) * Scalar::from_base(&c);
    RawSignature { x, y, s: s.to_bytes() }
}
