//! A filled circuit, read.

use std::collections::HashMap;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem},
};

use muster_gates::{foreign::ForeignConfig, GatesConfig, Layout};

use super::{super::forger::Sheet, equations::Equations, grid::Grid};

/// What the roles of SHA-256 and SHA-512 begin with.
const HASH: &str = "sha";

/// What a filled circuit says.
pub(super) struct Reading {
    pub(super) equations: Equations,
    pub(super) order: Order,
}

impl Reading {
    pub(super) fn new<C>(circuit: &C, public: &[Fr]) -> Self
    where
        C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
    {
        let layout = circuit.params();
        let rows = 1usize << layout.k;
        let mut meta = ConstraintSystem::default();
        let config = C::configure_with_params(&mut meta, layout);
        let roles = roles(&config);
        let usable = config.usable_rows();
        let parts: Vec<_> = config.foreign().iter().map(ForeignConfig::parts).collect();
        let sheet = Sheet::read(rows, &meta, config, circuit, vec![public.to_vec()]);
        let grid = Grid::new(sheet);
        let equations = Equations::new(&meta, (&grid, usable), &parts);
        Self { equations, order: Order::new(&grid, roles) }
    }
}

/// The order in which classes are assumed to be known, and their roles.
pub(super) struct Order {
    roles: Vec<String>,
    rows: usize,
    /// The role and the row of each class's first cell.
    first: HashMap<usize, (usize, usize)>,
}

impl Order {
    /// A class is ranked by the first of its cells: gates come before the columns that copy from them, but hash gates
    /// last, since everything in a hash follows from what is hashed.
    fn new(grid: &Grid, roles: Vec<(usize, String)>) -> Self {
        let (hashes, others): (Vec<_>, Vec<_>) =
            roles.into_iter().partition(|(_, name)| name.starts_with(HASH));
        let (columns, roles): (Vec<_>, Vec<_>) = others.into_iter().chain(hashes).unzip();
        let (rows, mut first) = (grid.sheet.rows, HashMap::new());
        for (order, column) in columns.into_iter().enumerate() {
            for row in 0..rows {
                first.entry(grid.class(column, row)).or_insert((order, row));
            }
        }
        Self { roles, rows, first }
    }

    pub(super) fn rank(&self, class: usize) -> usize {
        let (order, row) = self.first[&class];
        order * self.rows + row
    }

    pub(super) fn role(&self, class: usize) -> &str {
        &self.roles[self.first[&class].0]
    }
}

/// Advice columns and their names, those of range checks and of the vertical gate last.
fn roles(config: &GatesConfig) -> Vec<(usize, String)> {
    let named = |(gate, columns): (&str, Vec<usize>)| {
        let name = |(i, column)| (column, format!("{gate} {i}"));
        columns.into_iter().enumerate().map(name).collect::<Vec<_>>()
    };
    config.groups().into_iter().flat_map(named).collect()
}
