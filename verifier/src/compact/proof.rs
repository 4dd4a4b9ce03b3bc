//! A proof of the format `compact` cut into its parts, and its challenges. Sections 10 and 12 of the specification.

use ark_bn254::G1Affine;

use crate::{
    encoding::{
        compressed_point, point, point_bytes, scalar_from_bytes, Reader, COMPRESSED, POINT, SCALAR,
    },
    error::{ProofPoint, VerifyError},
    key::Packs,
    transcript::Transcript,
    Scalar,
};

/// Points beside those of packs.
const POINTS: usize = 9;
/// The values of the decider's polynomials.
pub(crate) const EVALUATIONS: usize = 17;
/// Items that are absorbed.
const ITEMS: usize = 11;

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
        let (reader, items) = (Reader::new(bytes), Default::default());
        let mut parts = Parts { reader, encoding, items, item: 0, scalars: 0 };
        let mut commitments = parts.packs(packs.key, packs.first)?;
        commitments.extend(parts.packs(packs.key + packs.first, packs.second)?);
        // Parts are read in the order of the fields.
        Ok(Self {
            packs: commitments,
            quotient: parts.last_point(ProofPoint::Quotient)?,
            values: parts.last_point(ProofPoint::Values)?,
            w: parts.last_point(ProofPoint::W)?,
            w_prime: parts.point(ProofPoint::WPrime)?,
            weights: (0..packs.count()).map(|_| parts.scalar()).collect::<Result<_, _>>()?,
            remainder: parts.scalar()?,
            wires: parts.last_point(ProofPoint::Wires)?,
            decider_product: parts.last_point(ProofPoint::DeciderProduct)?,
            decider_quotient: parts.last_point(ProofPoint::DeciderQuotient)?,
            evaluations: parts.evaluations()?,
            decider_w: parts.last_point(ProofPoint::DeciderW)?,
            decider_w_prime: parts.last_point(ProofPoint::DeciderWPrime)?,
            inverse: (encoding == Encoding::Long).then(|| parts.scalar()).transpose()?,
            items: parts.items,
        })
    }
}

/// The parts of a proof as they are read. There are as many bytes as they need; zeros, which are no point, would stand in
/// for bytes that are missing.
struct Parts<'a> {
    reader: Reader<'a>,
    encoding: Encoding,
    /// The items, with points in the long encoding.
    items: [Vec<u8>; ITEMS],
    /// The number of the item that is being read. The inverse, after the last one, is in none.
    item: usize,
    /// How many scalars were read.
    scalars: usize,
}

impl Parts<'_> {
    /// Takes bytes into the item that is being read.
    fn absorb(&mut self, bytes: &[u8]) {
        if let Some(item) = self.items.get_mut(self.item) {
            item.extend(bytes);
        }
    }

    fn point(&mut self, name: ProofPoint) -> Result<G1Affine, VerifyError> {
        let refused = |error| VerifyError::Point { point: name, error };
        let point = match self.encoding {
            Encoding::Short => compressed_point(self.reader.array().unwrap_or(&[0; COMPRESSED])),
            Encoding::Long => point(self.reader.array().unwrap_or(&[0; POINT])),
        };
        let point = point.map_err(refused)?;
        self.absorb(&point_bytes(&point));
        Ok(point)
    }

    /// A point that ends an item.
    fn last_point(&mut self, name: ProofPoint) -> Result<G1Affine, VerifyError> {
        let point = self.point(name)?;
        self.item += 1;
        Ok(point)
    }

    /// The commitments to so many packs from this one on: an item.
    fn packs(&mut self, from: usize, count: usize) -> Result<Vec<G1Affine>, VerifyError> {
        let packs = (from..from + count).map(|pack| self.point(ProofPoint::Pack(pack)));
        let packs = packs.collect::<Result<_, _>>()?;
        self.item += 1;
        Ok(packs)
    }

    /// The values of the decider's polynomials: an item.
    fn evaluations(&mut self) -> Result<[Scalar; EVALUATIONS], VerifyError> {
        let mut evaluations = [Scalar::default(); EVALUATIONS];
        for evaluation in &mut evaluations {
            *evaluation = self.scalar()?;
        }
        self.item += 1;
        Ok(evaluations)
    }

    fn scalar(&mut self) -> Result<Scalar, VerifyError> {
        let number = self.scalars;
        self.scalars += 1;
        let bytes: &[u8; SCALAR] = self.reader.array().ok_or(VerifyError::Value(number))?;
        self.absorb(bytes);
        scalar_from_bytes(bytes).ok_or(VerifyError::Value(number))
    }
}

/// All challenges of a proof, and its name.
pub(crate) struct Challenges {
    /// `θ, β_L, β, γ, y, x, α, u`: those that are public inputs of the decider, in its order.
    pub(crate) public: [Scalar; 8],
    /// Where the packs are opened.
    pub(crate) x: Scalar,
    /// Joins the openings.
    pub(crate) alpha: Scalar,
    /// Where the joined openings are checked.
    pub(crate) u: Scalar,
    /// The challenges of the decider's own proof.
    pub(crate) decider: DeciderChallenges,
    /// Joins both proofs.
    pub(crate) rho: Scalar,
    /// The state in the end, by which batches are weighed.
    pub(crate) name: [u8; 32],
}

/// The challenges of the decider's proof, which are numbered 2 in the specification.
#[derive(Clone, Copy)]
pub(crate) struct DeciderChallenges {
    pub(crate) beta: Scalar,
    pub(crate) gamma: Scalar,
    pub(crate) y: Scalar,
    pub(crate) x: Scalar,
    pub(crate) alpha: Scalar,
    pub(crate) u: Scalar,
}

impl Challenges {
    /// The challenges of a proof under the key of this name, for these inputs.
    pub(crate) fn new(name: &[u8; 32], inputs: &[[u8; 32]], items: &[Vec<u8>; ITEMS]) -> Self {
        let mut transcript = Transcript::compact();
        transcript.absorb(name);
        transcript.absorb(inputs.as_flattened());
        let [first, second, quotient, values, w, wires, later @ ..] = items;
        transcript.absorb(first);
        let theta = transcript.squeeze();
        let beta_lookup = transcript.squeeze();
        let beta = transcript.squeeze();
        let gamma = transcript.squeeze();
        let [y, x, alpha, u, beta_2] =
            [second, quotient, values, w, wires].map(|item| answer(&mut transcript, item));
        let gamma_2 = transcript.squeeze();
        let [y_2, x_2, alpha_2, u_2, rho] =
            later.each_ref().map(|item| answer(&mut transcript, item));
        Self {
            public: [theta, beta_lookup, beta, gamma, y, x, alpha, u],
            x,
            alpha,
            u,
            decider: DeciderChallenges {
                beta: beta_2,
                gamma: gamma_2,
                y: y_2,
                x: x_2,
                alpha: alpha_2,
                u: u_2,
            },
            rho,
            name: transcript.state(),
        }
    }
}

/// The first challenge after an item.
fn answer(transcript: &mut Transcript, item: &[u8]) -> Scalar {
    transcript.absorb(item);
    transcript.squeeze()
}
