//! What a machine shows of itself without any job: its disk, program and key. Nothing else is the worker's fault.

use std::{io::Write, path::Path};

use super::Workshop;
use crate::{work::Fault, Error};

/// How much is written to see whether a disk accepts data.
const PROBE_BYTES: usize = 16 << 20;

impl Workshop {
    /// Decides a fault for which this worker seems to be to blame. It is the worker's only if it shows without the
    /// job; otherwise it counts against the job, since any worker may fail at it in the same way.
    pub(super) async fn blame(&self, fault: Fault) -> Fault {
        let Fault::Worker(reason) = fault else { return fault };
        match self.is_fit().await {
            Ok(()) => Fault::Crash(reason),
            Err(own) => own.into(),
        }
    }

    /// What an error says about the one job that it comes from.
    ///
    /// # Errors
    ///
    /// The error itself, if it is about the store or this worker and not about a job.
    pub(super) async fn verdict(&self, error: Error) -> Result<String, Error> {
        match Fault::from(&error) {
            Fault::Outage(_) => return Err(error),
            Fault::Worker(_) => self.is_fit().await?,
            _ => {}
        }
        Ok(error.to_string())
    }

    /// Checks that its disk accepts files, its program starts, and its key is the farm's.
    async fn is_fit(&self) -> Result<(), Error> {
        for dir in [self.cache.dir(), self.folders.path()] {
            probe(dir).map_err(Error::io(dir))?;
        }
        let starts = self.means.command.starts().await;
        starts.map_err(|reason| Error::Unfit(format!("its own program: {reason}")))?;
        self.store().is_readable().await
    }
}

fn probe(dir: &Path) -> std::io::Result<()> {
    let mut file = tempfile::tempfile_in(dir)?;
    file.write_all(&vec![0; PROBE_BYTES])?;
    file.sync_data()
}
