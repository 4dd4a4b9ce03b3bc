//! The circuit that keys are made for, on the command line.

use muster_circuits::{Scheme, Shape};
use muster_schemes::decimal;

use super::{
    options::{warn_of_trust, ChoiceArgs, KeysArgs},
    shape::{absent, Places, ShapeArgs},
};
use crate::{progress::Progress, Error};

/// What keys are to be made for.
#[derive(Clone, Debug, clap::Args)]
pub struct CircuitArgs {
    /// Name of the scheme; see `muster schemes`.
    #[arg(long, value_parser = crate::values::schemes())]
    scheme: Scheme,
    #[command(flatten)]
    keys: KeysArgs,
    #[command(flatten)]
    choices: ChoiceArgs,
    /// The largest number of members that a committee may have.
    #[arg(long, value_name = "N", value_parser = decimal::read::<usize>)]
    signers: usize,
    /// The largest number of members who sign (default: all, if --absent is given).
    #[arg(long, value_name = "K", required_unless_present = "absent", value_parser = decimal::read::<usize>)]
    slots: Option<usize>,
    /// The largest number of members who do not sign, where keys add up (BLS). The complement mode
    /// has a slot for each of them, and is the cheapest mode if they are few. With --slots as well,
    /// the cheaper mode is chosen.
    #[arg(long, value_name = "A", value_parser = decimal::read::<usize>)]
    absent: Option<usize>,
    #[command(flatten)]
    shape: ShapeArgs,
}

impl CircuitArgs {
    /// The circuit's shape. A search for it that takes long shows in the progress.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`] for choices that the scheme does not have; [`muster_prover::Error::Circuit`] if
    /// no circuit is that large.
    pub fn fit(&self, progress: &Progress) -> Result<Shape, Error> {
        let suite = self.choices.suite(self.scheme, self.keys.of(self.scheme)?)?;
        warn_of_trust(suite);
        let absent = absent(self.scheme, self.absent)?;
        let slots = self.slots.unwrap_or(self.signers);
        let places = Places { members: self.signers, slots, absent };
        self.shape.fit(suite, places, progress)
    }
}
