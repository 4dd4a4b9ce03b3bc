//! Baby Jubjub: addition, tables of multiples, and multi-scalar multiplication by table lookup.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! use muster_gates::{
//!     edwards::{LongScalar, LongTerm, TableSource},
//!     vertical, GateCircuit, Layout,
//! };
//! use muster_schemes::curve::edwards::{Scalar, SubgroupPoint};
//!
//! let layout = Layout {
//!     k: 9,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 4,
//!     constant_rows: 8,
//!     edwards_lanes: 1,
//!     ..Layout::default()
//! };
//! let holds = |scalar: u64| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         let base = TableSource::Constant(SubgroupPoint::generator());
//!         let table = &ctx.chips.edwards.table(ctx, 0, &base);
//!         let term = LongTerm { table, scalar: LongScalar::new(&5.into()) };
//!         let product = ctx.chips.edwards.multiply(0, &[term], &[]);
//!         // The scalar is the prover's choice until it is bound.
//!         let scalar = vertical::load_constant(ctx, Fr::from(scalar));
//!         vertical::assert_equal(ctx, &product.long[0].value, &scalar);
//!         let point = product.point(&[product.long[0].assume_bound()]);
//!         let expected = SubgroupPoint::mul_generator(&Scalar::from(5)).unwrap();
//!         assert_eq!((*point.x().value(), *point.y().value()), (expected.x(), expected.y()));
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! assert!(holds(5));
//! assert!(!holds(7));
//! ```

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed},
    poly::Rotation,
};

use super::border;
use muster_schemes::curve::edwards::{COEFF_A, COEFF_D};

mod chip;
mod member;
mod multiply;
mod rows;
mod steps;
mod table;
#[cfg(test)]
mod tests;

pub use chip::EdwardsChip;
#[cfg(debug_assertions)]
pub use member::Member;
pub use member::Wanted;
pub use multiply::{
    AssignedLong, AssignedShort, BoundScalar, LongScalar, LongTerm, Product, ShortScalar,
    ShortTerm, LONG_DIGITS, SHORT_DIGITS,
};
pub use table::{AssignedSum, AssignedTable, TableSource};

use steps::{Addend, Step};

/// Advice columns of a lane, and the place of each.
const WIDTH: usize = 6;
const X1: usize = 0;
const Y1: usize = 1;
const X2: usize = 2;
const Y2: usize = 3;
const TAU: usize = 4;
const SUM: usize = 5;

/// Rows from an accumulator to the next one of its window.
const STRIDE: usize = 64;
/// Key of member 0 of a set in the lookup; keys of tables are smaller.
const MEMBER_BASE: u64 = 1 << 32;

/// Columns of the Edwards gate.
#[derive(Clone, Debug)]
pub struct EdwardsConfig {
    lanes: Vec<[Column<Advice>; WIDTH]>,
    /// What is done with the accumulator of a row, see [`Step`].
    step: Column<Fixed>,
    /// What binds the addend of a row or of the next one, see [`Addend`].
    addend: Column<Fixed>,
    /// `1/j` where the row holds `j·x` for `x`; 0 where nothing is added.
    scale: Column<Fixed>,
    /// 1 where the addend is looked up by its digit.
    lookup: Column<Fixed>,
    /// 1 where a member of a set is looked up.
    member: Column<Fixed>,
    /// The key of an entry; in a row that looks up, the negative of the key; 0 in all others.
    key: Column<Fixed>,
}

