//! Bases for packs. A pack is one commitment to at most `M` columns of `n = 2^k` rows, that is, to
//! `F(X) = Σ_i X^i·f_i(X^M)`, where `M` is the stride.
//!
//! The values of `f_i` are numbers of a Lagrange basis in `X^M`, so a pack is committed to from its columns' values, and small
//! values stay cheap. The bases depend on τ, k and M alone: [`SrsCache::pack_bases`](crate::SrsCache::pack_bases) keeps them in
//! a file.
//!
//! | bytes | what |
//! |---|---|
//! | one line | `muster-packs/1 `, then JSON `{"k", "stride", "tau", "digest"}`, then a newline |
//! | 32 | SHA-256 of that line |
//! | 64·M·2^k | `[τ^i·L_j(τ^M)]₁`, all rows j of place 0, then those of place 1, and so on |
//! | 64·M·4 | `[τ^(i + M·(n + b)) − τ^(i + M·b)]₁`, all b of place 0, and so on |
//!
//! `tau` is the SHA-256 of `[τ]₂`, `digest` that of both last parts; points are x ‖ y, little-endian in Montgomery form.

use std::{io::Write, path::Path};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{G1Affine, G1},
        group::Curve,
        serde::SerdeObject,
    },
    poly::commitment::ParamsProver,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    degree::check_degree,
    error::{ParamsError, PointName, FURTHER, MAX_K},
    header,
    origin::hex32,
    parts::backend,
    points::{g1_raw, G1_RAW},
    source::Source,
    srs::Srs,
    stored::persist,
};

const MAGIC: &[u8] = b"muster-packs/1 ";
/// Most bytes of the first line.
const MAX_LINE: u64 = 1 << 10;

/// Bases that commit to packs of up to `M` columns of `2^k` rows each.
///
/// A pack of fewer columns uses the first places. There are no bases of fewer places than the stride: a key's stride is the
/// number of columns of its largest pack, so they would save nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackBases {
    k: u32,
    lagrange: Vec<Vec<G1Affine>>,
    further: Vec<[G1Affine; FURTHER]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    k: u32,
    stride: u32,
    #[serde(with = "hex32")]
    tau: [u8; 32],
    #[serde(with = "hex32")]
    digest: [u8; 32],
}

impl PackBases {
    /// How many powers of τ the bases are made from, `M·(n + 4)`.
    pub fn powers(k: u32, stride: u32) -> u64 {
        u64::from(stride).saturating_mul((1u64 << k.min(MAX_K)) + FURTHER as u64)
    }

    /// Makes them, by one transform of `2^k` points for each place.
    ///
    /// # Errors
    /// [`ParamsError::Degree`], [`ParamsError::Stride`] for a stride of 0, and [`ParamsError::TooFewPowers`], which says how
    /// many are needed and how to get them.
    pub fn new(srs: &Srs, k: u32, stride: u32) -> Result<Self, ParamsError> {
        check(srs, k, stride)?;
        let (low, high) = (srs.params().get_g(), srs.further_powers());
        let power = |index: usize| low.get(index).unwrap_or_else(|| &high[index - low.len()]);
        let (rows, step) = (1usize << k, stride as usize);
        let (backend, places) = (backend(), 0..step);
        let lagrange = |place: usize| {
            let powers: Vec<_> = (0..rows).map(|row| *power(place + step * row)).collect();
            backend.lagrange(&powers)
        };
        let lagrange = places.clone().into_par_iter().map(lagrange).collect();
        let further = |place: usize| {
            let difference =
                |b: usize| G1::from(*power(place + step * (rows + b))) - power(place + step * b);
            let mut normal = [G1Affine::default(); FURTHER];
            G1::batch_normalize(&std::array::from_fn::<_, FURTHER, _>(difference), &mut normal);
            normal
        };
        Ok(Self { k, lagrange, further: places.map(further).collect() })
    }

    /// log₂ of the number of rows.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// The stride M, which is the number of places.
    pub fn stride(&self) -> usize {
        self.lagrange.len()
    }

    /// `[τ^i·L_j(τ^M)]₁`, by place i and row j: for the values of the column in place i.
    pub fn lagrange(&self) -> &[Vec<G1Affine>] {
        &self.lagrange
    }

