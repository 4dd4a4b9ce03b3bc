//! A proof of the format `compact` cut into its parts. Section 10 of the specification.

use ark_bn254::G1Affine;

use crate::{
    encoding::{
        compressed_point, point, point_bytes, scalar_from_bytes, Reader, COMPRESSED, POINT, SCALAR,
    },
    error::{ProofPoint, VerifyError},
    key::Packs,
    Scalar,
};

/// Points beside those of packs.
const POINTS: usize = 9;
/// The values of the decider's polynomials.
pub(crate) const EVALUATIONS: usize = 17;
/// Items that are absorbed.
pub(crate) const ITEMS: usize = 11;

/// How points are encoded, in all of a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Short,
    Long,
}

impl Encoding {
    /// The encoding of a proof of this length under a key with these packs.
    fn of(packs: &Packs, found: usize) -> Result<Self, VerifyError> {
        let points = packs.first + packs.second + POINTS;
        let scalars = packs.count() + 1 + EVALUATIONS;
        // Packs are at most 2^14.
        let short = points * COMPRESSED + scalars * SCALAR;
        let long = points * POINT + (scalars + 1) * SCALAR;
        if found == short {
            Ok(Self::Short)
        } else if found == long {
            Ok(Self::Long)
        } else {
            Err(VerifyError::CompactLength { found, short, long })
        }
    }
}

/// The parts of a proof: every point is one and not the identity, and every scalar is below `r`.
pub(crate) struct Proof {
    /// What each round absorbs, with points in the long encoding.
    pub(crate) items: [Vec<u8>; ITEMS],
    /// The commitments to packs of rounds 1 and 2.
    pub(crate) packs: Vec<G1Affine>,
    /// `Q`.
    pub(crate) quotient: G1Affine,
    /// `E`.
    pub(crate) values: G1Affine,
    pub(crate) w: G1Affine,
    pub(crate) w_prime: G1Affine,
    /// `w_0, w_1, …`.
    pub(crate) weights: Vec<Scalar>,
    /// `R`.
    pub(crate) remainder: Scalar,
    /// `V`.
    pub(crate) wires: G1Affine,
    /// `Z₂`.
    pub(crate) decider_product: G1Affine,
    /// `Q₂`.
    pub(crate) decider_quotient: G1Affine,
    /// Of the decider's polynomials, in the order of item 9.
    pub(crate) evaluations: [Scalar; EVALUATIONS],
    /// `W₂`.
    pub(crate) decider_w: G1Affine,
    /// `W₂′`.
    pub(crate) decider_w_prime: G1Affine,
    /// `1/N`, which the long encoding has.
    pub(crate) inverse: Option<Scalar>,
}

impl Proof {
    /// Reads a proof under a key with these packs.
    pub(crate) fn read(packs: &Packs, bytes: &[u8]) -> Result<Self, VerifyError> {
        let encoding = Encoding::of(packs, bytes.len())?;
        let (reader, item) = (Reader::new(bytes), vec![]);
        let mut parts = Parts { reader, encoding, item, scalars: 0 };
        let first = parts.packs(packs.key, packs.first)?;
        let first_item = parts.end();
        let second = parts.packs(packs.key + packs.first, packs.second)?;
        let second_item = parts.end();
        let quotient = parts.point(ProofPoint::Quotient)?;
        let quotient_item = parts.end();
        let values = parts.point(ProofPoint::Values)?;
        let values_item = parts.end();
        let w = parts.point(ProofPoint::W)?;
        let w_item = parts.end();
        let w_prime = parts.point(ProofPoint::WPrime)?;
        let weights = (0..packs.count()).map(|_| parts.scalar()).collect::<Result<_, _>>()?;
        let remainder = parts.scalar()?;
        let wires = parts.point(ProofPoint::Wires)?;
        let wires_item = parts.end();
        let decider_product = parts.point(ProofPoint::DeciderProduct)?;
        let product_item = parts.end();
        let decider_quotient = parts.point(ProofPoint::DeciderQuotient)?;
        let decider_quotient_item = parts.end();
        let mut evaluations = [Scalar::default(); EVALUATIONS];
        for evaluation in &mut evaluations {
            *evaluation = parts.scalar()?;
        }
        let evaluations_item = parts.end();
        let decider_w = parts.point(ProofPoint::DeciderW)?;
        let decider_w_item = parts.end();
        let decider_w_prime = parts.point(ProofPoint::DeciderWPrime)?;
        let decider_w_prime_item = parts.end();
        let inverse = (encoding == Encoding::Long).then(|| parts.scalar()).transpose()?;
        let items = [
            first_item,
            second_item,
            quotient_item,
            values_item,
            w_item,
            wires_item,
            product_item,
            decider_quotient_item,
            evaluations_item,
            decider_w_item,
            decider_w_prime_item,
        ];
        Ok(Self {
            items,
            packs: [first, second].concat(),
            quotient,
            values,
            w,
            w_prime,
            weights,
            remainder,
            wires,
            decider_product,
            decider_quotient,
            evaluations,
            decider_w,
            decider_w_prime,
            inverse,
        })
    }
}

/// The parts of a proof as they are read. There are as many bytes as they need; zeros, which are no point, would stand in
/// for bytes that are missing.
struct Parts<'a> {
    reader: Reader<'a>,
    encoding: Encoding,
    /// The item so far, with points in the long encoding.
    item: Vec<u8>,
    /// How many scalars were read.
    scalars: usize,
}

impl Parts<'_> {
    /// The item that ends here.
    fn end(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.item)
    }

    fn point(&mut self, name: ProofPoint) -> Result<G1Affine, VerifyError> {
        let refused = |error| VerifyError::Point { point: name, error };
        let point = match self.encoding {
            Encoding::Short => compressed_point(self.reader.array().unwrap_or(&[0; COMPRESSED])),
            Encoding::Long => point(self.reader.array().unwrap_or(&[0; POINT])),
        };
        let point = point.map_err(refused)?;
        self.item.extend(point_bytes(&point));
        Ok(point)
    }

    /// The commitments to so many packs from this one on.
    fn packs(&mut self, from: usize, count: usize) -> Result<Vec<G1Affine>, VerifyError> {
        (from..from + count).map(|pack| self.point(ProofPoint::Pack(pack))).collect()
    }

    fn scalar(&mut self) -> Result<Scalar, VerifyError> {
        let number = self.scalars;
        self.scalars += 1;
        let bytes: &[u8; SCALAR] = self.reader.array().ok_or(VerifyError::Value(number))?;
        self.item.extend(bytes);
        scalar_from_bytes(bytes).ok_or(VerifyError::Value(number))
    }
}
