//! `muster sweep --slurm DIR`: the rows of a sweep as an array of tasks on a cluster with Slurm.
//!
//! DIR holds the script (`script`) and what its tasks leave (`record`), a file a row. The same command writes the script,
//! gathers what is there (`gather`), and writes the script anew for what is left. It never submits anything itself.

mod gather;
mod record;
mod report;
mod script;
#[cfg(test)]
mod tests;

pub use gather::run;
pub use record::run as run_recorded;
