//! `muster sweep --slurm DIR`: the rows of a sweep as an array of tasks on a cluster with Slurm.
//!
//! DIR holds the script (`script`) and what its tasks leave, a file a row. The same command writes the script,
//! gathers what is there, and writes the script anew for what is left. It never submits anything itself.

mod script;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeSet,
    env, fs,
    io::{ErrorKind, Write},
    path::{absolute, Path, PathBuf},
};

use muster_params::SrsCache;
use muster_prover::{input, output::Output, terminal::print, Error as ProverError};
use serde_json::json;
use tempfile::NamedTempFile;

use super::{
    elsewhere::{Asked, Elsewhere, FarRow, Record, LIMIT},
    process::Supply,
    run::verdict,
    Sweep,
};
use crate::{Error, Machine};

use script::{Array, Common, SCRIPT};

/// Where tasks leave their rows, and what they say.
const ROWS: &str = "rows";
const LOGS: &str = "logs";

/// Gathers the rows that are in `dir`, writes the script for the others, and says on standard output what came of all.
/// Results that are there already are kept, unless they are to be replaced.
///
/// # Errors
///
/// [`muster_prover::Error::Usage`] for a row that no circuit exists for; [`muster_prover::Error::File`] and
/// [`muster_prover::Error::Field`] for files that are malformed or of another sweep, and for rows that failed;
/// [`muster_prover::Error::Io`].
pub fn run(asked: &Sweep, dir: &Path, json: bool) -> Result<(), Error> {
    let mut sweep = Elsewhere::open(asked)?;
    let dir = absolute(dir).map_err(Error::io(dir))?;
    for part in [ROWS, LOGS] {
        let part = dir.join(part);
        fs::create_dir_all(&part).map_err(Error::io(part))?;
    }
    gather(&mut sweep, &dir.join(ROWS))?;
    sweep.save()?;
    let (mut missing, mut failed, left) = (vec![], vec![], sweep.left());
    for row in &left {
        let rows = if sweep.has_failed(row) { &mut failed } else { &mut missing };
        rows.push(row.words.clone());
    }
    let script = dir.join(SCRIPT);
    let commands = write(asked, &dir, left)?;
    let verdict = verdict(&sweep.store, &sweep.asks);
    if !json {
        print(text(&sweep, &missing, &failed, &commands)?.trim_end())?;
    } else if verdict.is_ok() {
        // An error is an object of its own, and there is to be one.
        let mut object = sweep.store.json()?;
        object["slurm"] = json!({
            "missing": missing,
            "failed": failed,
            "script": (!commands.is_empty()).then(|| script.display().to_string()),
            "commands": commands,
        });
        print(&object.to_string())?;
    }
    verdict
}

/// Takes over the rows whose files are in `dir`. A file of a row that the sweep does not have is from another sweep.
fn gather(sweep: &mut Elsewhere, dir: &Path) -> Result<(), Error> {
    let rows = sweep.rows();
    let is_known = |name: &String| rows.iter().any(|row| row.name == *name);
    if let Some(name) = names(dir)?.iter().find(|name| !is_known(name)) {
        let reason = "belongs to no row of this sweep; each sweep needs a directory of its own";
        return Err(Error::file(dir.join(format!("{name}.json")), reason));
    }
    for row in &rows {
        let path = dir.join(format!("{}.json", row.name));
        if let Some(record) = read_record(&path, &row.asked)? {
            sweep.take(row, record);
        }
    }
    Ok(())
}

