//! Making keys: those of halo2's `keygen_pk2`, byte for byte.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine, G1},
        ff::Field,
        group::Curve,
    },
    plonk::{permutation, Circuit, ConstraintSystem, Error, ProvingKey, VerifyingKey},
    poly::{
        commitment::{Params, ParamsProver},
        kzg::commitment::ParamsKZG,
        EvaluationDomain,
    },
};
use muster_engine::{Backend, Bases, Domain};
use rand::rngs::OsRng;
use rayon::prelude::*;

use super::{
    assembly::Assembly,
    columns::Numbers,
    combine::{combine, powers},
    prover::{commit, slices},
};
use crate::commitment::lagrange_bases;

/// The key of a circuit. Each selector becomes a fixed column of its own, since combining them would raise the degree
/// of the gates.
///
/// # Errors
///
/// Those of the circuit, and [`Error::NotEnoughRowsAvailable`].
///
/// # Panics
///
/// As halo2 does, if the circuit writes where it may not in a call that returns no error.
pub(crate) fn proving_key<C: Circuit<Fr>>(
    backend: Backend,
    params: &ParamsKZG<Bn256>,
    circuit: &C,
) -> Result<ProvingKey<G1Affine>, Error> {
    let (k, rows) = (params.k(), params.get_g().len());
    let Made { cs, domain, fixed, permuted } = Made::of(backend, params, circuit)?;
    let library = EvaluationDomain::new(cs.degree() as u32, k);
    let blinding = cs.blinding_factors();
    let bases = Bases::plain(backend, &lagrange_bases(params));
    let fixed_commitments = commit(&bases, &fixed);
    let permuted_commitments = commit(&bases, &permuted);
    drop(bases);
    let permutation = permutation::VerifyingKey::from_commitments(permuted_commitments);
    let vk = VerifyingKey::from_parts(library, fixed_commitments, permutation, cs, vec![], false);

    let [first, last, active] = rows_of(rows, blinding).map(|mut column| {
        domain.to_coefficients(&mut column);
        vk.get_domain().coeff_from_vec(column)
    });
    let fixed_polynomials = coefficients(&domain, &fixed);
    let permuted_polynomials = coefficients(&domain, &permuted);
    let values = |columns: Vec<Numbers>| {
        columns.into_iter().map(|column| vk.get_domain().lagrange_from_vec(column)).collect()
    };
    let polynomials = |columns: Vec<Numbers>| {
        columns.into_iter().map(|column| vk.get_domain().coeff_from_vec(column)).collect()
    };
    let permutation =
        permutation::ProvingKey::from_parts(values(permuted), polynomials(permuted_polynomials));
    let (fixed, fixed_polynomials) = (values(fixed), polynomials(fixed_polynomials));
    Ok(ProvingKey::from_parts(vk, first, last, active, fixed, fixed_polynomials, permutation))
}

/// Whether a verifying key has the commitments to the columns of a circuit's key. Instead of each commitment, one sum
/// of all with random weights is computed: another key passes with a probability of one over the field's size, per
/// column.
///
/// # Errors
///
/// As [`proving_key`].
///
/// # Panics
///
/// As [`proving_key`].
pub(crate) fn is_key_of<C: Circuit<Fr>>(
    backend: Backend,
    params: &ParamsKZG<Bn256>,
    circuit: &C,
    vk: &VerifyingKey<G1Affine>,
) -> Result<bool, Error> {
    Ok(Made::of(backend, params, circuit)?.has_commitments(backend, params, vk))
}

/// Whether a proving key is a circuit's: the commitments of its verifying key, as above, and all its columns, as values
/// and as coefficients. The coefficients, too, are compared by one sum with random weights.
///
/// # Errors
///
/// As [`proving_key`].
///
/// # Panics
///
/// As [`proving_key`].
pub(crate) fn is_proving_key_of<C: Circuit<Fr>>(
    backend: Backend,
    params: &ParamsKZG<Bn256>,
    circuit: &C,
    pk: &ProvingKey<G1Affine>,
) -> Result<bool, Error> {
    let made = Made::of(backend, params, circuit)?;
    Ok(made.has_commitments(backend, params, pk.get_vk()) && made.has_columns(backend, pk))
}

/// The columns of a circuit's key, as values.
struct Made {
    cs: ConstraintSystem<Fr>,
    domain: Domain,
    fixed: Vec<Numbers>,
    permuted: Vec<Numbers>,
}

impl Made {
    fn of<C: Circuit<Fr>>(
        backend: Backend,
        params: &ParamsKZG<Bn256>,
        circuit: &C,
    ) -> Result<Self, Error> {
        let mut cs = ConstraintSystem::default();
        let config = C::configure_with_params(&mut cs, circuit.params());
        let (k, rows) = (params.k(), params.get_g().len());
        if rows < cs.minimum_rows() {
            return Err(Error::NotEnoughRowsAvailable { current_k: k });
        }
        let domain = Domain::new(backend, k).expect("an SRS has fewer powers than there are roots");
        let Assembly { mut fixed, selectors, copies, .. } =
            Assembly::of(circuit, (&cs, config), k)?;
        let (cs, selectors) = cs.directly_convert_selectors_to_fixed(selectors);
        fixed.extend(selectors);
        let points: Numbers = powers(domain.root()).take(rows).collect();
        let permuted = copies.named(backend, &points);
        Ok(Self { cs, domain, fixed, permuted })
    }

    /// Whether a verifying key commits to these columns.
    fn has_commitments(
        &self,
        backend: Backend,
        params: &ParamsKZG<Bn256>,
        vk: &VerifyingKey<G1Affine>,
    ) -> bool {
        let (own, copies) = (vk.fixed_commitments(), vk.permutation().commitments());
        if (own.len(), copies.len()) != (self.fixed.len(), self.permuted.len()) {
            return false;
        }
        let columns: Vec<&[Fr]> = self.columns().collect();
        let weights = weights(columns.len());
        let sum = combine(backend, &weights, &columns);
        let made = commit(&Bases::plain(backend, &lagrange_bases(params)), &[sum]);
        let said = own.iter().chain(copies).zip(&weights).map(|(point, weight)| *point * weight);
        made[0] == said.sum::<G1>().to_affine()
    }

    /// Whether a proving key has these columns, and the right `l_0`, `l_last` and `l_active`.
    fn has_columns(&self, backend: Backend, pk: &ProvingKey<G1Affine>) -> bool {
        let (own, copies) = (pk.fixed_values(), pk.permutation().permutations());
        if !self.columns().eq(slices(own).chain(slices(copies))) {
            return false;
        }
        let rows = rows_of(1 << self.domain.k(), self.cs.blinding_factors());
        let values: Vec<&[Fr]> = rows.iter().map(Vec::as_slice).chain(self.columns()).collect();
        let rows = [pk.l0().values(), pk.l_last().values(), pk.l_active_row().values()];
        let polynomials = slices(pk.fixed_polys()).chain(slices(pk.permutation().polys()));
        let polynomials: Vec<&[Fr]> = rows.into_iter().chain(polynomials).collect();
        if polynomials.len() != values.len() {
            return false;
        }
        let weights = weights(values.len());
        let mut made = combine(backend, &weights, &values);
        self.domain.to_coefficients(&mut made);
        made == combine(backend, &weights, &polynomials)
    }

    fn columns(&self) -> impl Iterator<Item = &[Fr]> {
        self.fixed.iter().chain(&self.permuted).map(Vec::as_slice)
    }
}

/// This many weights that nobody could know before.
fn weights(count: usize) -> Numbers {
    powers(Fr::random(OsRng)).take(count).collect()
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
