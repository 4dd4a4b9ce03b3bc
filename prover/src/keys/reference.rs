//! What keys say about the SRS that they were made from: claims, until checked against an SRS.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::G2Affine,
    ff::PrimeField,
    group::{cofactor::CofactorGroup, prime::PrimeCurveAffine, GroupEncoding},
};
use muster_params::{Origin, Srs};
use serde::{de::Error as _, Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    encoding::{from_hex, hex_bytes, to_hex},
    Error,
};

/// Names an SRS, and holds what verifiers need from it.
///
/// The digest of a verifying key covers only the points in it. Digest, mark and origin are what the keys' files claim:
/// [`Keys::check_srs`](super::Keys::check_srs) checks them against an SRS, as proving does; a verifier has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SrsReference {
    /// Whether it was made on one machine.
    pub insecure: bool,
    /// [`Srs::digest`].
    #[serde(with = "hex_bytes")]
    pub digest: [u8; 32],
    /// Where the makers of the keys got it. The same points come in files of many sizes, formats and names, so no SRS
    /// can show that theirs was not another file.
    pub origin: Origin,
    #[serde(with = "g2")]
    g2: G2Affine,
    #[serde(with = "g2")]
    tau_g2: G2Affine,
}

impl SrsReference {
    /// The reference to an SRS.
    pub fn new(srs: &Srs) -> Self {
        Self {
            insecure: srs.is_insecure(),
            digest: srs.digest(),
            origin: srs.origin().clone(),
            g2: srs.params().g2(),
            tau_g2: srs.params().s_g2(),
        }
    }

    /// The digest, and where the SRS is said to be from, for those who have no SRS to check it against.
    pub fn claim(&self) -> String {
        let said = if self.insecure {
            "INSECURE".into()
        } else {
            format!("claimed to be from {}", self.origin)
        };
        format!("{}, {said}", to_hex(&self.digest))
    }

    /// Checks all of it against an SRS, except for the origin's file.
    ///
    /// # Errors
    ///
    /// [`Error::WrongSrs`] for another SRS, [`Error::FalseClaim`].
    pub fn check(&self, srs: &Srs) -> Result<(), Error> {
        let found = Self::new(srs);
        if found.digest != self.digest {
            let (expected, found) = (hex::encode(self.digest), hex::encode(found.digest));
            return Err(Error::WrongSrs {
                expected,
                found: format!("found the one with digest 0x{found}"),
            });
        }
        let texts = |srs: &Self| {
            let [g2, tau_g2] = [srs.g2, srs.tau_g2].map(|point| to_hex(point.to_bytes().as_ref()));
            [("insecure", srs.insecure.to_string()), ("g2", g2), ("tau_g2", tau_g2)]
        };
        let differs =
            texts(self).into_iter().zip(texts(&found)).find(|(ours, theirs)| ours != theirs);
        differs.map_or(Ok(()), |((field, claimed), (_, found))| {
            Err(Error::FalseClaim { field, claimed, found })
        })
    }

    /// Whether the mark and the origin agree, and the points make sense.
    pub(super) fn is_consistent(&self) -> bool {
        let tau_known = self.tau_g2 == self.g2 || bool::from(self.tau_g2.is_identity());
        self.insecure == (self.origin == Origin::Insecure)
            && self.g2 == G2Affine::generator()
            && !tau_known
    }

    /// Tau in G2 as EIP-197 has it: x, then y, the imaginary part of each first, big-endian.
    pub fn tau_bytes(&self) -> [u8; 128] {
        let mut bytes = [0; 128];
        let G2Affine { x, y } = self.tau_g2;
        for (place, part) in bytes.chunks_mut(32).zip([x.c1, x.c0, y.c1, y.c0]) {
            place.copy_from_slice(&part.to_repr());
            place.reverse();
        }
        bytes
    }
}

/// A point of G2 as hex of its compressed form.
mod g2 {
    use super::*;

    pub(super) fn serialize<S: Serializer>(point: &G2Affine, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&to_hex(point.to_bytes().as_ref()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<G2Affine, D::Error> {
        let bytes = from_hex(&String::deserialize(from)?).map_err(D::Error::custom)?;
        let mut repr = <G2Affine as GroupEncoding>::Repr::default();
        if repr.as_ref().len() != bytes.len() {
            return Err(D::Error::custom("not the length of a point of G2"));
        }
        repr.as_mut().copy_from_slice(&bytes);
        let point = G2Affine::from_bytes(&repr).into_option();
        let point = point.filter(|point| bool::from(point.to_curve().is_torsion_free()));
        let point = point.filter(|point| point.to_bytes().as_ref() == bytes);
        point.ok_or_else(|| D::Error::custom("not a point of G2"))
    }
}
