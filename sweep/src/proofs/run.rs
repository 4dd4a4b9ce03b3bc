//! A sweep on this machine, from its plan to its report.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Mutex,
    time::{Duration, Instant},
};

use muster_prover::terminal::{print, say};

use super::{
    plan::{plan, Planned},
    plot::{plot, plot_phases},
    process::Supply,
    row::{outcome, table, Field, Phases, Row, Status},
    Ask, Sweep,
};
use crate::{AtOnce, Bar, Error, Machine, PlotOf, Results, Store};

/// What the rows of a sweep have in common.
#[derive(Debug)]
pub(super) struct Settings {
    /// The rows that are left.
    plan: HashMap<Ask, Planned>,
    /// Where they take their SRS from.
    supply: Mutex<Supply>,
    /// Threads of a row.
    threads: usize,
}

impl crate::Row for Row {
    const TITLE: &'static str = "Cost of proofs";
    const BARS: &'static str = "Phases of a proof";
    const NOTES: &'static [&'static str] = &[
        "Times are medians, and lines through points go from the least to the greatest.",
        "Gas is the estimated execution of a verification by a contract; a transaction adds some 54,000 for itself, the proof's \
         bytes and the statement. Only proofs of the kind compact are for chains.",
    ];
    const COLUMNS: &'static str = "scheme,degree,advice,lookup,fixed,signing,signers,mode,\
        keygen_s,prove_s,prove_min_s,prove_max_s,verify_s,proof_bytes,gas,peak_bytes,proving_key_bytes,status,smallest_degree,\
        estimate_bytes,arity,kind,requested_degree,requested_mode,memory,requested_memory,keys,rule,\
        message_form,hash,mask,repeat,srs,witness_s,commitments_s,transforms_s,arguments_s,\
        quotient_s,openings_s,reason";
    const PLOTS: &'static [PlotOf<Self>] = &[("svg", plot), ("phases.svg", plot_phases)];
    type Case = Ask;
    type Settings = Settings;

    fn is_of(&self, ask: &Ask) -> bool {
        self.ask() == *ask
    }

    fn seconds(ask: &Ask, settings: &Settings) -> f64 {
        settings.plan[ask].far.as_ref().map_or(0.0, |far| far.seconds)
    }

    /// What is not going to run takes no memory.
    fn bytes(ask: &Ask, settings: &Settings) -> u64 {
        settings.plan[ask].far.as_ref().map_or(0, |far| far.bytes)
    }

    /// What goes wrong in its process is the row's failure, not the sweep's.
    fn measure(ask: &Ask, settings: &Settings) -> Result<Self, Error> {
        let Planned { row, far } = &settings.plan[ask];
        let mut row = row.clone();
        if let Some(far) = far {
            // One at a time: rows of the same degree have the same SRS.
            let mut supply = settings.supply.lock().expect("nobody panics who holds it");
            let srs = supply.prepare(far.srs_degree)?;
            drop(supply);
            row.take(far.asked.run(settings.threads, &srs));
        }
        Ok(row)
    }

    /// What failed, or was over a limit of memory, may well end otherwise the next time.
    fn is_finished(&self) -> bool {
        matches!(self.status, Status::Ok | Status::DoesNotFit)
    }

    fn has_run(&self) -> bool {
        self.status == Status::Ok
    }

    fn outcome(&self) -> String {
        outcome(self)
    }

    fn bar(&self) -> Option<Bar> {
        let part = |(name, seconds): &Field| Some((*name, seconds(&self.phases)?));
        let parts = Phases::FIELDS.iter().map(part).collect::<Option<_>>()?;
        let name = format!("{} {} at 2^{}", self.name(), self.case(), self.degree?);
        Some(Bar { name, parts })
    }

    fn table(results: &Results<Self>) -> Result<String, serde_json::Error> {
        Ok(table(results))
    }
}

