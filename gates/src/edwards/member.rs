//! The members of a set, and the lookup of one by its index.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};

use super::{
    rows::{FixedRow, Key, Row},
    steps::Addend,
    EdwardsChip, MEMBER_BASE, SUM, X1, Y1,
};
use crate::{base::BaseContext, place::Place, set::AssignedMember, small::Small};

/// A member of a set to look up, as the prover claims it.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its index.
    pub index: Fr,
    /// First coordinate of its key.
    pub x: AssignedValue<Fr>,
    /// Its weight.
    pub weight: Fr,
}

/// A row that looks a member up.
#[derive(Clone, Debug)]
pub struct Member {
    /// A constant of the circuit that is added to the index.
    pub slot: u64,
    /// Index of the member, less `slot`. It must be bounded to integers from 0 that stay far below the
    /// size of the field: then its key is at least `2^32`, which tells it from the keys of tables and
    /// from 0, the key of all other rows and of this one.
    pub offset: Fr,
    /// First coordinate of the member's key.
    pub x: AssignedValue<Fr>,
    /// The member's weight.
    pub weight: Fr,
}

impl EdwardsChip {
    /// Records the first coordinates and the weights of a set in `lane`; row `i` is the entry
    /// `(i, x, weight)`.
    ///
    /// # Panics
    /// If the lane has a set already: their members would have the same keys.
    pub fn set(&self, lane: usize, members: &[(QuantumCell<Fr>, QuantumCell<Fr>)]) {
        let mut guard = self.lanes[lane].borrow_mut();
        let rows = &mut *guard;
        let is_member = |row: &Row| matches!(row.fixed.key, Key::Entry(MEMBER_BASE..));
        assert!(!rows.rows.iter().any(is_member), "a lane has one set");
        let first = rows.extend(members.len());
        for (i, (x, weight)) in members.iter().enumerate() {
            rows.rows[first + i].fixed = FixedRow {
                key: Key::Entry(MEMBER_BASE + i as u64),
                place: Place::here(),
                ..FixedRow::default()
            };
            self.bind(lane, rows, (first + i, X1), x);
            self.bind(lane, rows, (first + i, Y1), weight);
        }
    }

    /// Looks up members in the sets of all lanes, equally many in each, by indices that increase from one to the next,
    /// also from lane to lane; returns their cells. A gap between two indices is below `2^bits` in whole lookups.
    ///
    /// The first offset is range-checked, and each one exceeds the one before by a range-checked
    /// gap, so all of them are small integers: they point at members and at nothing else.
    ///
    /// # Panics
    /// If the lanes do not all have the same number of members, or have none, or `bits` is so large that an index could
    /// wrap around the field.
    pub fn look_up(
        &self,
        ctx: &mut BaseContext,
        bits: usize,
        lanes: &[Vec<Wanted>],
    ) -> Vec<AssignedMember> {
        let share = lanes[0].len();
        let even = lanes.len() == self.lanes() && lanes.iter().all(|lane| lane.len() == share);
        assert!(even && share > 0, "each lane looks up as many members");
        let mut found = vec![];
        for (lane, wanted) in lanes.iter().enumerate() {
            let member = |(place, wanted): (usize, &Wanted)| Member {
                slot: place as u64,
                offset: wanted.index - Fr::from(place as u64),
                x: wanted.x,
                weight: wanted.weight,
            };
            let members: Vec<_> = wanted.iter().enumerate().map(member).collect();
            found.extend(self.look_up_unbounded(lane, &members));
        }
        let first = Small::checked(ctx.range, found[0].offset(), bits);
        let offsets: Vec<_> = found[1..].iter().map(AssignedMember::offset).collect();
        // An offset is an index minus its place in the lane, so it steps up where a lane ends.
        let step = |after: usize| if after.is_multiple_of(share) { share as u64 } else { 0 };
        ctx.range.assert_increasing(ctx, bits, (&first, &offsets), step);
        found
    }

    /// Looks `members` up in the set of `lane`. Their offsets are not bounded, see [`Member`].
    ///
    /// ```text
    /// row  x1  y1      x2 y2               sum
    ///  0   0   0                                    (its accumulator is taken for the next addend)
    ///  1   x   weight  0  0  (kept down)   offset
    ///  …
    /// ```
    ///
    /// The addend of 0 cancels the digit that two consecutive offsets would make.
    ///
    /// # Panics
    /// If there is no member: the leading row would bind the addend of another block's row.
    pub fn look_up_unbounded(&self, lane: usize, members: &[Member]) -> Vec<AssignedMember> {
        let mut guard = self.lanes[lane].borrow_mut();
        let rows = &mut *guard;
        assert!(!members.is_empty(), "there is a member to look up");
        let lead = rows.extend(1 + members.len());
        rows.rows[lead].fixed =
            FixedRow { addend: Addend::Take, place: Place::here(), ..FixedRow::default() };
        for column in [X1, Y1] {
            self.bind(lane, rows, (lead, column), &QuantumCell::Constant(Fr::zero()));
        }
        let mut cells = Vec::with_capacity(members.len());
        for (i, member) in members.iter().enumerate() {
            let at = lead + 1 + i;
            let last = i + 1 == members.len();
            rows.rows[at].fixed = FixedRow {
                member: true,
                key: Key::Wanted(MEMBER_BASE + member.slot),
                addend: if last { Addend::Free } else { Addend::Keep },
                place: Place::here(),
                ..FixedRow::default()
            };
            rows.rows[at].advice[Y1] = member.weight;
            rows.rows[at].advice[SUM] = member.offset;
            self.bind(lane, rows, (at, X1), &QuantumCell::Existing(member.x));
            let offset = self.name(lane, rows, (at, SUM));
            let weight = self.name(lane, rows, (at, Y1));
            cells.push(AssignedMember::assume_found(member.slot, offset, weight));
        }
        cells
    }
}
