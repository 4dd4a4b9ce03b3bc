//! The loop, the same for every network.

use std::{convert::Infallible, thread::sleep, time::Duration};

use alloy_primitives::{Address, Bytes};

use crate::{config::Config, fault::Fault, send::Sender};

/// How long nothing is asked when there is nothing to do.
const POLL: Duration = Duration::from_millis(500);

/// What takes a client, or an application, one step further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// In words.
    pub(crate) what: String,
    /// Who is called.
    pub(crate) to: Address,
    /// With what.
    pub(crate) calldata: Bytes,
}

/// A network that is followed. It remembers nothing that the chain with the client does not know: what is asked after a
/// step was taken, or after the relayer was killed, is what the chain says then.
pub(crate) trait Follower {
    /// What there is to do next, if anything, with its proofs.
    ///
    /// # Errors
    ///
    /// A [`Fault`]; one that may pass leads to another question.
    fn next(&mut self) -> Result<Option<Step>, Fault>;

    /// The chain refuses this step, and nothing was sent.
    fn refused(&mut self, step: &Step);
}

/// Goes on for ever, or until nothing can be done any more.
pub(crate) fn run(follower: &mut dyn Follower, config: &Config) -> Result<Infallible, Fault> {
    let sender = Sender::new(config);
    let mut complaint = String::new();
    loop {
        let done = sender.settle().and_then(|()| follower.next()).and_then(|step| {
            let Some(step) = step else { return Ok(false) };
            if let Err(reason) = sender.simulate(&step) {
                follower.refused(&step);
                return Err(reason);
            }
            let gas = sender.send(&step)?;
            println!("{}, {gas} gas", step.what);
            Ok(true)
        });
        match done {
            Ok(true) => complaint.clear(),
            Ok(false) => sleep(POLL),
            // The same again and again is said once.
            Err(fault) if fault.may_pass() => {
                let said = fault.to_string();
                if said != complaint {
                    println!("later: {said}");
                    complaint = said;
                }
                sleep(POLL);
            }
            Err(fault) => return Err(fault),
        }
    }
}
