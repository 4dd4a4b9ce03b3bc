//! Circuits that the format has no room for get no key, and whoever asked for one learns why.

use halo2_base::halo2_proofs::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{
        Advice, Circuit, Column, ConstraintSystem, Error as Halo2Error, Expression, FirstPhase,
        Instance, SecondPhase, Selector,
    },
    poly::Rotation,
};
use muster_params::Srs;
use muster_verifier::{Column as Place, Protocol, ProtocolError};

use super::every::{parts, USABLE};
use crate::{
    keys::CircuitKeys,
    logup::protocol::{check_hidden, Unsupported},
    Error,
};

/// What a circuit has besides one gate and one copy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Toy {
    #[default]
    Nothing,
    /// A gate, an input of a lookup or a table of this degree.
    Gate(usize),
    Input(usize),
    Table(usize),
    /// So many instance columns.
    Instances(usize),
    Challenge,
    Phase,
    /// The advice column is read at this row as well.
    Rotation(i32),
    /// No copy either.
    GateAlone,
    /// The copy is of a public input in this row.
    CopyOf(usize),
}

impl Circuit<Fr> for Toy {
    type Config = (Selector, Column<Advice>, Option<Column<Instance>>);
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Self;

    fn params(&self) -> Self {
        *self
    }

    fn without_witnesses(&self) -> Self {
        *self
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Self::Config {
        unreachable!("it has parameters")
    }

    fn configure_with_params(cs: &mut ConstraintSystem<Fr>, toy: Self) -> Self::Config {
        let (selector, advice) = (cs.complex_selector(), cs.advice_column());
        let power = |cell: &Expression<Fr>, degree: usize| {
            (1..degree).fold(cell.clone(), |product, _| product * cell.clone())
        };
        let degree = if let Toy::Gate(degree) = toy { degree - 1 } else { 1 };
        cs.create_gate("zero", |cells| {
            let cell = cells.query_advice(advice, Rotation::cur());
            vec![cells.query_selector(selector) * power(&cell, degree)]
        });
        match toy {
            Toy::Input(degree) | Toy::Table(degree) => {
                let table = cs.fixed_column();
                cs.lookup_any("numbers", |cells| {
                    let cell = cells.query_advice(advice, Rotation::cur());
                    let table = cells.query_fixed(table, Rotation::cur());
                    match toy {
                        Toy::Input(_) => vec![(power(&cell, degree), table)],
                        _ => vec![(cell, power(&table, degree))],
                    }
                });
            }
            Toy::Challenge => {
                let challenge = cs.challenge_usable_after(FirstPhase);
                cs.create_gate("challenge", |cells| {
                    let challenge = cells.query_challenge(challenge);
                    vec![cells.query_selector(selector) * challenge]
                });
            }
            Toy::Phase => {
                let later = cs.advice_column_in(SecondPhase);
                cs.create_gate("later", |cells| {
                    let cell = cells.query_advice(later, Rotation::cur());
                    vec![cells.query_selector(selector) * cell]
                });
            }
            Toy::Rotation(rotation) => cs.create_gate("elsewhere", |cells| {
                let cell = cells.query_advice(advice, Rotation(rotation));
                vec![cells.query_selector(selector) * cell]
            }),
            _ => {}
        }
        let instances = match toy {
            Toy::GateAlone => 0,
            Toy::Instances(count) => count,
            _ => 1,
        };
        let instances: Vec<_> = (0..instances).map(|_| cs.instance_column()).collect();
        if toy != Toy::GateAlone {
            cs.enable_equality(advice);
        }
        instances.iter().for_each(|column| cs.enable_equality(*column));
        (selector, advice, instances.first().copied())
    }

    fn synthesize(
        &self,
        (selector, advice, instance): Self::Config,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), Halo2Error> {
        let cell = layouter.assign_region(
            || "",
            |mut region| {
                // Not in row 0, before which a random row stands.
                selector.enable(&mut region, 1)?;
                Ok(region.assign_advice(advice, 1, Value::known(Fr::ZERO)).cell())
            },
        )?;
        if let Some(instance) = instance {
            let row = if let Toy::CopyOf(row) = *self { row } else { 0 };
            layouter.constrain_instance(cell, instance, row);
        }
        Ok(())
    }
}

const K: u32 = 5;

fn keys(toy: Toy) -> Result<CircuitKeys, Error> {
    CircuitKeys::make(&Srs::insecure(K).unwrap(), &toy, 1, vec![])
}

/// Why a circuit has no key.
fn refused(toy: Toy) -> (Unsupported, String) {
    let error = keys(toy).map(drop).expect_err("it has no room");
    let text = error.to_string();
    let Error::Protocol(unsupported) = error else { panic!("{toy:?}: {text}") };
    (unsupported, text)
}

#[test]
fn what_there_is_room_for_is_proven() {
    let srs = Srs::insecure(K).unwrap();
    for toy in [
        Toy::Nothing,
        Toy::Gate(5),
        Toy::Input(2),
        Toy::Table(1),
        Toy::Instances(1),
        Toy::Rotation(-1),
        Toy::Rotation(31),
    ] {
        let keys = CircuitKeys::make(&srs, &toy, 1, vec![]).unwrap();
        let proof = keys.prove(&srs, toy, &[Fr::ZERO]).unwrap();
        assert_eq!(keys.verifier().verify(&[[0; 32]], &proof), Ok(()), "{toy:?}");
    }
}

#[test]
fn what_there_is_no_room_for_is_refused() {
    for (toy, error, text) in [
        (Toy::Challenge, Unsupported::Challenges, "it has challenges"),
        (Toy::Phase, Unsupported::Phases, "it has more than one phase"),
        (
            Toy::Instances(2),
            Unsupported::InstanceColumns(2),
            "it has 2 instance columns: more than one",
        ),
    ] {
        assert_eq!(refused(toy), (error, format!("the circuit's constraints: {text}")));
    }
    for (toy, error) in [
        (Toy::Gate(6), ProtocolError::ConstraintDegree(0)),
        (Toy::Gate(9), ProtocolError::ConstraintDegree(0)),
        (Toy::Input(3), ProtocolError::InputDegree(0)),
        (Toy::Table(2), ProtocolError::TableDegree(0)),
        (Toy::GateAlone, ProtocolError::NothingToShow),
        (Toy::Rotation(-32), ProtocolError::Rotation { column: Place::Advice(0), rotation: -32 }),
    ] {
        let text = format!("the circuit's constraints: {error}");
        assert_eq!(refused(toy), (Unsupported::Protocol(error), text), "{toy:?}");
    }
}

/// The name of a row twice. halo2 keeps more random rows than a column has rotations, so no two others are needed.
#[test]
fn rotations_that_are_the_same_row_are_refused() {
    let mut parts = parts();
    parts.nodes[7] = super::every::cell(Place::Advice(1), 16 - 2);
    parts.nodes.push(super::every::cell(Place::Advice(1), -2));
    parts.constraints.push(parts.nodes.len() - 1);
    let error = Protocol::new(parts).unwrap_err();
    assert_eq!(error, ProtocolError::EqualRotations(Place::Advice(1)));
}

/// σ is the identity in random rows.
#[test]
#[should_panic(expected = "a circuit writes into usable rows")]
fn a_copy_into_a_random_row_is_refused() {
    let mut cs = ConstraintSystem::default();
    Toy::configure_with_params(&mut cs, Toy::Nothing);
    let usable = (1 << K) - (cs.blinding_factors() + 1);
    assert!(keys(Toy::CopyOf(usable - 1)).is_ok());
    drop(keys(Toy::CopyOf(usable)));
}

/// Each advice column has a random row more than it is opened at. halo2's count sees to that; here it is read, and not believed.
#[test]
fn too_few_random_rows_are_refused() {
    let with = |usable: usize| {
        let protocol = Protocol::new(muster_verifier::ProtocolParts { usable, ..parts() }).unwrap();
        check_hidden(&protocol, &[0, 11, 2, 3, 4])
    };
    assert_eq!(with(USABLE), Ok(()));
    assert_eq!(with(13), Ok(()));
    let error = Unsupported::RandomRows { column: 11, rotations: 2, random: 2 };
    assert_eq!(with(14), Err(error.clone()));
    assert_eq!(
        error.to_string(),
        "advice column 11 is opened at 2 rows, and 2 rows are random: too few to hide it"
    );
    let mut cs = ConstraintSystem::default();
    Toy::configure_with_params(&mut cs, Toy::Rotation(1));
    assert!(cs.blinding_factors() + 1 > 2);
}
