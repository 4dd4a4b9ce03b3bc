//! The rows of a lane as they are recorded, and the points that fill them.

use std::{collections::BTreeSet, sync::OnceLock};

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{BatchInvert, Field},
};

use super::{
    steps::{Addend, Step},
    TAU, WIDTH, X1, X2, Y1, Y2,
};
use crate::place::Place;
use muster_schemes::curve::edwards::{COEFF_A, COEFF_D};

/// Fixed cells of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FixedRow {
    pub(super) step: Step,
    pub(super) addend: Addend,
    /// The row holds `multiple·x` for `x`; 0 where nothing is added.
    pub(super) multiple: u64,
    pub(super) lookup: bool,
    pub(super) member: bool,
    pub(super) key: Key,
    /// The place that asks for them.
    pub(super) place: Place,
}

/// The role of a row in the lookup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Key {
    /// Nothing.
    #[default]
    None,
    /// The entry of a key.
    Entry(u64),
    /// Looks a key up.
    Wanted(u64),
}

impl Key {
    /// The fixed cell: keys are far smaller than the field, so no wanted key is an entry's.
    pub(super) fn value(self) -> Fr {
        match self {
            Self::None => Fr::ZERO,
            Self::Entry(key) => Fr::from(key),
            Self::Wanted(key) => -Fr::from(key),
        }
    }
}

/// `1/multiple`; 0 for 0.
pub(super) fn scale(multiple: u64) -> Fr {
    static INVERSES: OnceLock<[Fr; 16]> = OnceLock::new();
    let inverse = |j: usize| Fr::from(j as u64).invert().unwrap_or(Fr::ZERO);
    INVERSES.get_or_init(|| std::array::from_fn(inverse))[multiple as usize]
}

/// One row of a lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub(super) advice: [Fr; WIDTH],
    pub(super) fixed: FixedRow,
}

/// What is recorded in one lane.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneRows {
    pub(super) rows: Vec<Row>,
    /// Cells that other gates or other rows refer to; none while only a witness is made.
    pub(super) named: BTreeSet<(usize, usize)>,
    /// Entries `(x(jP), y(jP))` of each table, `j` odd.
    pub(super) tables: Vec<[(Fr, Fr); 8]>,
}

impl LaneRows {
    /// Appends `count` idle rows; returns the index of the first.
    pub(super) fn extend(&mut self, count: usize) -> usize {
        let first = self.rows.len();
        self.rows.resize(first + count, Row::default());
        first
    }

    /// Writes accumulators, scaled as their rows say.
    pub(super) fn put_accumulators(&mut self, accumulators: &[(usize, Projective)]) {
        let points: Vec<_> = accumulators.iter().map(|(_, point)| *point).collect();
        for ((row, _), (x, y)) in accumulators.iter().zip(normalize(&points)) {
            let multiple = self.rows[*row].fixed.multiple.max(1);
            self.rows[*row].advice[X1] = x * Fr::from(multiple);
            self.rows[*row].advice[Y1] = y;
        }
    }

    /// Fills in the addends of doublings, and `tau` of every row from `first` on.
    pub(super) fn finish(&mut self, first: usize) {
        for row in &mut self.rows[first..] {
            if row.fixed.addend.is_double() {
                row.advice[X2] = row.advice[X1];
                row.advice[Y2] = row.advice[Y1];
            }
            if row.fixed.step != Step::Idle {
                let [x1, y1, x2, y2, ..] = row.advice;
                row.advice[TAU] = scale(row.fixed.multiple) * x1 * y1 * x2 * y2;
            }
        }
    }
}

/// `(X/Z, Y/Z)`, for witnesses.
///
/// Unlike the native curve, this takes any pair of field elements, on the curve or not: the witness
/// generator must also run on an attacker's input, and leave it to the constraints to refuse it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projective {
    x: Fr,
    y: Fr,
    z: Fr,
}

impl Projective {
    pub(super) const IDENTITY: Self = Self { x: Fr::ZERO, y: Fr::ONE, z: Fr::ONE };

    pub(super) fn new((x, y): (Fr, Fr)) -> Self {
        Self { x, y, z: Fr::ONE }
    }

    /// Complete addition on a twisted Edwards curve (ePrint 2008/013, section 6).
    pub(super) fn add(&self, other: &Self) -> Self {
        let z = self.z * other.z;
        let (xx, yy) = (self.x * other.x, self.y * other.y);
        let cross = (self.x + self.y) * (other.x + other.y) - xx - yy;
        let bend = Fr::from(COEFF_D) * xx * yy;
        let (minus, plus) = (z.square() - bend, z.square() + bend);
        Self { x: z * minus * cross, y: z * plus * (yy - Fr::from(COEFF_A) * xx), z: minus * plus }
    }

    pub(super) fn double(&self) -> Self {
        self.add(self)
    }
}

/// Affine coordinates of many points; `(0, 0)` for a point with `Z = 0`, which only invalid input
/// gives.
fn normalize(points: &[Projective]) -> Vec<(Fr, Fr)> {
    let mut inverses: Vec<Fr> = points.iter().map(|point| point.z).collect();
    inverses.iter_mut().batch_invert();
    points
        .iter()
        .zip(inverses)
        .map(|(point, inverse)| (point.x * inverse, point.y * inverse))
        .collect()
}
