//! Long work: other threads of Python go on meanwhile, and Ctrl-C ends the wait.

use std::{
    any::Any,
    sync::mpsc::{channel, RecvTimeoutError},
    thread,
    time::Duration,
};

use pyo3::Python;

use crate::error::Fault;

/// How often Python is asked whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Does `work` on a thread of its own. If a signal's handler raises meanwhile, as that of Ctrl-C does, the call raises the
/// same at once. Nothing stops the thread then: what it makes is thrown away when it ends.
pub(crate) fn long<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let (sender, mut receiver) = channel();
    // Nobody waits for it any more if sending fails.
    let worker = move || drop(sender.send(work()));
    let thread = thread::Builder::new().name("muster".into()).spawn(worker);
    let thread = thread.map_err(|error| Fault::BadInput(format!("no thread: {error}")))?;
    loop {
        let waited;
        (waited, receiver) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
        match waited {
            Ok(made) => return made,
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                let reason = thread.join().err().map_or_else(String::new, |panic| said(&*panic));
                return Err(Fault::Bug(format!("a bug in Muster: {reason}; please report it")));
            }
        }
    }
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}
