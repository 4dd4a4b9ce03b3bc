//! The reference string's points for a domain of a size, and tables of them.

use std::sync::{Arc, OnceLock};

use ark_bls12_381::Fq;
use ff::PrimeField as _;
use group::{Curve, Group};
use rayon::prelude::*;

use super::{srs::Srs, Error};
use crate::pairing_curve::{
    add_each, hash_to_g1, multiply_g1, normalize_g1, FixedBase, Fr, G1Affine, G1Projective,
    G2Affine, Lane, Secret, StoredBases, Transform,
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
    transform: Transform,
    lagrange: Vec<G1Affine>,
    tau_g1: G1Affine,
    xi_g1: G1Affine,
    tau_g2: G2Affine,
    xi_g2: G2Affine,
    xi_table: OnceLock<FixedBase<Fq>>,
    first_table: OnceLock<FixedBase<Fq>>,
    subsets: OnceLock<Subsets>,
    stored: OnceLock<StoredBases>,
}

impl Parameters {
    /// The points for a domain of that order: see [`super::Shape::domain`]. The string is checked: over
    /// points of which somebody knows more than that they are powers, everything could be proved.
    ///
    /// # Errors
    ///
    /// [`Error::SrsSize`] if the string has fewer powers, or [`Error::Srs`] as [`Srs::check`].
    pub fn new(srs: &Srs, domain: usize) -> Result<Arc<Self>, Error> {
        let found = srs.powers().len();
        if found < domain {
            return Err(Error::SrsSize { needed: domain, found });
        }
        srs.check()?;
        let transform = Transform::new(domain);
        let lagrange = lagrange_points(&srs.powers()[..domain], &transform);
        Ok(Arc::new(Self {
            digest: srs.digest(),
            insecure: srs.is_insecure(),
            transform,
            lagrange,
            tau_g1: srs.powers()[1],
            xi_g1: srs.xi_g1(),
            tau_g2: srs.tau_g2(),
            xi_g2: srs.xi_g2(),
            xi_table: OnceLock::new(),
            first_table: OnceLock::new(),
            subsets: OnceLock::new(),
            stored: OnceLock::new(),
        }))
    }

    /// The digest of the reference string.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Whether its secrets may be known to somebody.
    pub fn is_insecure(&self) -> bool {
        self.insecure
    }

    /// M, the order of the domain.
    pub fn domain(&self) -> usize {
        self.lagrange.len()
    }

    pub(super) fn transform(&self) -> &Transform {
        &self.transform
    }

    pub(super) fn lagrange(&self) -> &[G1Affine] {
        &self.lagrange
    }

    /// Σ x_a [L_a(τ)]₁, from the Lagrange point `first` on.
    pub(super) fn lagrange_sum(&self, first: usize, values: &[Fr]) -> G1Projective {
        self.stored.get_or_init(|| StoredBases::new(&self.lagrange)).sum(first, values)
    }

    pub(super) fn tau_g1(&self) -> G1Affine {
        self.tau_g1
    }

    pub(super) fn xi_g1(&self) -> G1Affine {
        self.xi_g1
    }

    pub(super) fn tau_g2(&self) -> G2Affine {
        self.tau_g2
    }

    pub(super) fn xi_g2(&self) -> G2Affine {
        self.xi_g2
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

/// Sums of all subsets of eight points and an offset, for each eight points of a list.
#[derive(Debug)]
pub(super) struct Subsets {
    sums: Vec<Lane<Fq>>,
    /// Where every sum starts.
    start: Lane<Fq>,
    /// Minus the start and the offsets of all groups.
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

    /// For each list of bytes, a byte for each group, the sum of the points whose bits are set. The same
    /// additions for all bytes.
    pub(super) fn sum(&self, rows: &[&[u8]]) -> Secret<Vec<G1Projective>> {
        let mut lanes = Secret::new(vec![self.start; rows.len()]);
        let mut room = Secret::new(vec![Fq::from(0); rows.len()]);
        for (group, sums) in self.sums.chunks_exact(SUBSETS).enumerate() {
            let entry = |row: usize| sums[usize::from(rows[row][group])];
            add_each(&mut lanes, entry, &mut room);
        }
        let corrected =
            |lane: &Lane<Fq>| G1Projective::from(G1Affine::from(lane)) + self.correction;
        Secret::new(lanes.iter().map(corrected).collect())
    }
}

/// L_a(τ) = Σₖ ω^(−ak) τᵏ / M: the inverse transform of the powers, in the group.
fn lagrange_points(powers: &[G1Affine], transform: &Transform) -> Vec<G1Affine> {
    let points: Vec<G1Projective> = powers.iter().map(G1Projective::from).collect();
    let mut values = forward(&points, 1, transform.roots());
    values[1..].reverse();
    let scale = transform.scale();
    let scaled: Vec<G1Projective> =
        values.par_iter().map(|value| multiply_g1(value, &scale)).collect();
    normalize_g1(&scaled)
}

/// The transform of every `stride`-th of the points, by the least prime factor of their number.
fn forward(points: &[G1Projective], stride: usize, roots: &[Fr]) -> Vec<G1Projective> {
    let size = roots.len() / stride;
    if size == 1 {
        return vec![points[0]];
    }
    let factor = (2..=size).find(|factor| size.is_multiple_of(*factor)).unwrap_or(size);
    let part = size / factor;
    let inner: Vec<Vec<G1Projective>> = (0..factor)
        .into_par_iter()
        .map(|t| forward(&points[t * stride..], stride * factor, roots))
        .collect();
    let column = |k: usize| -> Vec<G1Projective> {
        let turn = |t: usize| match t * k {
            0 => inner[t][k],
            _ => multiply_g1(&inner[t][k], &roots[t * k * stride]),
        };
        short_transform(&(0..factor).map(turn).collect::<Vec<_>>(), roots)
    };
    let columns: Vec<Vec<G1Projective>> = (0..part).into_par_iter().map(column).collect();
    let value = |place: usize| columns[place % part][place / part];
    (0..size).map(value).collect()
}

/// A transform of a prime number of points, with sums and differences of opposite ones.
fn short_transform(points: &[G1Projective], roots: &[Fr]) -> Vec<G1Projective> {
    let size = points.len();
    if size == 2 {
        return vec![points[0] + points[1], points[0] - points[1]];
    }
    let unit = roots.len() / size;
    let root = |exponent: usize| roots[exponent % size * unit];
    let half = Fr::TWO_INV;
    let mut out = vec![points.iter().sum(); size];
    let pairs: Vec<_> = (1..=size / 2)
        .map(|t| (points[t] + points[size - t], points[t] - points[size - t]))
        .collect();
    for s in 1..=size / 2 {
        let (mut even, mut odd) = (points[0], G1Projective::identity());
        for (t, (sum, difference)) in (1..).zip(&pairs) {
            let (plus, minus) = (root(t * s), root(size - t * s % size));
            even += multiply_g1(sum, &((plus + minus) * half));
            odd += multiply_g1(difference, &((plus - minus) * half));
        }
        (out[s], out[size - s]) = (even + odd, even - odd);
    }
    out
}
