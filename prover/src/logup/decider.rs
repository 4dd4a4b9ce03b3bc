//! The decider as a circuit like any other: one gate, four copied columns, and no lookups (section 11 of the specification).

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::Backend;
use muster_verifier::{
    Column, Decider, FillError, Filled, Node, Pack, Polynomial, Protocol, ProtocolParts, Scalar,
};
use rand::RngCore;

use super::{
    blinded::{number, scalar},
    commitments::{Commitments, Places},
    openings::Part,
    system::{apart, KeyColumns, System},
};
use crate::{polynomial::Numbers, Error};

/// The wires `a, b, c, d`, which are the first advice columns. The column of the values follows.
const WIRES: usize = 4;
/// The fixed columns `q_m, q_a, q_b, q_c, q_e, q_0`.
const FIXED: usize = 6;

/// A decider with what its proofs share.
#[derive(Debug)]
pub(super) struct DeciderSystem {
    pub(super) decider: Decider,
    pub(super) system: System,
    pub(super) key: KeyColumns,
}

impl DeciderSystem {
    /// A decider, with what commits to packs of its columns, if there are roots of unity for its rows.
    pub(super) fn new(
        backend: Backend,
        decider: Decider,
        places: Places<'_>,
    ) -> Result<Self, Error> {
        let protocol = protocol(&decider);
        let bases = Commitments::new(backend, places, protocol.usable());
        let system = System::new(backend, &protocol, packs(&protocol), bases)?;
        let key = KeyColumns::new(&system.domain, &protocol, columns(&decider));
        key.coefficients(&system.domain);
        Ok(Self { decider, system, key })
    }

    /// The column of the values of a circuit's packs. Its random rows are filled.
    pub(super) fn values(&self, parts: &[Part<'_>], rng: &mut impl RngCore) -> Numbers {
        let rows = self.system.protocol.rows();
        let mut column = vec![Fr::ZERO; rows];
        for cell in self.decider.cells() {
            let part = &parts[cell.pack];
            let at = part.rotations.iter().position(|rotation| *rotation == cell.rotation);
            let at = at.expect("a cell is for a rotation of its pack");
            column[cell.row] = part.values[cell.place][at];
        }
        column[self.system.protocol.usable()..].fill_with(|| Fr::random(&mut *rng));
        column
    }

    /// The wires, or nothing if a challenge makes a number 0 that is inverted. Their random rows are filled: in two of them `d` is `c`, and
    /// in the others 0, as the gate says.
    pub(super) fn wires(
        &self,
        public: &[Fr],
        values: &[Fr],
        rng: &mut impl RngCore,
    ) -> Option<Vec<Numbers>> {
        let public: Vec<Scalar> = public.iter().map(scalar).collect();
        let cells = self.decider.cells().iter();
        let values: Vec<Scalar> = cells.map(|cell| scalar(&values[cell.row])).collect();
        let Filled { wires, .. } = match self.decider.fill(&public, &values) {
            Ok(filled) => filled,
            Err(FillError::Degenerate { .. }) => return None,
            Err(error) => unreachable!("as many as it has: {error}"),
        };
        let mut wires: Vec<Numbers> =
            wires.iter().map(|wire| wire.iter().map(number).collect()).collect();
        let [random, half] = [Decider::RANDOM_ROWS, Decider::RANDOM_ROWS / 2];
        let rows = self.system.protocol.rows();
        let (results, others) = wires.split_last_mut().expect("there are four");
        for wire in &mut *others {
            wire[rows - random..].fill_with(|| Fr::random(&mut *rng));
        }
        let shown = rows - random..rows - half;
        results[shown.clone()].copy_from_slice(&others[others.len() - 1][shown]);
        Some(wires)
    }
}

/// The columns that `K₂` commits to.
pub(crate) fn columns(decider: &Decider) -> Vec<Numbers> {
    decider.columns().iter().map(|column| column.iter().map(number).collect()).collect()
}

/// The decider's constraints, as those of any circuit.
fn protocol(decider: &Decider) -> Protocol {
    let rows = 1 << decider.k();
    let cell = |column| Node::Cell { column, rotation: 0 };
    let mut nodes: Vec<Node> = (0..FIXED).map(|index| cell(Column::Fixed(index))).collect();
    nodes.extend((0..=WIRES).map(|index| cell(Column::Advice(index))));
    nodes.push(cell(Column::Inputs));
    let mut node = |node| {
        nodes.push(node);
        nodes.len() - 1
    };
    let [q_m, q_a, q_b, q_c, q_e, q_0, a, b, c, d, e, public] = std::array::from_fn(|place| place);
    let product = node(Node::Product(a, b));
    let minus = node(Node::Constant(-Scalar::from(1)));
    let mut sum = node(Node::Sum(q_0, public));
    for (factor, wire) in [(q_m, product), (q_a, a), (q_b, b), (q_c, c), (q_e, e), (minus, d)] {
        let term = node(Node::Product(factor, wire));
        sum = node(Node::Sum(sum, term));
    }
    let parts = ProtocolParts {
        k: decider.k(),
        usable: rows - Decider::RANDOM_ROWS,
        fixed: FIXED,
        advice: WIRES + 1,
        inputs: decider.public_inputs(),
        nodes,
        constraints: vec![sum],
        tables: vec![],
        copied: (0..WIRES).map(Column::Advice).collect(),
    };
    Protocol::new(parts).expect("a decider obeys the rules")
}

/// `K₂`, `E`, `V` and `Z₂`.
fn packs(protocol: &Protocol) -> Vec<Pack> {
    let opened = protocol.arrangement().polynomials();
    let mut packs: [Option<Pack>; 4] = [const { None }; 4];
    for pack in apart(protocol) {
        let place = match opened[pack.polynomials[0]].polynomial {
            Polynomial::Fixed(_) | Polynomial::Sigma(_) => 0,
            Polynomial::Advice(WIRES) => 1,
            Polynomial::Advice(_) => 2,
            _ => 3,
        };
        match &mut packs[place] {
            Some(whole) => whole.polynomials.extend(pack.polynomials),
            none => *none = Some(pack),
        }
    }
    packs.into_iter().flatten().collect()
}
