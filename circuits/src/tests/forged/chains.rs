//! False statements with all that follows from one cell rewritten, so that nothing but the copy that binds this
//! cell refuses them.

use muster_forgery::forger::{Forger, Place};

use super::*;

impl Claim {
    fn forger(&self) -> Forger {
        let circuit = fill(&self.shape, &self.inputs);
        Forger::new(self.shape.degree(), &circuit, vec![self.public.to_vec()], |_| vec![])
    }

    /// Asserts that the claim is refused, and by copies alone once a cell holds another value and all that
    /// is bound to each of `hints` one that goes with it.
    fn assert_only_copies_refuse(&self, what: &str, start: (usize, Fr), hints: &[(usize, Fr)]) {
        let place = format!("{what}: {}, {:?}", self.shape.scheme, self.shape.mode);
        assert!(!self.holds(), "{place}");
        let (vertical, forger) = (self.vertical(), self.forger());
        let mut starts: Vec<(Place, Fr)> = vec![((vertical, start.0), start.1)];
        for (row, value) in hints {
            let bound = forger.bound_to((vertical, *row)).into_iter();
            starts.extend(bound.map(|place| (place, *value)));
        }
        assert_eq!(self.refused_by(forger.rewrite(&starts)), ["copy"], "{place}");
    }

    /// The vertical column, which is one.
    fn vertical(&self) -> usize {
        let columns = gates(&self.shape)[3].clone();
        assert_eq!(columns.len(), 1, "the rows of the column follow each other");
        columns.start
    }

    /// Rows of the column where `cells` stand below each other.
    fn rows_of(&self, cells: &[Fr]) -> Vec<usize> {
        let column = &self.grid().0[self.vertical()];
        let windows = column.windows(cells.len()).enumerate();
        windows.filter(|(_, window)| *window == cells).map(|(row, _)| row).collect()
    }
}

/// `[0, 1, w, s, 1, w, s, …]`, `[1, 1, threshold - 1, threshold]`, `[threshold, 1, surplus, s]` end the column.
struct Weights {
    claim: Claim,
    sum: usize,
    positive: usize,
    surplus: usize,
}

impl Weights {
    fn new(scheme: Scheme, mode: Mode, threshold: impl Fn(u64) -> u64) -> Self {
        let mut claim = Claim::small(scheme, mode);
        claim.inputs.threshold = threshold(claim.inputs.threshold);
        claim.public = public_inputs(&claim.inputs);
        let surplus = claim.shape.usage().vertical_cells - 4;
        let positive = surplus - 4;
        let sum = positive - 1 - 3 * claim.shape.slots;
        let column = claim.grid().0[claim.vertical()].clone();
        assert_eq!((column[sum], column[positive]), (Fr::zero(), Fr::one()));
        assert_eq!([column[positive + 3], column[surplus]], [claim.public[1]; 2]);
        Self { claim, sum, positive, surplus }
    }
}

/// More weight than there is: what the sum starts with, what a weight counts, what it is in the sum.
#[test]
fn the_sum_of_weights() {
    for scheme in EMBEDDED {
        for mode in MODES {
            // Signers of weights 2 and 4.
            let more = Weights::new(scheme, mode, |weight| weight + 1_000);
            let Weights { claim, sum, .. } = &more;
            for (what, row, value) in [
                ("the start", *sum, 1_000),
                ("the first factor", sum + 1, 501),
                ("the first weight", sum + 2, 1_002),
                ("the last factor", sum + 4, 251),
                ("the last weight", sum + 5, 1_004),
            ] {
                claim.assert_only_copies_refuse(what, (row, Fr::from(value)), &[]);
            }
        }
    }
}

/// A threshold above the weight, and none at all.
#[test]
fn the_threshold() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let above = Weights::new(scheme, mode, |weight| weight + 1);
            let less = above.claim.public[1] - Fr::one();
            let start = (above.surplus, less);
            above.claim.assert_only_copies_refuse("less is compared", start, &[]);
            let none = Weights::new(scheme, mode, |_| 0);
            let start = (none.positive, Fr::zero());
            none.claim.assert_only_copies_refuse("0 is positive", start, &[]);
        }
    }
}

/// One signer in both slots: where an index is compared with the next, and what it must exceed it by.
#[test]
fn the_order_of_signers() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let claim = Claim::new(&small(scheme, mode), &members(4), &[3, 3]);
            let index = Fr::from(3);
            let gap = -Fr::one();
            let one = Fr::one();
            // The whole set compares offsets, which are indices less the slot.
            let rows = match mode {
                Mode::Path => vec![index, one, gap, index + gap, one, one, index],
                Mode::WholeSet => vec![index, one, gap, index + gap],
                Mode::Complement => unreachable!("keys that do not add up"),
            };
            let [row] = claim.rows_of(&rows)[..] else { panic!("the pair stands in one place") };
            let no_gap = [(row + 2, Fr::zero())];
            claim.assert_only_copies_refuse("the first index", (row, index - one), &no_gap);
            if mode == Mode::Path {
                claim.assert_only_copies_refuse("the step", (row + 5, Fr::zero()), &no_gap);
            }
        }
    }
}

/// A path that leads elsewhere, in a slot whose weight counts and that passes for one that is not used.
#[test]
fn the_slot_that_needs_no_path() {
    for scheme in EMBEDDED {
        let mut claim = Claim::small(scheme, Mode::Path);
        claim_weight(&mut claim.inputs.slots[1], 1_000);
        let [zero, one] = [Fr::zero(), Fr::one()];
        // `1 - unused` of each slot.
        let [_, unused] = claim.rows_of(&[one, -one, zero, one])[..] else { panic!("two slots") };
        // Member 1 is followed by member 3, or by the slot 1 that is not used.
        let [first, last] = [1, 3].map(Fr::from);
        let pair = [first, one, one, first + one, one, one, last];
        let [pair] = claim.rows_of(&pair)[..] else { panic!("the pair stands in one place") };
        let beyond = 4 * (claim.shape.arity as u64).pow(claim.shape.depth as u32) + 1;
        let gap = Fr::from(beyond) - first - one;
        claim.assert_only_copies_refuse("unused", (unused + 2, one), &[(pair + 2, gap)]);
    }
}
