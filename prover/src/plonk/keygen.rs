//! Keys of halo2's format: those of its `keygen_pk2`, byte for byte.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
    },
    plonk::{permutation, ProvingKey, VerifyingKey},
};
use muster_engine::Domain;
use rayon::prelude::*;

use crate::polynomial::Numbers;

/// The proving key with these columns, as values. The domain of `vk` is halo2's, with its tables.
pub(crate) fn proving_key(
    domain: &Domain,
    vk: VerifyingKey<G1Affine>,
    fixed: &[Numbers],
    permuted: &[Numbers],
) -> ProvingKey<G1Affine> {
    let blinding = vk.cs().blinding_factors();
    let [first, last, active] = rows_of(1 << domain.k(), blinding).map(|mut column| {
        domain.to_coefficients(&mut column);
        vk.get_domain().coeff_from_vec(column)
    });
    let fixed_polynomials = coefficients(domain, fixed);
    let permuted_polynomials = coefficients(domain, permuted);
    let values = |columns: &[Numbers]| {
        columns.iter().map(|column| vk.get_domain().lagrange_from_vec(column.clone())).collect()
    };
    let polynomials = |columns: Vec<Numbers>| {
        columns.into_iter().map(|column| vk.get_domain().coeff_from_vec(column)).collect()
    };
    let permutation =
        permutation::ProvingKey::from_parts(values(permuted), polynomials(permuted_polynomials));
    let (fixed, fixed_polynomials) = (values(fixed), polynomials(fixed_polynomials));
    ProvingKey::from_parts(vk, first, last, active, fixed, fixed_polynomials, permutation)
}

/// `l_0`, `l_last` and `l_active`: 1 in the first row, in the last one of grand products, and in those before it.
fn rows_of(rows: usize, blinding: usize) -> [Numbers; 3] {
    let end = rows - blinding - 1;
    let is_one = |is_one: &dyn Fn(usize) -> bool| -> Numbers {
        (0..rows).map(|row| if is_one(row) { Fr::ONE } else { Fr::ZERO }).collect()
    };
    [is_one(&|row| row == 0), is_one(&|row| row == end), is_one(&|row| row < end)]
}

fn coefficients(domain: &Domain, columns: &[Numbers]) -> Vec<Numbers> {
    let columns = columns.par_iter().map(|values| {
        let mut coefficients = values.clone();
        domain.to_coefficients(&mut coefficients);
        coefficients
    });
    columns.collect()
}
