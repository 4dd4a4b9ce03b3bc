//! What a pin covers: everything that a circuit gives its key, and nothing of its witness.

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::{
    circuit::{Cell, Layouter, SimpleFloorPlanner, Value},
    dev::CellValue,
    plonk::{
        Advice, Circuit, Column, ConstraintSystem, Error as PlonkError, Expression, Fixed, Selector,
    },
    poly::Rotation,
};
use rayon::iter::ParallelIterator;

use super::{material::Material, *};

fn material() -> Material {
    let shape = fit(&request(Scheme::Schnorr, 4, 2, Mode::WholeSet));
    Material::of(&shape.keygen_circuit(), shape.degree())
}

/// The mock prover is halo2's own account of a circuit.
#[test]
fn what_is_pinned_is_what_the_library_reads() {
    let shape = fit(&request(Scheme::Schnorr, 4, 2, Mode::WholeSet));
    let (circuit, public) = (shape.keygen_circuit(), vec![Fr::zero(); shape.public_inputs()]);
    let mock = MockProver::run(shape.degree(), &circuit, vec![public]).expect("the rows fit");
    let Material { fixed, selectors, next, .. } = Material::of(&circuit, shape.degree());
    let rows = 1 << shape.degree();
    let theirs = mock.permutation().mapping().flat_map(|column| column.collect::<Vec<_>>());
    assert!(theirs.map(|(column, row)| column * rows + row).eq(next));
    let number = |cell: &CellValue<Fr>| match cell {
        CellValue::Assigned(number) => *number,
        CellValue::Unassigned | CellValue::Poison(_) => Fr::zero(),
    };
    let theirs: Vec<Vec<Fr>> =
        mock.fixed().iter().map(|column| column.iter().map(number).collect()).collect();
    // Selectors stand behind the fixed columns, each as a column of its own.
    let as_number = |is_on: bool| Fr::from(u64::from(is_on));
    let selectors = selectors.into_iter().map(|rows| rows.into_iter().map(as_number).collect());
    assert!(theirs.into_iter().eq(fixed.into_iter().chain(selectors)));
}

/// Any cell of any fixed column, any row of any selector, any copy, and any word of the constraints.
#[test]
fn a_pin_changes_with_every_part() {
    let own = material();
    let mut pins = vec![own.pin()];
    assert_eq!(material().pin(), own.pin());
    let rows = own.fixed[0].len();
    let mut changed = |change: &dyn Fn(&mut Material)| {
        let mut other = own.clone();
        change(&mut other);
        assert_ne!(other, own, "it is changed");
        pins.push(other.pin());
    };
    for column in 0..own.fixed.len() {
        let row = (7 * column + 1) % rows;
        changed(&|material| material.fixed[column][row] += Fr::one());
        // From a cell that is written, if there is one, to the next.
        if let Some(row) = own.fixed[column].iter().position(|value| *value != Fr::zero()) {
            changed(&|material| material.fixed[column][row] = Fr::zero());
            if own.fixed[column][row] != own.fixed[column][row + 1] {
                changed(&|material| material.fixed[column].swap(row, row + 1));
            }
        }
    }
    for selector in 0..own.selectors.len() {
        let row = (5 * selector + 2) % rows;
        changed(&|material| material.selectors[selector][row] ^= true);
    }
    // A swap joins two cycles, or cuts one in two.
    for column in 0..own.next.len() / rows {
        let cell = column * rows + (3 * column) % (rows - 1);
        changed(&|material| material.next.swap(cell, cell + 1));
    }
    // A cycle that goes the other way around keeps the same cells equal, and is another key.
    let backwards = |cycle: &[usize], material: &mut Material| {
        cycle.iter().for_each(|cell| material.next[own.next[*cell]] = *cell);
    };
    let starts = (0..own.next.len()).map(|start| {
        let along = |cell: &usize| Some(own.next[*cell]).filter(|next| *next != start);
        std::iter::successors(Some(start), along).take(4).collect::<Vec<_>>()
    });
    let mut triples = starts.filter(|cycle| cycle.len() == 3);
    let triple = triples.next().expect("some three cells are equal");
    changed(&|material| backwards(&triple, material));
    for word in
        ["num_advice_columns: ", "rotation: Rotation(", "Constant(0x", "input_expressions: ["]
    {
        let place = own.constraints.find(word).expect("it is said") + word.len();
        changed(&|material| material.constraints.insert(place, '1'));
    }
    let count = pins.len();
    assert_eq!(pins.into_iter().collect::<BTreeSet<_>>().len(), count, "all differ");
}

