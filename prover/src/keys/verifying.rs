//! Reading a verifying key that anyone may have written.
//!
//! halo2's reader makes the tables for a transform over all rows, and four times as many, before it
//! looks at a point: minutes and all memory for a key with `2^26` rows, and a panic beyond that.
//! Verifying needs no transforms. So the key is put together here, from its constraints, a domain
//! without tables, and points that are checked one by one.

use std::collections::HashMap;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::{Field, PrimeField, WithSmallOrderMulGroup},
        group::GroupEncoding,
    },
    plonk::{permutation, VerifyingKey},
    poly::EvaluationDomain,
};
use muster_circuits::{Shape, ThresholdCircuit};
use muster_gates::{Layout, PoseidonLayout};
use muster_schemes::hash::poseidon::MIN_WIDTH;
use rayon::prelude::*;

/// Version byte of halo2's format.
const VERSION: u8 = 2;
/// Bytes before the commitments: version, k, whether selectors are compressed, fixed columns.
pub(super) const HEADER: usize = 10;
/// Bytes of a commitment.
const POINT: usize = 32;

/// Reads the verifying key of a shape in halo2's `Processed` format: every point is checked.
///
/// # Errors
///
/// The reason in words; any shape and any bytes give a key or a reason.
pub fn read_verifying_key(shape: &Shape, bytes: &[u8]) -> Result<VerifyingKey<G1Affine>, String> {
    shape.check().map_err(|error| error.to_string())?;
    let (header, points) = bytes.split_at_checked(HEADER).ok_or("shorter than its header")?;
    if header[0] != VERSION {
        return Err(format!("version {}, not {VERSION}", header[0]));
    }
    if header[1..5] != shape.degree().to_le_bytes() {
        return Err(format!("not of the shape's degree {}", shape.degree()));
    }
    if header[5] != 0 {
        return Err("the selectors are compressed; this prover does not compress them".into());
    }
    let (fixed, permuted) = commitments(&shape.layout);
    if header[6..] != (fixed as u32).to_le_bytes() {
        return Err(format!("not of the {fixed} fixed columns that the shape has"));
    }
    let length = POINT * (fixed + permuted);
    if points.len() != length {
        return Err(format!("{} bytes, not {}", bytes.len(), HEADER + length));
    }
    let points = points.par_chunks_exact(POINT).map(point).collect::<Option<Vec<_>>>();
    let mut fixed_points = points.ok_or("not a canonically encoded point")?;
    let permuted_points = fixed_points.split_off(fixed);
    let constraints = ThresholdCircuit::constraints(&shape.layout);
    Ok(VerifyingKey::from_parts(
        domain(shape.degree(), constraints.degree()),
        fixed_points,
        permutation::VerifyingKey::from_commitments(permuted_points),
        constraints,
        vec![],
        false,
    ))
}

/// How many fixed and permuted columns there are; the key commits to each. They are counted for the
/// same layout with Poseidon over two elements: the constants of wide states take longer than all
/// else and do not change the counts.
pub(super) fn commitments(layout: &Layout) -> (usize, usize) {
    let narrow = |gate: &PoseidonLayout| PoseidonLayout { width: MIN_WIDTH, ..*gate };
    let poseidon = layout.poseidon.iter().map(narrow).collect();
    let constraints = ThresholdCircuit::constraints(&Layout { poseidon, ..layout.clone() });
    (constraints.num_fixed_columns(), constraints.permutation().get_columns().len())
}

/// A key without the tables that only a prover needs.
pub(super) fn slim(vk: &VerifyingKey<G1Affine>) -> VerifyingKey<G1Affine> {
    VerifyingKey::from_parts(
        domain(vk.get_domain().k(), vk.cs().degree()),
        vk.fixed_commitments().clone(),
        vk.permutation().clone(),
        vk.cs().clone(),
        vec![],
        false,
    )
}

/// A compressed point, in its canonical encoding only.
fn point(bytes: &[u8]) -> Option<G1Affine> {
    let mut repr = <G1Affine as GroupEncoding>::Repr::default();
    repr.as_mut().copy_from_slice(bytes);
    let point = G1Affine::from_bytes(&repr).into_option()?;
    (point.to_bytes().as_ref() == bytes).then_some(point)
}

/// The domain of `2^k` rows for constraints of this degree, as [`EvaluationDomain::new`] makes it,
/// but without tables for transforms.
///
/// # Panics
///
/// If four times the rows exceed the field's two-adicity; no shape is that large.
pub(super) fn domain(k: u32, degree: usize) -> EvaluationDomain<Fr> {
    let pieces = degree as u64 - 1;
    let extended_k = k + pieces.next_power_of_two().ilog2();
    assert!(extended_k <= Fr::S, "a root of unity for each row of the quotient");
    let root = |k: u32| Fr::ROOT_OF_UNITY.pow_vartime([1 << (Fr::S - k)]);
    let inverse = |value: Fr| value.invert().expect("powers of two and roots are not 0");
    let (n, omega, extended_omega) = (1u64 << k, root(k), root(extended_k));
    // X^n - 1 over the coset: it repeats after as many points as the quotient has pieces.
    let shift = Fr::ZETA.pow_vartime([n]);
    let step = extended_omega.pow_vartime([n]);
    let powers = std::iter::successors(Some(shift), |power| Some(*power * step));
    let vanishing = powers.take(1 << (extended_k - k)).map(|power| inverse(power - Fr::ONE));
    EvaluationDomain {
        n,
        k,
        extended_k,
        omega,
        omega_inv: inverse(omega),
        extended_omega,
        extended_omega_inv: inverse(extended_omega),
        g_coset: Fr::ZETA,
        g_coset_inv: Fr::ZETA.square(),
        quotient_poly_degree: pieces,
        ifft_divisor: inverse(Fr::from(n)),
        extended_ifft_divisor: inverse(Fr::from(1 << extended_k)),
        t_evaluations: vanishing.collect(),
        barycentric_weight: inverse(Fr::from(n)),
        fft_data: HashMap::new(),
    }
}
