//! Work that is the same turn after turn.
//!
//! Most of what a circuit records is the same work for each slot, leaf or block. Where only its total matters
//! ([`Gates::total`](crate::Gates::total)), a loop records turns until three of them were alike, and adds the others up
//! without recording them. Turns are alike if they take the same rows and cells of each gate and ask for as many constants,
//! each of which grows by the same step from turn to turn: an index, or nothing. So a count takes as long for ten thousand
//! slots as for ten.
//!
//! That turns which were alike stay so is for the loop to know: those of [`GateContext::each`](crate::GateContext::each) do the same
//! for each item, whatever it is. Tests compare totals with counts of every turn.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    virtual_region::copy_constraints::SharedCopyConstraintManager,
    ContextCell,
};

/// Type id of the cells that stand for those of turns that are not recorded.
const TYPE_ID: &str = "muster-gadgets:repeated";

/// What is recorded so far.
pub(super) struct Counts {
    /// Rows and cells.
    pub(super) taken: Vec<usize>,
    /// What no turn may change if others are to be added up.
    pub(super) fixed: Vec<usize>,
}

/// What a turn recorded: rows and cells, and the constants that it asked for.
struct Turn {
    taken: Vec<usize>,
    constants: Vec<Fr>,
}

impl Turn {
    /// By how much each constant exceeds that of the turn before, if the two are alike.
    fn steps(&self, before: &Self) -> Option<Vec<Fr>> {
        let pairs = self.constants.iter().zip(&before.constants);
        let alike = self.taken == before.taken && self.constants.len() == before.constants.len();
        alike.then(|| pairs.map(|(constant, before)| *constant - before).collect())
    }
}

/// Turns of one loop, see [`GateContext::turn`](crate::GateContext::turn).
pub struct Turns<R> {
    last: Option<Turn>,
    steps: Option<Vec<Fr>>,
    /// The last result, once three turns in a row were alike.
    alike: Option<R>,
}

impl<R> Default for Turns<R> {
    fn default() -> Self {
        Self { last: None, steps: None, alike: None }
    }
}

impl<R: Clone> Turns<R> {
    /// Records a turn.
    fn record<X>(
        &mut self,
        ctx: &mut X,
        body: impl FnOnce(&mut X) -> R,
        counts: impl Fn(&X) -> Counts,
        copies: &SharedCopyConstraintManager<Fr>,
    ) -> R {
        let asked = || copies.lock().expect("no thread panics while it holds the lock");
        let (before, start) = (counts(ctx), asked().constant_equalities.len());
        let result = body(ctx);
        let now = counts(ctx);
        let constants = &asked().constant_equalities[start..];
        let constants = constants.iter().map(|(value, _)| *value).collect();
        let taken = now.taken.iter().zip(&before.taken).map(|(now, before)| now - before);
        let turn = Turn { taken: taken.collect(), constants };
        let steps = self.last.as_ref().and_then(|last| turn.steps(last));
        let steps = steps.filter(|_| now.fixed == before.fixed);
        self.alike = (steps.is_some() && steps == self.steps).then(|| result.clone());
        (self.last, self.steps) = (Some(turn), steps);
        result
    }

    /// The result of turns that are like those before, once these were alike. `skip` is told what a turn takes; the constants of
    /// `turns` turns are asked for.
    fn skipped(
        &mut self,
        turns: usize,
        copies: &SharedCopyConstraintManager<Fr>,
        skip: impl FnOnce(&[usize], usize),
    ) -> Option<&R> {
        if let (Some(_), Some(last), Some(steps)) = (&self.alike, &mut self.last, &self.steps) {
            skip(&last.taken, turns);
            ask(copies, &mut last.constants, steps, turns);
        }
        self.alike.as_ref()
    }
}

/// Runs `body` for each item. Once three turns in a row were alike, the other items have the last result, `skip` is told what
/// a turn takes and how many there are, and their constants are asked for.
pub(super) fn each<X, T, R: Clone>(
    ctx: &mut X,
    mut items: impl ExactSizeIterator<Item = T>,
    mut body: impl FnMut(&mut X, T) -> R,
    counts: impl Fn(&X) -> Counts,
    copies: &SharedCopyConstraintManager<Fr>,
    skip: impl Fn(&[usize], usize),
) -> Vec<R> {
    let (mut results, mut turns) = (Vec::with_capacity(items.len()), Turns::default());
    while let Some(item) = items.next() {
        results.push(turns.record(ctx, |ctx| body(ctx, item), &counts, copies));
        if let Some(result) = turns.skipped(items.len(), copies, &skip) {
            results.resize(results.len() + items.len(), result.clone());
            break;
        }
    }
    results
}

/// Runs `body` as one of `turns`, or adds up what it would record.
pub(super) fn turn<X, R: Clone>(
    turns: &mut Turns<R>,
    ctx: &mut X,
    body: impl FnOnce(&mut X) -> R,
    counts: impl Fn(&X) -> Counts,
    copies: &SharedCopyConstraintManager<Fr>,
    skip: impl FnOnce(&[usize], usize),
) -> R {
    if let Some(result) = turns.skipped(1, copies, skip) {
        return result.clone();
    }
    turns.record(ctx, body, counts, copies)
}

/// Asks for the constants of `turns` turns after the one that asked for `constants`. Those that do not grow are there already.
fn ask(copies: &SharedCopyConstraintManager<Fr>, constants: &mut [Fr], steps: &[Fr], turns: usize) {
    let mut copies = copies.lock().expect("no thread panics while it holds the lock");
    for (constant, step) in constants.iter_mut().zip(steps) {
        if bool::from(step.is_zero()) {
            continue;
        }
        for turn in 0..turns {
            *constant += step;
            copies.constant_equalities.push((*constant, ContextCell::new(TYPE_ID, turn, 0)));
        }
    }
}
