//! The reference string's points for a domain of a given size, and tables of them.

use std::sync::{Arc, OnceLock};

use ark_bls12_381::Fq;
use group::{prime::PrimeCurveAffine, Curve};
use zeroize::Zeroizing;

use super::{lagrange, srs::Srs, Error};
use crate::pairing_curve::{
    add_each, hash_to_g1, multiply_g1, FixedBase, Fr, G1Affine, G1Projective, G2Affine, G2Prepared,
    Lane, Secret, StoredBases, Transform,
};

/// Points in a subset sum.
const GROUP: usize = 8;
/// Subsets of them.
const SUBSETS: usize = 1 << GROUP;

/// Lagrange points of a domain, and what proofs are verified with.
#[derive(Debug)]
pub struct Parameters {
    digest: [u8; 32],
    insecure: bool,
    pub(super) transform: Transform,
    pub(super) lagrange: Vec<G1Affine>,
    pub(super) tau_g1: G1Affine,
    pub(super) xi_g1: G1Affine,
    /// g₂, [τ]₂ and [ξ]₂, as pairings take them.
    pub(super) lines: [G2Prepared; 3],
    xi_table: OnceLock<FixedBase<Fq>>,
    first_table: OnceLock<FixedBase<Fq>>,
    subsets: OnceLock<Subsets>,
    stored: OnceLock<StoredBases>,
}

impl Parameters {
    /// The points for a domain of that order: see [`super::Shape::domain`]. The string is checked:
    /// over points about which somebody knows more than that they are powers, anything could be
    /// proved.
    ///
    /// # Errors
    ///
    /// [`Error::SrsSize`] if the string has fewer powers, or [`Error::Srs`] as [`Srs::check`].
    pub fn new(srs: &Srs, domain: usize) -> Result<Arc<Self>, Error> {
        let powers = powers(srs, domain)?;
        let transform = Transform::new(domain);
        let lagrange = lagrange::points(powers, &transform);
        Ok(Self::with(srs, transform, lagrange))
    }

    /// The same with points that were kept by [`Self::lagrange_bytes`]. They are checked against
    /// the string, so it does not matter where they come from.
    ///
    /// # Errors
    ///
    /// As [`Self::new`], and [`Error::Lagrange`] for points that do not belong to this string and
    /// order.
    pub fn from_kept(srs: &Srs, domain: usize, bytes: &[u8]) -> Result<Arc<Self>, Error> {
        let powers = powers(srs, domain)?;
        let transform = Transform::new(domain);
        let lagrange = lagrange::read(powers, &transform, &srs.digest(), bytes)?;
        Ok(Self::with(srs, transform, lagrange))
    }

    /// The Lagrange points with a header and digests, for a file. Making them takes a second for
    /// 2,000; reading and checking them takes a few hundredths.
    pub fn lagrange_bytes(&self) -> Vec<u8> {
        lagrange::to_bytes(&self.lagrange, &self.digest)
    }

    fn with(srs: &Srs, transform: Transform, lagrange: Vec<G1Affine>) -> Arc<Self> {
        Arc::new(Self {
            digest: srs.digest(),
            insecure: srs.is_insecure(),
            transform,
            lagrange,
            tau_g1: srs.powers()[1],
            xi_g1: srs.xi_g1,
            lines: [G2Affine::generator(), srs.tau_g2, srs.xi_g2].map(G2Prepared::from),
            xi_table: OnceLock::new(),
            first_table: OnceLock::new(),
            subsets: OnceLock::new(),
            stored: OnceLock::new(),
        })
    }

    /// The digest of the reference string.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Whether somebody may know its secrets.
    pub fn is_insecure(&self) -> bool {
        self.insecure
    }

    /// M, the order of the domain.
    pub fn domain(&self) -> usize {
        self.lagrange.len()
    }

