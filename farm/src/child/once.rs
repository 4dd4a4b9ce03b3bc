//! Work in a process that ends with it: key generation, a check of keys, a ceremony, a row of a sweep.

use std::{
    io::{stdin, BufRead, Read},
    path::{Path, PathBuf},
    process::{exit, Stdio},
    thread,
};

use muster_cli::{simulate::Simulation, RowArgs};
use muster_prover::{
    muster_params::{import, Origin},
    Keys, Shape, Srs, VerifierKey,
};
use muster_sweep::proofs::elsewhere::{run_row, Asked, Record};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;

use super::{serve::say, Command, ONCE_COMMAND, ROW_COMMAND};
use crate::{work::Fault, Error};

/// What to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Makes keys in a folder that does not exist yet.
    Keygen {
        /// The SRS.
        srs: SrsFile,
        /// The circuit.
        shape: Box<Shape>,
        /// How many polynomials share a commitment, of keys with packs.
        stride: Option<u32>,
        /// The folder.
        out: PathBuf,
    },
    /// Says why the keys in a folder are not those of their circuit; nothing if they are.
    Check {
        /// The SRS that they should be made from.
        srs: SrsFile,
        /// The folder.
        dir: PathBuf,
    },
    /// Holds a ceremony.
    Simulate(Simulation),
}

/// A file with an SRS, as [`Store::put_srs`](crate::store::Store::put_srs) writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SrsFile {
    /// Where it is.
    pub path: PathBuf,
    /// Where the SRS is from: the format does not say.
    pub origin: Origin,
}

impl SrsFile {
    fn read(self) -> Result<Srs, muster_prover::Error> {
        Ok(import::raw_and_further_told(&self.path, self.origin)?)
    }
}

impl Order {
    /// Does it in this process, and returns the result.
    fn done(self) -> Result<String, muster_cli::Error> {
        match self {
            Self::Keygen { srs, shape, stride, out } => {
                let plan = stride.map(|stride| Keys::plan(&shape, Some(stride))).transpose()?;
                let keys = Keys::make_planned(&srs.read()?, &shape, plan.as_ref())?;
                keys.save(&out, false)?;
                Ok(String::new())
            }
            Self::Check { srs, dir } => {
                Ok(wrong(&dir, &srs.read()?)?.unwrap_or_default().to_owned())
            }
            Self::Simulate(simulation) => {
                Ok(serde_json::to_string(&simulation.run()?).expect("texts and numbers") + "\n")
            }
        }
    }
}

/// Which of the keys in a folder is not its circuit's.
fn wrong(dir: &Path, srs: &Srs) -> Result<Option<&'static str>, muster_prover::Error> {
    let keys = Keys::load(dir);
    if let Ok(keys) = &keys
        && keys.is_made_from(srs)?
    {
        return Ok(None);
    }
    if !VerifierKey::load(dir)?.is_made_from(srs)? {
        return Ok(Some("the verifying key does not belong to the circuit"));
    }
    keys.map(|_| Some("the proving key does not belong to the circuit"))
}

/// Has an order done in a separate process.
///
/// # Errors
///
/// Why it failed and whose fault that is: [`Fault::Crash`] if the process ended.
pub async fn once(command: &Command, order: &Order) -> Result<String, Fault> {
    let failed = |error: std::io::Error| Fault::Worker(format!("the process: {error}"));
    let mut process = command.process(ONCE_COMMAND).spawn().map_err(failed)?;
    let line = serde_json::to_string(order).expect("texts and numbers") + "\n";
    // Held until the order is done: closing it would end the process.
    let mut input = process.stdin.take();
    if let Some(input) = input.as_mut() {
        // A process that is already gone is noticed below.
        let _ = input.write_all(line.as_bytes()).await;
    }
    let output = process.wait_with_output().await.map_err(failed)?;
    let ended = || Fault::Crash("the process ended; was there enough memory?".into());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| Err(ended()))
}

/// The same from inside.
///
/// # Errors
///
/// [`Error::Child`] if nobody listens any more, or for input that is not an order.
pub fn serve_once() -> Result<(), Error> {
    let mut line = String::new();
    stdin().lock().read_line(&mut line).map_err(Error::io("standard input"))?;
    let order: Order =
        serde_json::from_str(&line).map_err(|error| Error::Child(error.to_string()))?;
    end_with_input();
    let result = order.done().map_err(|error| Fault::from(&error));
    say(&result)
}

/// Measures a row.
///
/// # Errors
///
/// [`Fault::Worker`] if the process cannot be started. What goes wrong in it is part of the record.
pub async fn measure(command: &Command, asked: &Asked) -> Result<Record, Fault> {
    let failed = |error: std::io::Error| Fault::Worker(format!("the row's process: {error}"));
    let mut row = (command.process(ROW_COMMAND))
        .args(asked.args())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // Held until the row is done: closing it would end the process.
    let _input = row.stdin.take();
    let output = row.wait_with_output().await.map_err(failed)?;
    Ok(Record::of(asked.clone(), command.threads, &output))
}

/// The same from inside.
///
/// # Errors
///
/// Those of [`run_row`], and for something that is not a shape.
pub fn serve_row(args: &RowArgs) -> Result<(), Error> {
    end_with_input();
    Ok(run_row(&args.measurement()?)?)
}

/// When the input ends, whoever asked is gone, and this process ends too.
fn end_with_input() {
    thread::spawn(|| {
        let _ = stdin().lock().read_to_end(&mut Vec::new());
        exit(0);
    });
}