/// A small circuit, with one thing changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Small {
    #[default]
    Unchanged,
    /// What the witness is.
    Witness,
    FixedValue,
    FixedRow,
    SelectorRow,
    OtherCopy,
    NoCopy,
    /// The same three cells, joined in another order.
    CopyOrder,
    GateConstant,
    GateRotation,
    MoreGates,
    LookupInput,
    LookupTable,
    MoreCopied,
    MoreColumns,
}

const CHANGES: [Small; 13] = [
    Small::FixedValue,
    Small::FixedRow,
    Small::SelectorRow,
    Small::OtherCopy,
    Small::NoCopy,
    Small::CopyOrder,
    Small::GateConstant,
    Small::GateRotation,
    Small::MoreGates,
    Small::LookupInput,
    Small::LookupTable,
    Small::MoreCopied,
    Small::MoreColumns,
];

#[derive(Clone)]
struct SmallConfig {
    advice: [Column<Advice>; 2],
    fixed: Column<Fixed>,
    selector: Selector,
}

impl Circuit<Fr> for Small {
    type Config = SmallConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Self;

    fn params(&self) -> Self {
        *self
    }

    fn without_witnesses(&self) -> Self {
        *self
    }

    fn configure(meta: &mut ConstraintSystem<Fr>) -> SmallConfig {
        Self::configure_with_params(meta, Self::default())
    }

    fn configure_with_params(meta: &mut ConstraintSystem<Fr>, change: Self) -> SmallConfig {
        let is = |other: Self| change == other;
        let advice = [(); 2].map(|()| meta.advice_column());
        let (fixed, table, selector) =
            (meta.fixed_column(), meta.fixed_column(), meta.complex_selector());
        advice.into_iter().for_each(|column| meta.enable_equality(column));
        if is(Self::MoreCopied) {
            meta.enable_equality(fixed);
        }
        if is(Self::MoreColumns) {
            meta.advice_column();
        }
        for _ in 0..1 + usize::from(is(Self::MoreGates)) {
            meta.create_gate("product", |meta| {
                let below = Rotation(i32::from(is(Self::GateRotation)));
                let [left, right] = [(0, Rotation::cur()), (1, below)]
                    .map(|(column, rotation)| meta.query_advice(advice[column], rotation));
                let factor = meta.query_fixed(fixed, Rotation::cur());
                let constant =
                    Expression::Constant(Fr::from(1 + u64::from(is(Self::GateConstant))));
                vec![meta.query_selector(selector) * (left * factor - right + constant)]
            });
        }
        meta.lookup_any("table", |meta| {
            let input = advice[usize::from(is(Self::LookupInput))];
            let table = if is(Self::LookupTable) { fixed } else { table };
            let input = meta.query_advice(input, Rotation::cur());
            vec![(input, meta.query_fixed(table, Rotation::cur()))]
        });
        SmallConfig { advice, fixed, selector }
    }

    fn synthesize(
        &self,
        SmallConfig { advice, fixed, selector }: SmallConfig,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), PlonkError> {
        let is = |other: Self| *self == other;
        layouter.assign_region(
            || "",
            |mut region| {
                selector.enable(&mut region, usize::from(is(Self::SelectorRow)))?;
                let value = Fr::from(5 + u64::from(is(Self::FixedValue)));
                region.assign_fixed(fixed, usize::from(is(Self::FixedRow)), value);
                let mut cell = |column: usize, row| -> Cell {
                    let value = Value::known(Fr::from(u64::from(is(Self::Witness))));
                    region.assign_advice(advice[column], row, value).cell()
                };
                let [one, two, three, four] =
                    [(0, 0), (1, 1), (0, 2), (1, 3)].map(|(column, row)| cell(column, row));
                let copies = match self {
                    Self::NoCopy => vec![(one, two)],
                    Self::OtherCopy => vec![(one, two), (two, four)],
                    Self::CopyOrder => vec![(one, three), (three, two)],
                    _ => vec![(one, two), (two, three)],
                };
                for (left, right) in copies {
                    region.constrain_equal(left, right);
                }
                Ok(())
            },
        )
    }
}

#[test]
fn a_pin_changes_with_every_gate_lookup_copy_and_fixed_cell_and_with_no_witness() {
    const K: u32 = 4;
    let own = Material::of(&Small::Unchanged, K).pin();
    assert_eq!(Material::of(&Small::Witness, K).pin(), own);
    assert_ne!(Material::of(&Small::Unchanged, K + 1).pin(), own);
    let mut pins = BTreeSet::from([own]);
    for change in CHANGES {
        assert!(pins.insert(Material::of(&change, K).pin()), "{change:?}");
    }
}
