//! All steps together, by the name of a suite.

use std::marker::PhantomData;

use super::{
    dealing::Dealing, generation::Generation, measuring::Measuring, refreshing::Refreshing,
    repairing::Repairing, signing::Signing, steps::In,
};
use crate::frost::{Suite, SuiteName, SuiteVisitor};

/// Every step of every participant.
pub trait Ceremony: Dealing + Generation + Refreshing + Repairing + Signing + Measuring {}

impl<C: Suite> Ceremony for In<C> {}

impl SuiteName {
    /// The suite's steps.
    pub fn ceremony(self) -> &'static dyn Ceremony {
        struct Make;
        impl SuiteVisitor for Make {
            type Output = &'static dyn Ceremony;

            fn visit<C: Suite>(self) -> Self::Output {
                const { &In::<C>(PhantomData) }
            }
        }
        self.visit(Make)
    }
}