impl EdwardsConfig {
    /// Adds `lanes` lanes of six columns and one lookup argument each. The lanes run in step and
    /// share the fixed columns.
    ///
    /// One row adds `(x₂, y₂)` to the accumulator `(x₁, y₁)`:
    ///
    /// ```text
    /// x1 y1 | x2 y2 | tau = x1·x2·y1·y2 | sum
    /// ```
    ///
    /// The result is the accumulator of the next row (tables) or of the row 64 below (products).
    /// `sum` is the running sum of a scalar's digits: the digit of a row is `sum' - 16·sum`; in a
    /// member's row it is the index. The README beside this file draws the blocks and argues
    /// soundness.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, lanes: usize) -> Self {
        let mut advice = || {
            let columns = [(); WIDTH].map(|()| meta.advice_column());
            [X1, Y1, SUM].into_iter().for_each(|column| meta.enable_equality(columns[column]));
            columns
        };
        let config = Self {
            lanes: (0..lanes).map(|_| advice()).collect(),
            step: meta.fixed_column(),
            addend: meta.fixed_column(),
            scale: meta.fixed_column(),
            lookup: meta.fixed_column(),
            member: meta.fixed_column(),
            key: meta.fixed_column(),
        };
        for lane in &config.lanes {
            config.addition_gate(meta, lane);
            config.lookup_argument(meta, lane);
        }
        config
    }

    /// Complete addition on `a·x² + y² = 1 + d·x²·y²` (ePrint 2008/013, section 6): `a` is a square
    /// and `d` is not, so `1 ± d·tau` never vanishes for points on the curve.
    fn addition_gate(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        let [x1, y1, x2, y2, tau, _] = *lane;
        border::create_gate(meta, "edwards: addition", |meta| {
            let step = meta.query_fixed(self.step, Rotation::cur());
            let addend = meta.query_fixed(self.addend, Rotation::cur());
            let scale = meta.query_fixed(self.scale, Rotation::cur());
            let scale_next = meta.query_fixed(self.scale, Rotation::next());
            let stored = meta.query_advice(x1, Rotation::cur());
            let y1_cur = meta.query_advice(y1, Rotation::cur());
            let [x2_next, y2_next] =
                [x2, y2].map(|column| meta.query_advice(column, Rotation::next()));
            let x2 = meta.query_advice(x2, Rotation::cur());
            let y2 = meta.query_advice(y2, Rotation::cur());
            let tau = meta.query_advice(tau, Rotation::cur());
            let next = [x1, y1].map(|column| meta.query_advice(column, Rotation::next()));
            let far = [x1, y1].map(|column| meta.query_advice(column, Rotation(STRIDE as i32)));

            let [one, a, d] = [1, COEFF_A, COEFF_D].map(|c| Expression::Constant(Fr::from(c)));
            let [is_next, is_far, is_any] = Step::selectors(&step);
            let [doubles, keeps, takes] = Addend::selectors(&addend);
            let x1 = scale.clone() * stored.clone();
            let (xx, yy) = (x2.clone() * x2.clone(), y2.clone() * y2.clone());
            let [x_next, y_next] = next;
            let [x_far, y_far] = far;
            let x_sum = x1.clone() * y2.clone() + y1_cur.clone() * x2.clone();
            let y_sum = y1_cur.clone() * y2.clone() - a.clone() * x1.clone() * x2.clone();
            let x_under = one.clone() + d.clone() * tau.clone();
            let y_under = one.clone() - d.clone() * tau.clone();
            let product = x1 * x2.clone() * y1_cur.clone() * y2.clone();
            vec![
                ("tau", is_any * tau - product),
                ("addend on curve", scale * (a * xx.clone() + yy.clone() - one - d * xx * yy)),
                (
                    "x to next",
                    is_next.clone() * (scale_next * x_next * x_under.clone() - x_sum.clone()),
                ),
                ("y to next", is_next * (y_next * y_under.clone() - y_sum.clone())),
                ("x to far", is_far.clone() * (x_far * x_under - x_sum)),
                ("y to far", is_far * (y_far * y_under - y_sum)),
                ("double x", doubles.clone() * (x2.clone() - stored.clone())),
                ("double y", doubles * (y2.clone() - y1_cur.clone())),
                ("keep x", keeps.clone() * (x2_next.clone() - x2)),
                ("keep y", keeps * (y2_next.clone() - y2)),
                ("take x", takes.clone() * (x2_next - stored)),
                ("take y", takes * (y2_next - y1_cur)),
            ]
        });
    }

    /// A digit `dig` of a product's row picks `(dig·x₂, y₂)` from the table of its point, whose entries
    /// are `(j·x(jP), y(jP))` for odd `j` from 1 to 15. The addend is on the curve, so `y₂ = y(jP)`
    /// leaves `x₂ = ±x(jP)`, hence `dig = ±j` with the sign of `x₂`. A member's row, whose `x₂` is
    /// bound to be 0, picks the entry `(index, x, weight)` by the index in `sum`. A row that looks up
    /// is an entry too, with a negative key that nothing asks for. Degree: `2 + 2 + 1 = 5`.
    fn lookup_argument(&self, meta: &mut ConstraintSystem<Fr>, lane: &[Column<Advice>; WIDTH]) {
        let [x1, y1, x2, y2, _, sum] = *lane;
        border::lookup_any(meta, "edwards: addend in its table, member in the set", |meta| {
            let lookup = meta.query_fixed(self.lookup, Rotation::cur());
            let member = meta.query_fixed(self.member, Rotation::cur());
            let key = meta.query_fixed(self.key, Rotation::cur());
            let x1 = meta.query_advice(x1, Rotation::cur());
            let y1 = meta.query_advice(y1, Rotation::cur());
            let x2 = meta.query_advice(x2, Rotation::cur());
            let y2 = meta.query_advice(y2, Rotation::cur());
            let sum_next = meta.query_advice(sum, Rotation::next());
            let sum = meta.query_advice(sum, Rotation::cur());
            let digit = sum_next - Expression::Constant(Fr::from(16)) * sum.clone();
            let wanted = member.clone() * sum - (lookup.clone() + member.clone()) * key.clone();
            vec![
                (wanted, key),
                (digit * x2 + member.clone() * x1.clone(), x1),
                (lookup * y2 + member * y1.clone(), y1),
            ]
        });
    }
}