/// Runs a sweep.
///
/// # Errors
///
/// [`muster_prover::Error::File`] if there are results already and neither `--resume` nor `--force` is given, or
/// if a row failed; [`muster_prover::Error::Usage`] for a row that no circuit exists for; [`muster_prover::Error::Io`],
/// [`muster_prover::Error::Params`].
pub fn run(sweep: &Sweep, json: bool) -> Result<(), Error> {
    let (asks, threads) = (sweep.asks(), sweep.threads());
    let machine = Machine::this().shared_by(sweep.jobs, threads);
    let mut store = Store::open_on(&sweep.out, sweep.existing, Results::new(machine, None))?;
    let plan = plan(sweep, |ask| store.results.finished(ask).is_none())?;
    let supply = match &sweep.srs {
        Some(file) => {
            let running = plan.values().filter_map(|planned| planned.far.as_ref());
            let degrees: BTreeSet<u32> = running.map(|far| far.srs_degree).collect();
            Supply::imported(file, sweep.srs_g2.as_deref(), &degrees)?
        }
        None => Supply::cached(),
    };
    let (start, budget) = (Instant::now(), sweep.budget);
    let chosen = budget.map_or(asks.clone(), |budget| fitting(&asks, &plan, budget, sweep.jobs));
    if chosen.len() < asks.len() {
        let left = asks.len() - chosen.len();
        say(&format!(
            "note: the budget has no room for {left} of {} rows; --resume without it runs them",
            asks.len()
        ));
    }
    let until = budget.and_then(|budget| start.checked_add(budget));
    let at_once = AtOnce { rows: sweep.jobs, bytes: sweep.memory.limit(), until };
    store.fill(&chosen, at_once, &Settings { plan, supply: Mutex::new(supply), threads })?;
    report(&store, &asks, json)
}

/// The rows that are estimated to fit a budget together, the shortest first, in the order in which they are asked for. Those
/// that take no time stay.
pub(super) fn fitting(
    asks: &[Ask],
    plan: &HashMap<Ask, Planned>,
    budget: Duration,
    at_once: usize,
) -> Vec<Ask> {
    let seconds = |ask: &Ask| {
        let far = plan.get(ask).and_then(|planned| planned.far.as_ref());
        far.map_or(0.0, |far| far.seconds)
    };
    let mut shortest: Vec<_> = asks.iter().map(|ask| (seconds(ask), ask)).collect();
    shortest.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut left = budget.as_secs_f64() * at_once as f64;
    let fit = shortest.into_iter().take_while(|(seconds, _)| {
        left -= seconds;
        left >= 0.0
    });
    let fit: HashSet<&Ask> = fit.map(|(_, ask)| ask).collect();
    asks.iter().filter(|ask| fit.contains(ask)).cloned().collect()
}

/// Says on standard output what came of a sweep, and gives its verdict.
pub(super) fn report(store: &Store<Row>, asks: &[Ask], json: bool) -> Result<(), Error> {
    let verdict = verdict(store, asks);
    // With --json an error is an object of its own, and there is to be one.
    if json && verdict.is_err() {
        return verdict;
    }
    let text = if json {
        let object = serde_json::to_string(&store.results);
        object.map_err(|error| Error::usage(error.to_string()))?
    } else {
        store.text()?
    };
    print(text.trim_end())?;
    verdict
}

/// An error if a row that was asked for failed.
pub(super) fn verdict(store: &Store<Row>, asks: &[Ask]) -> Result<(), Error> {
    let failed = |row: &&Row| row.status == Status::Failed && asks.contains(&row.ask());
    let rows = store.results.rows.iter().map(|kept| &kept.row);
    let failed: Vec<&Row> = rows.filter(failed).collect();
    let Some(first) = failed.first() else { return Ok(()) };
    let (count, ask) = (failed.len(), first.ask());
    let reason = first.reason.as_deref().unwrap_or("unknown reason");
    let reason = format!("failed rows: {count}, the first: {ask}: {reason}");
    Err(Error::file(store.json_path(), reason))
}
