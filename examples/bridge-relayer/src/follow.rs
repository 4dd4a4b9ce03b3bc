//! The loop, the same for every network.

use std::{convert::Infallible, thread::sleep, time::Duration};

use crate::{config::Config, fault::Fault, send::Sender, step::Follower};

/// How long nothing is asked when there is nothing to do.
const POLL: Duration = Duration::from_millis(500);

/// Goes on for ever, or until nothing can be done any more.
pub(crate) fn run(follower: &mut dyn Follower, config: &Config) -> Result<Infallible, Fault> {
    let sender = Sender::new(config);
    let mut complaint = String::new();
    loop {
        let done = sender.settle().and_then(|()| follower.next()).and_then(|step| {
            let Some(step) = step else { return Ok(false) };
            let taken = sender.simulate(&step);
            if matches!(taken, Err(Fault::Refused(_))) {
                follower.refused(&step);
            }
            taken?;
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
