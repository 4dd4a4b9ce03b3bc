//! Key generations, each with a file of stakes and one for its result.

use std::path::{Path, PathBuf};

use muster_prover::output::Output;
use serde_json::json;

use super::{DkgAsked, Simulated, Simulation};
use crate::{
    dkg::SharingArgs,
    files::{pvss::read_stakes, write_pretty},
    report::Report,
    table::{table, time},
    Error,
};

/// Which key generations.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// JSON arrays of stakes, one key generation for each.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    stakes: Vec<PathBuf>,
    #[command(flatten)]
    sharing: SharingArgs,
    /// Directory for the results; the result for stakes NAME.json is NAME.json there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing results.
    #[arg(long)]
    force: bool,
}

/// Key generations, and what is known of them.
#[derive(Debug)]
pub(super) struct Dkg {
    out: PathBuf,
    force: bool,
    /// Each with the name of its result.
    all: Vec<(String, Simulation, Option<Simulated>)>,
}

impl Dkg {
    pub(super) fn of(args: &Args) -> Result<Self, Error> {
        let mut all: Vec<(String, Simulation, Option<Simulated>)> = vec![];
        for path in &args.stakes {
            let simulation = Simulation::Dkg(DkgAsked {
                stakes: read_stakes(path)?,
                secrecy: args.sharing.bounds.secrecy.to_string(),
                reconstruction: args.sharing.bounds.reconstruction.to_string(),
                variant: args.sharing.variant.name().to_owned(),
                chunk_bits: args.sharing.chunk_bits,
            });
            simulation.check().map_err(|reason| Error::file(path, reason))?;
            let name = name(path);
            if all.iter().any(|(other, ..)| *other == name) {
                return Err(Error::file(path, "another file of stakes has the same name"));
            }
            all.push((name, simulation, None));
        }
        let found = Self { out: args.out.clone(), force: args.force, all };
        // Better told now than after the first of them.
        found.output()?;
        Ok(found)
    }

    pub(super) fn left(&self) -> Vec<Simulation> {
        self.all.iter().map(|(_, simulation, _)| simulation.clone()).collect()
    }

    pub(super) fn take(&mut self, simulated: &Simulated) {
        for (_, _, result) in self.all.iter_mut().filter(|(_, asked, _)| *asked == simulated.asked)
        {
            *result = Some(simulated.clone());
        }
    }

    fn output(&self) -> Result<Output, Error> {
        let names: Vec<&str> = self.all.iter().map(|(name, ..)| name.as_str()).collect();
        Ok(Output::new(&self.out, &names, self.force)?)
    }

    pub(super) fn save(&self) -> Result<(), Error> {
        let mut output = self.output()?;
        for (name, _, result) in &self.all {
            let Some(result) = result else { continue };
            output.write(name, |file| write_pretty(file, result))?;
        }
        Ok(output.commit()?)
    }

    pub(super) fn report(&self) -> Report {
        let mut text = String::new();
        for (name, _, result) in &self.all {
            let Some(Simulated { measured, machine, .. }) = result else { continue };
            let seconds = |field: &str| {
                let seconds = measured[field].as_f64().filter(|seconds| *seconds >= 0.0);
                seconds.map_or_else(String::new, |s| time(std::time::Duration::from_secs_f64(s)))
            };
            let rows = [
                ("players", measured["players"].to_string()),
                ("shares", format!("{} of {}", measured["threshold"], measured["shares"])),
                ("bytes of a dealing", measured["bytes"].to_string()),
                ("dealing, all players", seconds("dealing_s")),
                ("verifying, all players", seconds("verifying_s")),
                ("decrypting, all players", seconds("decrypting_s")),
                ("machine", machine.processor.clone()),
            ];
            text += &format!("{}\n{}\n", self.out.join(name).display(), table(&rows));
        }
        let results: Vec<_> = self
            .all
            .iter()
            .map(|(name, _, result)| json!({ "file": self.out.join(name), "result": result }))
            .collect();
        Report { text, json: json!({ "simulations": results }) }
    }
}

/// What the result of these stakes is called.
fn name(stakes: &Path) -> String {
    let stem = stakes.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    format!("{}.json", stem.unwrap_or_default())
}