    /// `[τ^(i + M·(n + b)) − τ^(i + M·b)]₁`, by place i and b: for the coefficients of `b(X)`, where `b(X)·(X^n − 1)` is added
    /// to the column in place i to hide it.
    pub fn further(&self) -> &[[G1Affine; FURTHER]] {
        &self.further
    }

    /// Reads what [`Self::write`] wrote for the same τ, k and stride. Every point is checked to be on the curve. That the
    /// points are the right ones is the digest's word, as it is with an SRS in the cache.
    pub(crate) fn read(path: &Path, srs: &Srs, k: u32, stride: u32) -> Result<Self, ParamsError> {
        check(srs, k, stride)?;
        let corrupt = |reason: String| ParamsError::Corrupt { path: path.to_path_buf(), reason };
        let mut source = Source::open(path)?;
        let line = source.line(MAX_LINE)?;
        let line_hash = source.take_hash();
        let json = line
            .strip_prefix(MAGIC)
            .ok_or_else(|| source.format("wrong magic: not bases of packs stored by muster"))?;
        let header: Header = header::read(json).map_err(corrupt)?;
        if source.array::<32>()? != line_hash {
            return Err(corrupt("the header line does not match its hash".into()));
        }
        source.take_hash();
        if (header.k, header.stride, header.tau) != (k, stride, tau_hash(srs)) {
            return Err(corrupt("it is for another SRS, degree or stride".into()));
        }
        let (rows, places) = (1u64 << k, u64::from(stride));
        source.need_exactly(places * (rows + FURTHER as u64) * G1_RAW as u64)?;
        let first = source.points(places * rows, G1_RAW, PointName::PackBase, g1_raw)?;
        let name = |index| PointName::PackBase(places * rows + index);
        let second = source.points(places * FURTHER as u64, G1_RAW, name, g1_raw)?;
        if source.take_hash() != header.digest {
            return Err(corrupt("the points do not match their digest".into()));
        }
        source.finish()?;
        let lagrange = first.chunks_exact(rows as usize).map(<[_]>::to_vec).collect();
        let further = second.chunks_exact(FURTHER).map(|four| std::array::from_fn(|b| four[b]));
        Ok(Self { k, lagrange, further: further.collect() })
    }

    /// Writes them to `path`, which has all of them or is as it was before. Whatever was there is replaced: makers that run
    /// at the same time write the same bytes.
    pub(crate) fn write(&self, path: &Path, srs: &Srs) -> Result<(), ParamsError> {
        persist(path, true, |writer| self.write_to(writer, srs))
    }

    fn write_to(&self, writer: &mut impl Write, srs: &Srs) -> std::io::Result<()> {
        let points = || self.lagrange.iter().flatten().chain(self.further.iter().flatten());
        let mut digest = Sha256::new();
        points().for_each(|point| digest.update(point.to_raw_bytes()));
        let header = Header {
            k: self.k,
            stride: self.stride() as u32,
            tau: tau_hash(srs),
            digest: digest.finalize().into(),
        };
        let line = [MAGIC, &serde_json::to_vec(&header)?, b"\n"].concat();
        writer.write_all(&line)?;
        writer.write_all(&Sha256::digest(&line))?;
        points().try_for_each(|point| writer.write_all(&point.to_raw_bytes()))
    }
}

/// Names τ. The bases depend on nothing else of an SRS, so one file serves all sizes of it.
pub(crate) fn tau_hash(srs: &Srs) -> [u8; 32] {
    Sha256::digest(srs.params().s_g2().to_raw_bytes()).into()
}

/// Checks that there are enough powers.
fn check(srs: &Srs, k: u32, stride: u32) -> Result<(), ParamsError> {
    check_degree(k)?;
    if stride == 0 {
        return Err(ParamsError::Stride);
    }
    let needed = PackBases::powers(k, stride);
    let found = (srs.params().get_g().len() + srs.further_powers().len()) as u64;
    if found < needed {
        // The smallest SRS that has them with its further ones.
        let degree = (needed - FURTHER as u64).next_power_of_two().ilog2();
        check_degree(degree)?;
        let (srs_k, insecure) = (srs.k(), srs.is_insecure());
        return Err(ParamsError::TooFewPowers {
            k,
            stride,
            needed,
            found,
            srs_k,
            degree,
            insecure,
        });
    }
    Ok(())
}
