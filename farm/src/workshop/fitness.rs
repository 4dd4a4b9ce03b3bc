//! What a machine shows of itself without any job: its disk, its program, its key. Nothing else is the worker's fault.

use std::{io::Write, path::Path};

use super::Workshop;
use crate::{work::Fault, Error};

/// What is written to see whether a disk takes anything.
const PROBE_BYTES: usize = 16 << 20;

impl Workshop {
    /// The fault of a job for which this worker seems to be to blame: its own only if it shows it without the job. All else
    /// counts against the job, since any worker may come to the same with it.
    pub(super) async fn blame(&self, fault: Fault) -> Fault {
        let Fault::Worker(reason) = fault else { return fault };
        match self.is_fit().await {
            Ok(()) => Fault::Crash(reason),
            Err(own) => own.into(),
        }
    }

    /// What an error says of the one job that it comes from.
    ///
    /// # Errors
    ///
    /// What it says of the store, or of this worker, and of no job.
    pub(super) async fn verdict(&self, error: Error) -> Result<String, Error> {
        match Fault::from(&error) {
            Fault::Outage(_) => return Err(error),
            Fault::Worker(_) => self.is_fit().await?,
            _ => {}
        }
        Ok(error.to_string())
    }

    /// Whether its disk takes files, its program starts, and its key is the farm's.
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
