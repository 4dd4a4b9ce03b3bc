//! Sweeps: what keys, proofs and verifications cost. `muster_zk/_sweep.py` runs the rows, each in a process of its own.

use std::path::PathBuf;

use muster_circuits::{Request, Shape};
use muster_prover::Memory;
use muster_sweep::{
    memory_name,
    proofs::{
        elsewhere::{run_row, Asked, Elsewhere, FarRow, Record},
        mode_name, Ask, Case, Degree, Degrees, Measurement, Sweep,
    },
    Allowance, Existing,
};
use pyo3::prelude::*;

use crate::{error::Fault, value, work::long};

/// The rows of a sweep, and the directory of their results.
#[pyclass(module = "muster_zk")]
pub(crate) struct SweepPlan {
    sweep: Elsewhere,
    rows: Vec<FarRow>,
}

#[pymethods]
impl SweepPlan {
    #[new]
    #[pyo3(signature = (schemes, cases, degrees, out, *, existing, kind, mode, arity, mask, repeat))]
    #[allow(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        schemes: Vec<String>,
        cases: Vec<String>,
        degrees: Vec<String>,
        out: PathBuf,
        existing: &str,
        kind: &str,
        mode: Option<&str>,
        arity: Option<usize>,
        mask: bool,
        repeat: usize,
    ) -> Result<Self, Fault> {
        let existing = match existing {
            "refuse" => Existing::Refuse,
            "resume" => Existing::Resume,
            "replace" => Existing::Replace,
            other => {
                return Err(Fault::argument(
                    "existing",
                    format!("{other:?} is none of refuse, resume, replace"),
                ))
            }
        };
        let (kind, mode) = (value::kind(kind)?, value::mode(mode)?);
        let common = |name: &String| {
            let plain = Request::new(value::scheme(name)?, 1, 1);
            let arity = arity.unwrap_or(plain.arity);
            Ok::<_, Fault>(Common {
                request: Request { mode, mask, arity, ..plain },
                kind: kind.name(),
            })
        };
        let schemes = schemes.iter().map(common).collect::<Result<Vec<_>, _>>()?;
        let rows = rows(&schemes, &cases, &degrees)?;
        let sweep = Sweep {
            rows,
            repeat,
            kind,
            memory: Allowance::default(),
            jobs: 1,
            budget: None,
            out,
            existing,
            srs: None,
            srs_g2: None,
        };
        long(py, move || {
            let sweep = Elsewhere::open(&sweep)?;
            let rows = sweep.left();
            Ok(Self { sweep, rows })
        })
    }

    /// The rows that are to be run: in words, and as `sweep_row` takes them.
    fn left(&self) -> Result<Vec<(String, String)>, Fault> {
        let text = |row: &FarRow| {
            serde_json::to_string(&row.asked).map(|asked| (row.words.clone(), asked))
        };
        self.rows
            .iter()
            .map(text)
            .collect::<Result<_, _>>()
            .map_err(|error| Fault::Bug(error.to_string()))
    }

    /// Takes over what the process of a row printed, or why it failed, and writes the files of the results.
    #[pyo3(signature = (place, printed, failed=None))]
    fn take(&mut self, place: usize, printed: &[u8], failed: Option<String>) -> Result<(), Fault> {
        let row = self.rows.get(place).ok_or_else(|| Fault::argument("place", "no such row"))?;
        let printed = failed.map_or(Ok(printed), Err);
        let threads = rayon::current_num_threads();
        self.sweep.take(row, Record::told(row.asked.clone(), threads, printed));
        self.save()
    }

    /// Writes the files of the results.
    fn save(&self) -> Result<(), Fault> {
        Ok(self.sweep.save()?)
    }
}

/// What all rows of a scheme have in common.
struct Common {
    request: Request,
    kind: &'static str,
}

impl Common {
    fn row(&self, case: Case, degree: Degree) -> Result<(Ask, Request), Fault> {
        let request = Request {
            capacity: case.signers,
            slots: case.signing,
            absent: Some(case.signers - case.signing),
            degree: degree.fixed(),
            ..self.request.clone()
        };
        let suite = request.suite()?;
        let ask = Ask {
            scheme: request.scheme.name().to_owned(),
            degree,
            case,
            mode: request.mode.map_or("auto", mode_name).to_owned(),
            keys: request.keys,
            rule: suite.rule().map(|rule| rule.name().to_owned()),
            message_form: Some(suite.form()).filter(|form| !form.is_public()),
            hash: None,
            mask: request.mask,
            arity: request.arity,
            kind: self.kind.to_owned(),
            memory: "auto".to_owned(),
        };
        Ok((ask, request))
    }
}

/// The rows, each of them once: for each scheme and case all degrees.
fn rows(
    schemes: &[Common],
    cases: &[String],
    degrees: &[String],
) -> Result<Vec<(Ask, Request)>, Fault> {
    let case = |text: &String| text.parse().map_err(|reason| Fault::argument("cases", reason));
    let cases = cases.iter().map(case).collect::<Result<Vec<Case>, _>>()?;
    let degree = |text: &String| text.parse().map_err(|reason| Fault::argument("degrees", reason));
    let degrees = degrees.iter().map(degree).collect::<Result<Vec<Degrees>, _>>()?;
    let mut rows: Vec<(Ask, Request)> = vec![];
    for common in schemes {
        for case in &cases {
            for degree in degrees.iter().flat_map(|degrees| &degrees.0) {
                let row = common.row(*case, *degree)?;
                if rows.iter().all(|(ask, _)| *ask != row.0) {
                    rows.push(row);
                }
            }
        }
    }
    Ok(rows)
}

/// Measures a row in this process, which nothing else should run in, and prints one JSON object.
#[pyfunction]
pub(crate) fn sweep_row(asked: &str) -> Result<(), Fault> {
    let not_json = |error: serde_json::Error| Fault::argument("asked", error);
    let Asked { shape, case, repeat, kind, memory } =
        serde_json::from_str(asked).map_err(not_json)?;
    let shape: Shape = serde_json::from_value(shape).map_err(not_json)?;
    shape.check()?;
    let memory = [Memory::Low, Memory::Fast].into_iter().find(|kept| memory_name(*kept) == memory);
    let measurement = Measurement {
        shape,
        case: case.parse().map_err(|reason| Fault::argument("asked.case", reason))?,
        repeat,
        kind: value::kind(&kind)?,
        memory: memory.unwrap_or_default(),
    };
    Ok(run_row(&measurement)?)
}
