//! The process, from inside.

use std::{
    io::{stdin, stdout, BufRead, Write},
    panic::{catch_unwind, AssertUnwindSafe},
    path::Path,
    process::exit,
    sync::Arc,
    thread,
};

use muster_prover::Memory;
use serde::Serialize;

use super::{Answer, Order};
use crate::{
    digest::Digest,
    work::{Fault, KeyFolder, LoadedKey},
    Error,
};

/// Loads the keys in `dir` and makes proofs until the input ends.
///
/// # Errors
///
/// [`Error::Child`] if nobody listens any more.
pub fn serve(dir: &Path, key: Digest, memory: Memory) -> Result<(), Error> {
    // Started before the keys are read, which takes a while: the end of the input must end that, too.
    let (send, orders) = std::sync::mpsc::channel::<Order>();
    thread::spawn(move || {
        let lines = stdin().lock().lines().map_while(Result::ok);
        let mut orders = lines.map_while(|line| serde_json::from_str(&line).ok());
        // Ends with the input, with what is no order, or if nobody takes one.
        let _ = orders.try_for_each(|order| send.send(order));
        // Whoever asked is gone, and nothing that is being written is worth an orderly shutdown.
        exit(0);
    });
    let loaded = match KeyFolder::at(dir, key).load(memory) {
        Ok(loaded) => Arc::new(loaded),
        Err(error) => {
            say(&Answer::Unfit(error))?;
            return Ok(());
        }
    };
    say(&Answer::Ready)?;
    for order in orders {
        let loaded = loaded.clone();
        thread::spawn(move || {
            let result = prove(&loaded, &order);
            if say(&Answer::Done { id: order.id, result }).is_err() {
                exit(0);
            }
        });
    }
    Ok(())
}

fn prove(loaded: &LoadedKey, order: &Order) -> Result<String, Fault> {
    let work = || loaded.prove(&order.prove, &order.committee, &order.signatures);
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or(cause.downcast_ref::<&str>().copied());
        Err(Fault::Crash(text.unwrap_or("it panicked").to_owned()))
    })
}

/// Writes an answer as a line of JSON.
pub(super) fn say(answer: &impl Serialize) -> Result<(), Error> {
    let line = serde_json::to_string(answer).map_err(|error| Error::Child(error.to_string()))?;
    let mut out = stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.map_err(|error| Error::Child(error.to_string()))
}
