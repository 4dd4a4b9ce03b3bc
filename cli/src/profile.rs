//! `--profile`: where the time of a proof went.

use muster_prover::{Phase, Profile};
use muster_sweep::align;
use serde_json::{json, Value};

/// The option.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ProfileArg {
    /// Also print where the time went: seconds, share and count of each phase.
    #[arg(long)]
    profile: bool,
}

impl ProfileArg {
    /// The table, if it was asked for.
    pub(super) fn text(self, profile: &Profile) -> String {
        if self.profile {
            format!("\n{}", table(profile))
        } else {
            String::new()
        }
    }

    /// The phases, if they were asked for.
    pub(super) fn json(self, profile: &Profile) -> Option<Value> {
        self.profile.then(|| phases(profile).map(to_json).collect())
    }
}

/// A line a phase that there was, and their sum.
fn table(profile: &Profile) -> String {
    let total = profile.total().as_secs_f64();
    let line = |name: &str, seconds: f64, count: String| {
        let share = if total > 0.0 { 100.0 * seconds / total } else { 0.0 };
        let cells = [name.into(), format!("{seconds:.4}"), format!("{share:.1}%"), count];
        (cells.to_vec(), String::new())
    };
    let head = ["phase", "seconds", "share", "count"].map(str::to_owned).to_vec();
    let mut lines = vec![(head, String::new())];
    lines.extend(phases(profile).map(|(phase, seconds, count)| {
        let (cells, _) = line(phase.name(), seconds, count.to_string());
        (cells, phase.counts().to_owned())
    }));
    lines.push(line("all", total, String::new()));
    align(&lines, &[0])
}

/// The phases that there were, their seconds and counts.
fn phases(profile: &Profile) -> impl Iterator<Item = (Phase, f64, usize)> + '_ {
    let spent = Phase::ALL.into_iter().map(|phase| (phase, profile.spent(phase)));
    let spent = spent.filter(|(_, spent)| !spent.time.is_zero() || spent.count > 0);
    spent.map(|(phase, spent)| (phase, spent.time.as_secs_f64(), spent.count))
}

fn to_json((phase, seconds, count): (Phase, f64, usize)) -> Value {
    json!({ "phase": phase.name(), "seconds": seconds, "count": count })
}
