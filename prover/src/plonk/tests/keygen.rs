//! Keys against those of halo2, byte for byte.

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner, Table, Value},
    halo2curves::bn256::{Fr, G1Affine},
    plonk::{
        keygen_pk2, Advice, Circuit, Column, ConstraintSystem, Error, Instance, ProvingKey,
        Selector, TableColumn, VerifyingKey,
    },
    SerdeFormat,
};
use muster_circuits::{Request, Scheme, Shape, ThresholdCircuit};
use muster_engine::{Backend, Domain};
use muster_params::Srs;

use crate::{plonk::proving_key, synthesis::Made, Keys};

fn bytes(pk: &ProvingKey<G1Affine>) -> Vec<u8> {
    pk.to_bytes(SerdeFormat::RawBytesUnchecked)
}

/// The key with a circuit's columns, and the commitments of another one.
fn made<C: Circuit<Fr>>(
    backend: Backend,
    srs: &Srs,
    circuit: &C,
    vk: &VerifyingKey<G1Affine>,
) -> Result<ProvingKey<G1Affine>, Error> {
    let Made { fixed, permuted, .. } = Made::of(backend, srs.k(), circuit)?;
    let domain = Domain::new(backend, srs.k()).unwrap();
    Ok(proving_key(&domain, vk.clone(), &fixed, &permuted))
}

fn assert_same(scheme: Scheme, signing: usize, signers: usize) {
    let shape = Shape::fit(&Request::new(scheme, signers, signing)).unwrap();
    let srs = Srs::insecure(shape.degree()).unwrap();
    let circuit = ThresholdCircuit::keygen(&shape);
    let library = keygen_pk2(srs.params(), &circuit, false).unwrap();
    let (vk, expected) = (library.get_vk(), bytes(&library));
    let keys = Keys::make(&srs, &shape).unwrap();
    assert_eq!(circuit.placement().as_ref(), Some(keys.placement()));
    let pk = keys.halo2().unwrap();
    for ours in [pk.get_vk(), keys.verifier().vk()] {
        assert_eq!(ours.transcript_repr(), vk.transcript_repr());
        let text = |vk: &VerifyingKey<G1Affine>| vk.to_bytes(SerdeFormat::RawBytes);
        assert!(text(ours) == text(vk));
    }
    assert!(format!("{:?}", pk.get_vk().pinned()) == format!("{:?}", vk.pinned()));
    assert!(bytes(pk) == expected, "{scheme} {signing} of {signers}");
    for backend in [Backend::portable(), Backend::best()] {
        let circuit = ThresholdCircuit::keygen(&shape);
        let made = made(backend, &srs, &circuit, vk).unwrap();
        assert!(bytes(&made) == expected, "{scheme} {signing} of {signers} on {backend:?}");
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

/// A circuit may be of anyone's making: it gets an error, and it is the library's.
#[test]
fn circuits_that_are_too_long() {
    const K: u32 = 5;
    let mut cs = ConstraintSystem::default();
    Reach::configure(&mut cs);
    let usable = (1 << K) - (cs.blinding_factors() + 1);
    let srs = Srs::insecure(K).unwrap();
    let any = keygen_pk2(srs.params(), &Reach::Selector(0), false).unwrap();
    for (reach, fits) in [
        (Reach::Selector(usable - 1), true),
        (Reach::Selector(usable), false),
        (Reach::Table(usable - 1), true),
        (Reach::Table(usable), false),
        (Reach::Instance(usable - 1), true),
        (Reach::Instance(usable), false),
    ] {
        let library = keygen_pk2(srs.params(), &reach, false);
        assert_eq!(library.is_ok(), fits);
        let vk = library.as_ref().unwrap_or(&any).get_vk();
        let made = made(Backend::best(), &srs, &reach, vk);
        let all = [made, library].map(|key| match key {
            Ok(pk) => Ok(bytes(&pk)),
            Err(error) => Err(error.to_string()),
        });
        assert!(all[0] == all[1], "{:?}", all.map(|made| made.err()));
    }
}

#[test]
fn keys_are_those_of_the_library() {
    assert_same(Scheme::Schnorr, 2, 3);
}

/// More schemes, in both modes of membership; a minute:
///
/// ```sh
/// cargo test -p muster-prover --lib plonk::tests::keygen -- --ignored
/// ```
#[test]
#[ignore = "it takes a minute"]
fn keys_of_more_schemes() {
    for (scheme, signing, signers) in [
        (Scheme::Schnorr, 2, 5000),
        (Scheme::Musig, 8, 16),
        (Scheme::EcdsaSecp256k1, 1, 1),
        (Scheme::EcdsaP256, 1, 2),
        (Scheme::SchnorrSecp256k1, 2, 2),
        (Scheme::Ed25519, 1, 2),
    ] {
        assert_same(scheme, signing, signers);
    }
}
