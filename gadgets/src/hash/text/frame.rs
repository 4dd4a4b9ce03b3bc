//! Strings after their own length.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::fe_to_biguint,
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};
use num_traits::ToPrimitive;

use super::{
    join::{Stem, UncheckedText},
    string::{Cells, Text},
    varint::Varint,
};
use crate::hash::padding::{byte_power, HALF};
use muster_gates::{
    chain,
    vertical::{assert_equal, load_zero},
    GateContext,
};

/// Bytes that a length may take.
const LENGTH_BYTES: usize = 2;
/// The largest length in two bytes.
const LARGEST: u64 = (1 << 14) - 1;

/// The beginning of strings that follow their own lengths, varints of one byte or two. What all strings share, up to
/// the end of the beginning, is put in its place for both.
#[derive(Clone, Debug)]
pub struct Frame {
    beginning: Text,
    /// The beginning after one byte.
    one: Stem,
    /// For each of its cells, the difference to the cell after two bytes.
    more: Vec<AssignedValue<Fr>>,
}

impl Frame {
    /// A frame for strings with this beginning.
    ///
    /// # Panics
    /// If the beginning may be empty.
    pub fn new(ctx: &mut GateContext, beginning: &Text) -> Self {
        let (least, most) = beginning.bounds();
        assert!(least > 0, "the length is not 0");
        let [one, two] = [1, LENGTH_BYTES].map(|bytes| {
            let room = Text::constant(ctx, &[0; LENGTH_BYTES][..bytes]);
            let behind = room.then(ctx, beginning).text(ctx);
            let mut cells = behind.cells().clone();
            let zero = load_zero(ctx);
            let most = most + LENGTH_BYTES;
            cells.halves.resize(most.div_ceil(HALF), zero);
            let text = Text::shown(Cells { least: least + 1, most, ..cells });
            Stem::new(ctx, text, (least + 1, most))
        });
        let pairs = two.cells().into_iter().zip(one.cells());
        let more = pairs.map(|(two, one)| ctx.gate.sub(ctx, two, one)).collect();
        Self { beginning: beginning.clone(), one, more }
    }

    /// `length ‖ beginning ‖ middle ‖ end` with the length of what follows it.
    ///
    /// # Panics
    /// If that length could take more than two bytes.
    pub fn fill(&self, ctx: &mut GateContext, parts: (&Text, &Text)) -> UncheckedText {
        self.fill_of_hint(ctx, parts, |length| length)
    }

    /// The same for what a prover claims about the length.
    pub(super) fn fill_of_hint(
        &self,
        ctx: &mut GateContext,
        (middle, end): (&Text, &Text),
        said: impl Fn(u64) -> u64,
    ) -> UncheckedText {
        let parts = [&self.beginning, middle, end];
        let most: usize = parts.iter().map(|part| part.bounds().1).sum();
        assert!(most as u64 <= LARGEST, "the length has two bytes");
        let one = Constant(Fr::ONE);
        let lengths = [middle, end].map(|part| (one, Existing(part.length())));
        let length = chain::sum(ctx, Existing(self.beginning.length()), &lengths);
        let number = fe_to_biguint(length.value()).to_u64().unwrap_or(0);
        let number = Varint::new(ctx, said(number), LARGEST);
        let value = number.value(ctx);
        assert_equal(ctx, &value, &length);
        self.behind(ctx, &number).then(ctx, middle).then(ctx, end)
    }

    /// The beginning after a length, which is not 0.
    fn behind(&self, ctx: &mut Context<Fr>, length: &Varint) -> Stem {
        let takes_two = length.takes(LENGTH_BYTES);
        let one = self.one.cells().into_iter();
        let mut cells: Vec<_> = one
            .zip(&self.more)
            .map(|(one, more)| {
                chain::sum(ctx, Existing(one), &[(Existing(takes_two), Existing(*more))])
            })
            .collect();
        let bytes = length.behind(ctx, &[]);
        let place = Constant(byte_power(HALF - LENGTH_BYTES));
        cells[0] = chain::sum(ctx, Existing(cells[0]), &[(Existing(bytes.cell()), place)]);
        self.one.with_cells(&cells)
    }
}
