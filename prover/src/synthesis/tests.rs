//! The columns of keys against those of halo2's mock prover.

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner, Table, Value},
    dev::{CellValue, MockProver},
    halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    plonk::{Advice, Circuit, Column, ConstraintSystem, Error, Instance, Selector, TableColumn},
};
use muster_circuits::{CircuitShape, Request, Scheme, Shape};
use muster_engine::{Backend, Domain};
use rayon::prelude::*;

use super::Made;
use crate::polynomial::{powers, Numbers};

/// The name of a cell: `δ^column·ω^row`.
fn names(mock: &MockProver<Fr>, k: u32) -> Vec<Numbers> {
    let domain = Domain::new(Backend::portable(), k).unwrap();
    let points: Numbers = powers(domain.root()).take(1 << k).collect();
    let shifts: Numbers = powers(Fr::DELTA).take(mock.permutation().columns().len()).collect();
    let name = |(column, row): (usize, usize)| shifts[column] * points[row];
    mock.permutation().mapping().map(|column| column.map(name).collect()).collect()
}

fn number(cell: &CellValue<Fr>) -> Fr {
    match cell {
        CellValue::Assigned(number) => *number,
        CellValue::Unassigned | CellValue::Poison(_) => Fr::ZERO,
    }
}

fn assert_same(scheme: Scheme, signing: usize, signers: usize) {
    let shape = Shape::fit(&Request::new(scheme, signers, signing)).unwrap();
    let (k, public) = (shape.degree(), vec![Fr::ZERO; shape.public_inputs()]);
    let mock = MockProver::run(k, &shape.keygen_circuit(), vec![public]).unwrap();
    let fixed = mock.fixed().iter().map(|column| column.iter().map(number).collect::<Numbers>());
    let (fixed, permuted): (Vec<_>, _) = (fixed.collect(), names(&mock, k));
    for backend in [Backend::portable(), Backend::best()] {
        let made = Made::of(backend, k, &shape.keygen_circuit()).unwrap();
        assert!(made.fixed == fixed, "{scheme} {signing} of {signers} on {backend:?}");
        assert!(made.permuted == permuted, "{scheme} {signing} of {signers} on {backend:?}");
    }
}

#[test]
fn columns_are_those_of_the_library() {
    assert_same(Scheme::Schnorr, 2, 3);
    assert_same(Scheme::EcdsaSecp256k1, 1, 1);
}

/// More schemes, in both modes of membership; a minute:
///
/// ```sh
/// cargo test -p muster-prover --lib synthesis::tests -- --ignored
/// ```
#[test]
#[ignore = "it takes a minute"]
fn columns_of_more_schemes() {
    for (scheme, signing, signers) in [
        (Scheme::Schnorr, 2, 5000),
        (Scheme::Musig, 8, 16),
        (Scheme::EcdsaP256, 1, 2),
        (Scheme::SchnorrSecp256k1, 2, 2),
        (Scheme::Ed25519, 1, 2),
    ] {
        assert_same(scheme, signing, signers);
    }
}

/// A circuit that goes up to a row.
#[derive(Clone, Copy)]
enum Reach {
    /// With a selector.
    Selector(usize),
    /// With a table of so many rows.
    Table(usize),
    /// With a public input.
    Instance(usize),
}

type ReachConfig = (Selector, TableColumn, Column<Advice>, Column<Instance>);

impl Circuit<Fr> for Reach {
    type Config = ReachConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        *self
    }

    fn configure(cs: &mut ConstraintSystem<Fr>) -> ReachConfig {
        let (advice, instance) = (cs.advice_column(), cs.instance_column());
        cs.enable_equality(advice);
        cs.enable_equality(instance);
        (cs.complex_selector(), cs.lookup_table_column(), advice, instance)
    }

    fn synthesize(
        &self,
        (selector, table, advice, instance): ReachConfig,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), Error> {
        let number = || Value::known(Fr::one());
        match *self {
            Self::Selector(row) => {
                layouter.assign_region(|| "", |mut region| selector.enable(&mut region, row))
            }
            Self::Table(rows) => {
                let assign = |mut cells: Table<'_, Fr>| {
                    (0..rows).try_for_each(|row| cells.assign_cell(|| "", table, row, number))
                };
                layouter.assign_table(|| "", assign)
            }
            Self::Instance(row) => layouter.assign_region(
                || "",
                |mut region| {
                    region.assign_advice_from_instance(|| "", instance, row, advice, 0).map(drop)
                },
            ),
        }
    }
}

/// A circuit may be of anyone's making: it gets an error.
#[test]
fn circuits_that_are_too_long() {
    const K: u32 = 5;
    let mut cs = ConstraintSystem::default();
    Reach::configure(&mut cs);
    let usable = (1 << K) - (cs.blinding_factors() + 1);
    for reach in [Reach::Selector, Reach::Instance] {
        assert!(Made::of(Backend::best(), K, &reach(usable - 1)).is_ok());
        let refused = Made::of(Backend::best(), K, &reach(usable));
        assert!(matches!(refused, Err(Error::NotEnoughRowsAvailable { current_k: K })));
    }
    assert!(Made::of(Backend::best(), K, &Reach::Table(usable - 1)).is_ok());
    assert!(Made::of(Backend::best(), K, &Reach::Table(usable)).is_err());
}
