//! Points of Baby Jubjub, as given and in circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use rayon::prelude::*;

use muster_gates::{
    edwards::{AssignedTable, TableSource},
    Chips, GateContext,
};
use muster_schemes::curve::edwards::{AffinePoint, SubgroupPoint};

/// Unchecked coordinates: what a file or an attacker brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawPoint {
    /// First coordinate.
    pub x: Fr,
    /// Second coordinate.
    pub y: Fr,
}

impl RawPoint {
    /// The generator of the subgroup.
    pub fn generator() -> Self {
        let point = AffinePoint::generator();
        Self { x: point.x(), y: point.y() }
    }

    /// The `Q` with `8·Q` equal to this point, if there is one in the subgroup; for a point off the
    /// curve, which no `Q` exists for, the point itself.
    fn eighth(&self) -> (Fr, Fr) {
        match AffinePoint::new(self.x, self.y) {
            Some(point) => {
                let eighth = point.divide_by_cofactor();
                (eighth.x(), eighth.y())
            }
            None => (self.x, self.y),
        }
    }

    /// [`Self::eighth`] of each point, on all threads: it is most of what a point takes. Any pair, where only rows are
    /// counted.
    pub(super) fn eighths(chips: &Chips, points: &[Self]) -> Vec<(Fr, Fr)> {
        if chips.counts_only() {
            return points.iter().map(|point| (point.x, point.y)).collect();
        }
        points.par_iter().map(Self::eighth).collect()
    }
}

/// A point of the subgroup of prime order other than the identity, with its table of multiples.
#[derive(Clone, Debug)]
pub struct AssignedPoint {
    pub(super) table: AssignedTable,
}

impl AssignedPoint {
    /// Witnesses a point: it is on the curve, in the subgroup and not the identity. Coordinates are
    /// field elements, hence canonical.
    pub fn new(ctx: &mut GateContext, lane: usize, point: &RawPoint) -> Self {
        Self::of_eighth(ctx, lane, point.eighth())
    }

    /// The same of a point whose eighth is known.
    pub(super) fn of_eighth(ctx: &mut GateContext, lane: usize, q: (Fr, Fr)) -> Self {
        let source = TableSource::EighthOf { q };
        Self { table: ctx.chips.edwards.table(ctx, lane, &source) }
    }

    /// The generator of the subgroup.
    pub fn generator(ctx: &mut GateContext, lane: usize) -> Self {
        let point = SubgroupPoint::from_affine(AffinePoint::generator());
        let source = TableSource::Constant(point.expect("the generator is in the subgroup"));
        Self { table: ctx.chips.edwards.table(ctx, lane, &source) }
    }

    /// First coordinate.
    pub fn x(&self) -> AssignedValue<Fr> {
        self.table.x
    }

    /// Second coordinate.
    pub fn y(&self) -> AssignedValue<Fr> {
        self.table.y
    }
}
