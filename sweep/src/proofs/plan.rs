//! What is to be run: the shape of each row, its memory and its cost.

use muster_circuits::{Error as CircuitError, Request, Shape};
use muster_prover::{estimate::Size, Memory, ProofKind};

use super::{
    ask::{mode_name, Ask},
    row::{Row, Status},
};
use crate::{memory_name, Allowance, Error};

/// Seconds of a row beside its proofs and key generation: process, SRS and sample.
const OVERHEAD: f64 = 0.3;
/// Key generation in proofs.
const KEYGEN: f64 = 0.5;

/// A row that is to be run.
#[derive(Debug)]
pub(super) struct Planned {
    /// What it is asked for.
    pub(super) ask: Ask,
    /// Whether there is a circuit for it.
    pub(super) fit: Fit,
}

/// How a circuit fits a degree.
#[derive(Debug)]
pub(super) enum Fit {
    /// By this shape.
    Fits(Box<Shape>, Size),
    /// Not at all: this is the smallest degree that does.
    TooSmall(u32),
}

impl Planned {
    /// Rows that are asked for, with proofs of this kind.
    pub(super) fn all<'a>(
        rows: impl IntoIterator<Item = &'a (Ask, Request)>,
        kind: ProofKind,
    ) -> Result<Vec<Self>, Error> {
        rows.into_iter().map(|(ask, request)| Self::new(ask.clone(), request, kind)).collect()
    }

    fn new(ask: Ask, request: &Request, kind: ProofKind) -> Result<Self, Error> {
        let fit = match Shape::fit(request) {
            Ok(shape) => {
                let size = Size::of(&shape, kind);
                Fit::Fits(Box::new(shape), size)
            }
            Err(CircuitError::DegreeTooSmall { smallest, .. }) => Fit::TooSmall(smallest),
            Err(error) => return Err(Error::usage(format!("{ask}: {error}"))),
        };
        Ok(Self { ask, fit })
    }

    /// Seconds that the row takes by the model.
    pub(super) fn cost(&self, repeat: usize) -> f64 {
        match &self.fit {
            Fit::Fits(_, size) => OVERHEAD + size.seconds() * (repeat as f64 + KEYGEN),
            Fit::TooSmall(_) => 0.0,
        }
    }

    /// The degree of its circuit.
    pub(super) fn degree(&self) -> Option<u32> {
        match &self.fit {
            Fit::Fits(shape, _) => Some(shape.degree()),
            Fit::TooSmall(_) => None,
        }
    }

    /// What is kept between the row's proofs, if there is a circuit.
    pub(super) fn memory(&self, repeat: usize, allowed: Allowance) -> Memory {
        match &self.fit {
            Fit::Fits(_, size) => allowed.choose(repeat, |memory| size.row_bytes(memory)),
            Fit::TooSmall(_) => Memory::Low,
        }
    }

    /// The row as far as it is known before it runs. [`Status::Failed`] stands until it ran.
    pub(super) fn row(&self, repeat: usize, allowed: Allowance) -> Row {
        let mut row = Row::new(&self.ask, repeat);
        match &self.fit {
            Fit::TooSmall(smallest) => {
                row.status = Status::DoesNotFit;
                row.smallest_degree = Some(*smallest);
            }
            Fit::Fits(shape, size) => {
                row.degree = Some(size.degree);
                row.advice = Some(size.advice);
                row.lookup = Some(size.lookups);
                row.fixed = Some(size.fixed);
                row.mode = Some(mode_name(shape.mode).to_owned());
                let memory = self.memory(repeat, allowed);
                let bytes = size.row_bytes(memory);
                row.memory = Some(memory_name(memory).to_owned());
                row.estimate_bytes = Some(bytes);
                if allowed.limit().is_some_and(|limit| bytes > limit) {
                    row.status = Status::OverMemory;
                }
            }
        }
        row
    }
}
