//! What is to be run: the shape of each row, its memory and its cost.

use std::collections::HashMap;

use muster_circuits::{Error as CircuitError, Shape};
use muster_prover::estimate::Size;

use super::{
    mode_name,
    process::Asked,
    row::{Row, Status},
    Ask, Sweep,
};
use crate::{memory_name, Error};

/// Seconds of a row beside its proofs and key generation: process, SRS and sample.
const OVERHEAD: f64 = 0.3;
/// Key generation in proofs.
const KEYGEN: f64 = 0.5;

/// A row that is asked for.
#[derive(Debug)]
pub(super) struct Planned {
    /// The row as it is known before it runs. [`Status::Failed`] stands until it ran.
    pub(super) row: Row,
    /// What runs, if anything does.
    pub(super) far: Option<FarRow>,
}

/// A row that runs, in a process of its own.
#[derive(Clone, Debug)]
pub struct FarRow {
    /// Its name, for files: letters, digits and hyphens.
    pub name: String,
    /// What it is, in words.
    pub words: String,
    /// What its process is asked for.
    pub asked: Asked,
    /// log₂ of the powers of the SRS that it needs.
    pub srs_degree: u32,
    /// Estimate of its memory, in bytes.
    pub bytes: u64,
    /// Estimate of its time with two threads, in seconds.
    pub seconds: f64,
}

/// Plans those rows of a sweep that are left. One that no circuit exists for, of whatever degree, is an error.
pub(super) fn plan(
    sweep: &Sweep,
    is_left: impl Fn(&Ask) -> bool,
) -> Result<HashMap<Ask, Planned>, Error> {
    let left = sweep.rows.iter().filter(|(ask, _)| is_left(ask));
    let plan = |ask: &Ask, request| match Shape::fit(request) {
        Ok(shape) => fitted(sweep, ask, &shape),
        Err(CircuitError::DegreeTooSmall { smallest, .. }) => {
            let row = Row::new(ask, sweep.repeat);
            let row = Row { status: Status::DoesNotFit, smallest_degree: Some(smallest), ..row };
            Ok(Planned { row, far: None })
        }
        Err(error) => Err(Error::usage(format!("{ask}: {error}"))),
    };
    left.map(|(ask, request)| Ok((ask.clone(), plan(ask, request)?))).collect()
}

/// A row whose circuit has this shape.
fn fitted(sweep: &Sweep, ask: &Ask, shape: &Shape) -> Result<Planned, Error> {
    let (repeat, size) = (sweep.repeat, Size::of(shape, sweep.kind)?);
    let memory = sweep.memory.choose(repeat, |memory| size.row_bytes(memory));
    let (memory, bytes) = (memory_name(memory).to_owned(), size.row_bytes(memory));
    let is_over = sweep.memory.limit().is_some_and(|limit| bytes > limit);
    let row = Row {
        degree: Some(size.degree),
        advice: Some(size.advice),
        lookup: Some(size.lookups),
        fixed: Some(size.fixed),
        mode: Some(mode_name(shape.mode).to_owned()),
        memory: Some(memory.clone()),
        estimate_bytes: Some(bytes),
        status: if is_over { Status::OverMemory } else { Status::Failed },
        ..Row::new(ask, repeat)
    };
    if is_over {
        return Ok(Planned { row, far: None });
    }
    let words = ask.to_string();
    let shape = serde_json::to_value(shape);
    let far = FarRow {
        name: words.replace(|c: char| !c.is_ascii_alphanumeric(), "-"),
        words,
        asked: Asked {
            shape: shape.map_err(|error| Error::usage(format!("the shape: {error}")))?,
            case: ask.case.to_string(),
            repeat,
            kind: sweep.kind.name().to_owned(),
            memory,
        },
        srs_degree: size.srs_degree,
        bytes,
        seconds: OVERHEAD + size.seconds() * (repeat as f64 + KEYGEN),
    };
    Ok(Planned { row, far: Some(far) })
}
