//! What a prover brings for an encoding.

use num_bigint::BigUint;
use num_traits::Zero;

use super::{Demands, Torsion};
use muster_schemes::curve::{
    edwards25519::{decode, parts, root_of_minus_one, to_weierstrass, Coordinates, CURVE},
    weierstrass::Affine,
};

/// An encoding and the points that stand for it. None of it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawEncoding {
    /// The number of the encoding without its top bit.
    pub y: BigUint,
    /// x, whose lowest bit is the top bit of the encoding: p for x = 0 with the sign 1.
    pub x: BigUint,
    /// The point of sums in Weierstrass form or, if that is to be in the group of the generator, the
    /// point that gives it when doubled three times.
    pub point: (BigUint, BigUint),
    /// Whether a point of order 4 is added to that of sums.
    pub moved: bool,
}

impl RawEncoding {
    /// The hints for an encoding. `None` if it encodes no point, or one that [`Torsion::Kept`] does not
    /// accept. Nothing else is checked here: the circuit refuses what breaks the demands.
    pub fn new(encoding: &[u8; 32], demands: Demands) -> Option<Self> {
        let (y, sign) = parts(encoding);
        let decoded = decode(encoding)?;
        let moved = demands.torsion == Torsion::Moved && decoded.0.is_zero();
        let x = if decoded.0.is_zero() && sign { CURVE.p().clone() } else { decoded.0.clone() };
        let base = if moved { back(&decoded) } else { decoded };
        let point = to_weierstrass(&base);
        let point = match demands.torsion {
            Torsion::Excluded => eighth(&point),
            Torsion::Kept | Torsion::Moved => point,
        };
        Some(Self { y, x, point: point?, moved })
    }

    /// The coordinates of the point of sums: those of the encoding, unless it was moved.
    pub(super) fn base(&self) -> Coordinates {
        if self.moved {
            back(&(self.x.clone(), self.y.clone()))
        } else {
            (self.x.clone(), self.y.clone())
        }
    }
}

/// The point that is moved to this one.
fn back((x, y): &Coordinates) -> Coordinates {
    let p = CURVE.p();
    let root = p - root_of_minus_one();
    (&root * y % p, root * x % p)
}

/// The eighth of a point in the group of the generator. For any other point, eight times the result is a
/// different point.
fn eighth(point: &Affine) -> Affine {
    let inverse = BigUint::from(8u8).modinv(CURVE.n()).expect("the order is odd");
    CURVE.parameters().mul(point, &inverse)
}
