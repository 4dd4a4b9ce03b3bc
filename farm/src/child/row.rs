//! A row of a sweep, measured in a separate process: from outside and from inside.

use std::{
    io::{stdin, Read},
    process::{exit, Stdio},
    thread,
};

use muster_cli::RowArgs;
use muster_sweep::proofs::elsewhere::{run_row, Asked, Record};

use super::{Command, ROW_COMMAND};
use crate::{work::Fault, Error};

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

/// The same from inside. When the input ends, whoever asked is gone, and this process ends too.
///
/// # Errors
///
/// Those of [`run_row`], and for something that is not a shape.
pub fn serve_row(args: &RowArgs) -> Result<(), Error> {
    thread::spawn(|| {
        let _ = stdin().lock().read_to_end(&mut Vec::new());
        exit(0);
    });
    Ok(run_row(&args.measurement()?)?)
}
