//! halo2-base's arithmetic on its vertical gate; each call carries the place that asked for it.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! use muster_gates::{vertical, GateCircuit, Layout};
//!
//! let layout = Layout {
//!     k: 6,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 4,
//!     constant_rows: 8,
//!     ..Layout::default()
//! };
//! let holds = |claimed: u64| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         let [a, b] = [6, 7].map(|factor| ctx.load_witness(Fr::from(factor)));
//!         let product = ctx.gate.mul(ctx, a, b);
//!         let claimed = vertical::load_constant(ctx, Fr::from(claimed));
//!         vertical::assert_equal(ctx, &product, &claimed);
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! assert!(holds(42));
//! assert!(!holds(43));
//! ```

use halo2_base::{
    gates::{GateChip, GateInstructions},
    halo2_proofs::halo2curves::bn256::Fr,
    AssignedValue, Context, QuantumCell,
};

#[cfg(debug_assertions)]
use super::place::credit;
use super::place::Place;

/// Constrains `a = b` by a copy.
#[track_caller]
pub fn assert_equal(ctx: &mut Context<Fr>, a: &AssignedValue<Fr>, b: &AssignedValue<Fr>) {
    watched(ctx, |ctx| ctx.constrain_equal(a, b));
}

/// A cell that is the constant `value`.
#[track_caller]
pub fn load_constant(ctx: &mut Context<Fr>, value: Fr) -> AssignedValue<Fr> {
    watched(ctx, |ctx| ctx.load_constant(value))
}

/// The zero cell of a context; every call returns the same one.
#[track_caller]
pub fn load_zero(ctx: &mut Context<Fr>) -> AssignedValue<Fr> {
    watched(ctx, Context::load_zero)
}

/// Arithmetic on the vertical gate: halo2-base's [`GateChip`], whose methods have the same names.
///
/// Gadgets use it and the functions of this module for every constraint of the vertical gate, never [`Context`] itself:
/// what is recorded here can be dropped in a test.
#[derive(Clone, Debug, Default)]
pub struct VerticalChip(GateChip<Fr>);

impl VerticalChip {
    /// A chip.
    pub fn new() -> Self {
        Self::default()
    }

    /// Constrains `bit` to be 0 or 1.
    #[track_caller]
    pub fn assert_bit(&self, ctx: &mut Context<Fr>, bit: AssignedValue<Fr>) {
        watched(ctx, |ctx| self.0.assert_bit(ctx, bit));
    }

    /// 1 if `a` is 0, and 0 if not.
    #[track_caller]
    pub fn is_zero(&self, ctx: &mut Context<Fr>, a: AssignedValue<Fr>) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.is_zero(ctx, a))
    }

    /// `1 - a`.
    #[track_caller]
    pub fn not(&self, ctx: &mut Context<Fr>, a: impl Into<QuantumCell<Fr>>) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.not(ctx, a))
    }

    /// `a + b`.
    #[track_caller]
    pub fn add(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.add(ctx, a, b))
    }

    /// `a - b`.
    #[track_caller]
    pub fn sub(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.sub(ctx, a, b))
    }

    /// `a·b`.
    #[track_caller]
    pub fn mul(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.mul(ctx, a, b))
    }

    /// `a·b + c`.
    #[track_caller]
    pub fn mul_add(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
        c: impl Into<QuantumCell<Fr>>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.mul_add(ctx, a, b, c))
    }

    /// The sum of `terms`.
    #[track_caller]
    pub fn sum<Q: Into<QuantumCell<Fr>>>(
        &self,
        ctx: &mut Context<Fr>,
        terms: impl IntoIterator<Item = Q>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.sum(ctx, terms))
    }

    /// `Σ aᵢ·bᵢ`.
    #[track_caller]
    pub fn inner_product<Q: Into<QuantumCell<Fr>>>(
        &self,
        ctx: &mut Context<Fr>,
        a: impl IntoIterator<Item = Q>,
        b: impl IntoIterator<Item = QuantumCell<Fr>>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.inner_product(ctx, a, b))
    }

    /// `a` where `bit` is 1, `b` where it is 0.
    #[track_caller]
    pub fn select(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
        bit: impl Into<QuantumCell<Fr>>,
    ) -> AssignedValue<Fr> {
        watched(ctx, |ctx| self.0.select(ctx, a, b, bit))
    }

    /// The `bits` bits of `a`, the lowest first; `a` must have no more.
    #[track_caller]
    pub fn num_to_bits(
        &self,
        ctx: &mut Context<Fr>,
        a: AssignedValue<Fr>,
        bits: usize,
    ) -> Vec<AssignedValue<Fr>> {
        watched(ctx, |ctx| self.0.num_to_bits(ctx, a, bits))
    }
}

/// Does `work`, and drops those of its constraints that the caller's place does not keep.
#[track_caller]
pub(super) fn watched<T>(ctx: &mut Context<Fr>, work: impl FnOnce(&mut Context<Fr>) -> T) -> T {
    let before = Recorded::of(ctx);
    let done = work(ctx);
    before.prune(ctx, Place::here());
    done
}

/// How many constraints of one kind in a call are dropped one by one; the rest are dropped together.
#[cfg(debug_assertions)]
const PARTS: usize = 12;

/// How much a context has recorded.
struct Recorded {
    #[cfg(debug_assertions)]
    cells: usize,
    #[cfg(debug_assertions)]
    copies: usize,
    #[cfg(debug_assertions)]
    constants: usize,
}

#[cfg(debug_assertions)]
impl Recorded {
    fn of(ctx: &Context<Fr>) -> Self {
        let copies = ctx.copy_manager.lock().expect("no thread panics while it holds the lock");
        Self {
            cells: ctx.selector.len(),
            copies: copies.advice_equalities.len(),
            constants: copies.constant_equalities.len(),
        }
    }

    /// Drops what was recorded since, unless `place` keeps it.
    fn prune(self, ctx: &mut Context<Fr>, place: Place) {
        if ctx.witness_gen_only() {
            return;
        }
        let mut guard = ctx.copy_manager.lock().expect("no thread panics while it holds the lock");
        let copies = &mut *guard;
        prune((&mut copies.advice_equalities, self.copies), place, "copy", |cells, i| {
            credit::copy(*cells, place.key("copy", i));
        });
        prune((&mut copies.constant_equalities, self.constants), place, "constant", |cell, i| {
            credit::constant(*cell, place.key("constant", i));
        });
        drop(guard);
        let gates = (self.cells..ctx.selector.len()).filter(|row| ctx.selector[*row]);
        for (i, row) in gates.collect::<Vec<_>>().into_iter().enumerate() {
            let part = i.min(PARTS);
            ctx.selector[row] = place.keeps("gate", part);
            let cell = ctx.get(row as isize).cell.expect("cells are named with constraints");
            credit::gate(cell, place.key("gate", part));
        }
    }
}

#[cfg(debug_assertions)]
fn prune<T>(
    (recorded, before): (&mut Vec<T>, usize),
    place: Place,
    what: &'static str,
    credit: impl Fn(&T, usize),
) {
    let new = recorded.split_off(before).into_iter().enumerate();
    let parts = new.map(|(i, one)| (i.min(PARTS), one));
    let kept = parts.filter(|(part, _)| place.keeps(what, *part));
    recorded.extend(kept.map(|(part, one)| {
        credit(&one, part);
        one
    }));
}

#[cfg(not(debug_assertions))]
impl Recorded {
    #[inline(always)]
    fn of(_: &Context<Fr>) -> Self {
        Self {}
    }

    #[inline(always)]
    fn prune(self, _: &mut Context<Fr>, _: Place) {}
}
