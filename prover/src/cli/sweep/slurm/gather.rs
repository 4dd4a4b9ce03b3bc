//! Reads what the tasks have left, writes the results, and the script for what is left.

use std::{
    collections::HashMap,
    env, fs,
    io::Write,
    path::{absolute, Path, PathBuf},
};

use muster_params::SrsCache;

use super::{
    record::{self, Asked, Record},
    report::{Gathered, Report},
    script::{Array, Common, Left, SCRIPT},
};
use crate::{
    cli::{
        memory,
        sweep::{
            args::SweepArgs,
            ask::Ask,
            plan::{Fit, Planned},
            row::{Row, Status},
        },
    },
    output::Output,
    sweep::{Existing, Machine, Results, Row as _, Store},
    Error,
};

/// Where tasks leave their rows, and what they say.
const ROWS: &str = "rows";
const LOGS: &str = "logs";

/// Gathers the rows that are in `dir`, and writes the script for the others. Results that are there already are kept.
///
/// # Errors
///
/// [`Error::Usage`] for a row that no circuit exists for; [`Error::File`] and [`Error::Field`] for files that are malformed
/// or of another sweep, and for rows that failed; [`Error::Io`].
pub(crate) fn run(args: &SweepArgs, dir: &Path, json: bool) -> Result<(), Error> {
    let asks = args.asks()?;
    let existing = if args.store.force { Existing::Replace } else { Existing::Resume };
    let results = Results::new(Machine::this(), None);
    let mut store = Store::open_kept(&args.store.out, existing, results)?;
    let dir = absolute(dir).map_err(Error::io(dir))?;
    for part in [ROWS, LOGS] {
        let part = dir.join(part);
        fs::create_dir_all(&part).map_err(Error::io(part))?;
    }
    let planned = Planned::all(args, asks.clone())?;
    let rows = planned.into_iter().map(|planned| Task::new(args, planned));
    let rows = rows.collect::<Result<Vec<Task>, Error>>()?;
    refuse_others(&dir, &rows)?;
    let places: HashMap<&Ask, usize> = asks.iter().zip(0..).collect();
    let mut gathered = Gathered::default();
    let mut left = vec![];
    for (place, task) in rows.into_iter().enumerate() {
        let is_later = |row: &Row| places.get(&row.ask()).is_some_and(|other| *other > place);
        match task.look(&dir)? {
            Some((row, Some(machine))) => store.results.put_from(machine, row, is_later),
            Some((row, None)) => store.results.put_before(row, is_later),
            None => {}
        }
        let ask = task.planned.ask.clone();
        if task.runs() && store.results.finished(&ask).is_none() {
            gathered.add(&ask, store.results.rows.iter().any(|row| row.ask() == ask));
            left.extend(task.left());
        }
    }
    if !store.results.rows.is_empty() {
        store.save()?;
    }
    let array = (!left.is_empty()).then(|| Array::new(left, args.threads()));
    let commands = write(args, &dir, array.as_ref())?;
    Report { store: &store, gathered, commands, script: dir.join(SCRIPT) }.give(&asks, json)
}

/// A row as a task.
struct Task {
    planned: Planned,
    name: String,
    row: Row,
    /// What its process is asked for, if there is a circuit.
    asked: Option<Asked>,
    seconds: f64,
}

impl Task {
    fn new(args: &SweepArgs, planned: Planned) -> Result<Self, Error> {
        // The memory of this machine is not that of others.
        let (repeat, memory) = (args.repeat as usize, args.memory.elsewhere());
        let asked = match &planned.fit {
            Fit::Fits(shape, _) => Some(Asked {
                shape: serde_json::to_value(shape)
                    .map_err(|error| Error::Usage(format!("the shape: {error}")))?,
                case: planned.ask.case.to_string(),
                repeat,
                transcript: args.transcript.name().to_owned(),
                memory: memory::name(planned.memory(repeat, memory)).to_owned(),
            }),
            Fit::TooSmall(_) => None,
        };
        let name = planned.ask.to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let (row, seconds) = (planned.row(repeat, memory), planned.cost(repeat));
        Ok(Self { planned, name, row, asked, seconds })
    }

    /// Whether it is going to run, or has.
    fn runs(&self) -> bool {
        self.row.status == Status::Failed
    }

    /// The row, if its task has left it, with the machine where it ran; or if it is known already that it does not run.
    fn look(&self, dir: &Path) -> Result<Option<(Row, Option<Machine>)>, Error> {
        let mut row = self.row.clone();
        let Some(asked) = self.asked.as_ref().filter(|_| self.runs()) else {
            return Ok(Some((row, None)));
        };
        let path = dir.join(ROWS).join(format!("{}.json", self.name));
        let Some(record) = Record::read(&path, asked)? else { return Ok(None) };
        match (record.measured, record.failed) {
            (Some(measured), _) => row.measured(measured),
            (None, failed) => row.reason = failed,
        }
        Ok(Some((row, Some(record.machine))))
    }

    /// The same for the script.
    fn left(self) -> Option<Left> {
        let (name, seconds) = (self.name, self.seconds);
        let bytes = self.row.estimate_bytes.unwrap_or_default();
        self.asked.map(|asked| Left { name, asked, bytes, seconds })
    }
}

/// A file of a row that the sweep does not have is from another sweep.
fn refuse_others(dir: &Path, rows: &[Task]) -> Result<(), Error> {
    let dir = dir.join(ROWS);
    let names = record::names(&dir)?;
    let known = |name: &String| rows.iter().any(|row| row.name == *name);
    match names.iter().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => {
            let reason = "is of no row of this sweep; each sweep needs a directory of its own";
            Err(Error::file(dir.join(format!("{name}.json")), reason))
        }
    }
}

/// Writes the script, or removes the last one if nothing is left. Gives the commands that submit it.
fn write(args: &SweepArgs, dir: &Path, array: Option<&Array>) -> Result<Vec<String>, Error> {
    let path = dir.join(SCRIPT);
    let Some(array) = array else {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(path)(error))
            }
            _ => Ok(vec![]),
        };
    };
    let program = env::current_exe().map_err(Error::io("own program"))?;
    let whole = |file: &Path| absolute(file).map_err(Error::io(file));
    let file = |file: &Option<PathBuf>| file.as_deref().map(whole).transpose();
    let common = Common {
        muster: program,
        dir: dir.to_owned(),
        cache: whole(SrsCache::from_env().dir())?,
        srs: file(&args.srs)?,
        srs_g2: file(&args.srs_g2)?,
    };
    let text = array.script(&common);
    let mut output = Output::new(dir, &[SCRIPT], true)?;
    output.write(SCRIPT, |file| file.write_all(text.as_bytes()))?;
    output.commit()?;
    Ok(array.commands(&path.to_string_lossy()))
}