    /// Σ x_a [L_a(τ)]₁, from the Lagrange point `first` on.
    pub(super) fn lagrange_sum(&self, first: usize, values: &[Fr]) -> G1Projective {
        self.stored.get_or_init(|| StoredBases::new(&self.lagrange)).sum(first, values)
    }

    /// Multiples of [ξ]₁.
    pub(super) fn xi_table(&self) -> &FixedBase<Fq> {
        self.xi_table.get_or_init(|| FixedBase::new(&self.xi_g1, 32))
    }

    /// Multiples of [L₀(τ)]₁.
    pub(super) fn first_table(&self) -> &FixedBase<Fq> {
        self.first_table.get_or_init(|| FixedBase::new(&self.lagrange[0], 32))
    }

    /// Sums of subsets of the Lagrange points from the second on.
    pub(super) fn subsets(&self) -> &Subsets {
        self.subsets.get_or_init(|| Subsets::new(&self.lagrange[1..]))
    }
}

/// As many powers as the domain has points, from a string that is checked here.
fn powers(srs: &Srs, domain: usize) -> Result<&[G1Affine], Error> {
    let found = srs.powers().len();
    let powers = srs.powers().get(..domain).ok_or(Error::SrsSize { needed: domain, found })?;
    srs.check()?;
    Ok(powers)
}

/// Sums of all subsets of eight points and an offset, for each eight points of a list.
#[derive(Debug)]
pub(super) struct Subsets {
    sums: Vec<Lane<Fq>>,
    /// Where every sum starts.
    start: Lane<Fq>,
    /// Minus the sum of the start and the offsets of all groups.
    correction: G1Affine,
}

impl Subsets {
    fn new(points: &[G1Affine]) -> Self {
        let offset = hash_to_g1(b"subsets", b"MUSTER-PVSS-V1-OFFSETS");
        let start = hash_to_g1(b"start", b"MUSTER-PVSS-V1-OFFSETS");
        let groups = points.len().div_ceil(GROUP);
        let mut sums = vec![Lane::default(); groups * SUBSETS];
        (0..groups).for_each(|group| sums[group * SUBSETS] = Lane::from(&offset));
        for bit in 0..GROUP {
            // Subsets with this bit as their highest: those without it, and its point.
            let half = 1 << bit;
            let from = |lane: usize| (lane / half, lane % half);
            let lower = |lane: usize| sums[from(lane).0 * SUBSETS + from(lane).1];
            let mut next: Vec<Lane<Fq>> = (0..groups * half).map(lower).collect();
            let point = |lane: usize| points.get(from(lane).0 * GROUP + bit).map(Lane::from);
            let mut room = vec![Fq::from(0); next.len()];
            add_each(&mut next, |lane| point(lane).unwrap_or_default(), &mut room);
            for (lane, sum) in next.into_iter().enumerate() {
                sums[from(lane).0 * SUBSETS + half + from(lane).1] = sum;
            }
        }
        let offsets = multiply_g1(&offset.into(), &Fr::from(groups as u64));
        let correction = -(offsets + start);
        Self { sums, start: Lane::from(&start), correction: correction.to_affine() }
    }

    /// Groups of eight points.
    pub(super) fn groups(&self) -> usize {
        self.sums.len() / SUBSETS
    }

    /// For each list of bytes, one per group, the sum of the points whose bits are set, with the
    /// same additions whatever the bytes.
    pub(super) fn sum(&self, rows: &[&[u8]]) -> Secret<Vec<G1Projective>> {
        let mut lanes = Zeroizing::new(vec![self.start; rows.len()]);
        let mut room = Zeroizing::new(vec![Fq::from(0); rows.len()]);
        for (group, sums) in self.sums.chunks_exact(SUBSETS).enumerate() {
            let entry = |row: usize| sums[usize::from(rows[row][group])];
            add_each(&mut lanes, entry, &mut room);
        }
        let corrected =
            |lane: &Lane<Fq>| G1Projective::from(G1Affine::from(lane)) + self.correction;
        Secret::new(lanes.iter().map(corrected).collect())
    }
}