/// Writes the script, or removes the last one if nothing is left. Gives the commands that submit it.
fn write(asked: &Sweep, dir: &Path, left: Vec<FarRow>) -> Result<Vec<String>, Error> {
    let path = dir.join(SCRIPT);
    if left.is_empty() {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::io(path)(error)),
            _ => Ok(vec![]),
        };
    }
    let array = Array::new(left, asked.threads());
    let whole = |file: &Path| absolute(file).map_err(Error::io(file));
    let file = |file: &Option<PathBuf>| file.as_deref().map(whole).transpose();
    let common = Common {
        muster: env::current_exe().map_err(Error::io("own program"))?,
        dir: dir.to_owned(),
        cache: whole(SrsCache::from_env().dir())?,
        srs: file(&asked.srs)?,
        srs_g2: file(&asked.srs_g2)?,
    };
    let text = array.script(&common);
    let mut output = Output::new(dir, &[SCRIPT], true)?;
    output.write(SCRIPT, |file| file.write_all(text.as_bytes()))?;
    output.commit()?;
    Ok(array.commands(&path.to_string_lossy()))
}

/// The rows, which of them are left, and how to submit those.
fn text(
    sweep: &Elsewhere,
    missing: &[String],
    failed: &[String],
    commands: &[String],
) -> Result<String, Error> {
    let mut text = String::new();
    if !sweep.store.results.rows.is_empty() {
        text = sweep.store.text()? + "\n";
    }
    for (what, rows) in [("missing (not run yet, or at work)", missing), ("failed", failed)] {
        if !rows.is_empty() {
            text += &format!("{what}: {}\n", rows.join(", "));
        }
    }
    if commands.is_empty() {
        return Ok(text + "No row is left.\n");
    }
    let commands = commands.join("\n  ");
    Ok(text
        + &format!(
            "To run what is left:\n  {commands}\nThen run this command again to gather the rows.\n"
        ))
}

/// Reads the file of a row that is `asked` for, if it is there.
fn read_record(path: &Path, asked: &Asked) -> Result<Option<Record>, Error> {
    match input::read(path, LIMIT) {
        Ok(bytes) => Record::parse(path, &bytes, asked).map(Some),
        Err(ProverError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Writes the file, whole or not at all. Other tasks write to the same directory, on other machines: nothing but this
/// file and its own temporary one is touched.
fn write_record(record: &Record, path: &Path) -> Result<(), Error> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let json =
        serde_json::to_vec_pretty(record).map_err(|error| Error::file(path, error.to_string()))?;
    let written = (|| {
        let mut file = NamedTempFile::new_in(dir)?;
        file.write_all(&json)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)
    })();
    written.map(|_| ()).map_err(Error::io(path))
}

/// Runs a row, whose circuit has this degree, in a process of its own, as a sweep on this machine would, and leaves its
/// file at `path`. The SRS is from a file, of one or two parts, or from the cache; one that is missing there is made, an
/// insecure one.
///
/// # Errors
///
/// [`muster_prover::Error::Io`], and [`muster_prover::Error::File`] if the row failed: that stands in its file, too.
pub fn run_recorded(
    asked: Asked,
    degree: u32,
    srs: Option<(&Path, Option<&Path>)>,
    path: &Path,
) -> Result<(), Error> {
    let supply = || {
        let mut supply = match srs {
            Some((file, g2)) => Supply::imported(file, g2, &BTreeSet::from([degree]))?,
            None => Supply::cached(),
        };
        // Tasks that find none at the same time agree on the first that is stored.
        Ok::<_, Error>((supply.prepare(degree)?, supply))
    };
    let outcome = supply().map_err(|error| error.to_string());
    let outcome = outcome.and_then(|(srs, _supply)| asked.run(rayon::current_num_threads(), &srs));
    let record = Record::new(asked, Machine::this(), outcome);
    write_record(&record, path)?;
    match record.failure() {
        None => Ok(()),
        Some(reason) => Err(Error::file(path, reason)),
    }
}

/// Names of the rows' files in a directory, without their end. Files that are being written start with a dot.
fn names(dir: &Path) -> Result<Vec<String>, Error> {
    let mut names = vec![];
    for entry in fs::read_dir(dir).map_err(Error::io(dir))? {
        let name = entry.map_err(Error::io(dir))?.file_name();
        let name = name.to_string_lossy();
        if let Some(name) = name.strip_suffix(".json").filter(|name| !name.starts_with('.')) {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}
