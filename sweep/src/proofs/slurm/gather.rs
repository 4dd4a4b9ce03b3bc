//! Reads what the tasks have left, writes the results, and the script for what is left.

use std::{
    env, fs,
    io::Write,
    path::{absolute, Path, PathBuf},
};

use muster_params::SrsCache;
use muster_prover::output::Output;

use super::{
    record,
    report::{Gathered, Report},
    script::{Array, Common, SCRIPT},
};
use crate::{
    proofs::{
        elsewhere::{Elsewhere, FarRow},
        sweep::Sweep,
    },
    Error,
};

/// Where tasks leave their rows, and what they say.
const ROWS: &str = "rows";
const LOGS: &str = "logs";

/// Gathers the rows that are in `dir`, and writes the script for the others. Results that are there already are kept, unless
/// they are to be replaced.
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
    let rows = sweep.rows();
    refuse_others(&dir, &rows)?;
    for row in &rows {
        let path = dir.join(ROWS).join(format!("{}.json", row.name));
        if let Some(record) = record::read(&path, &row.asked)? {
            sweep.take(row, record);
        }
    }
    sweep.save()?;
    let left = sweep.left();
    let mut gathered = Gathered::default();
    for row in &left {
        gathered.add(row, sweep.has_failed(row));
    }
    let array = (!left.is_empty()).then(|| Array::new(left, asked.threads()));
    let commands = write(asked, &dir, array.as_ref())?;
    Report { sweep: &sweep, gathered, commands, script: dir.join(SCRIPT) }.give(json)
}

/// A file of a row that the sweep does not have is from another sweep.
fn refuse_others(dir: &Path, rows: &[FarRow]) -> Result<(), Error> {
    let dir = dir.join(ROWS);
    let names = record::names(&dir)?;
    let known = |name: &String| rows.iter().any(|row| row.name == *name);
    match names.iter().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => {
            let reason = "belongs to no row of this sweep; each sweep needs a directory of its own";
            Err(Error::file(dir.join(format!("{name}.json")), reason))
        }
    }
}

/// Writes the script, or removes the last one if nothing is left. Gives the commands that submit it.
fn write(asked: &Sweep, dir: &Path, array: Option<&Array>) -> Result<Vec<String>, Error> {
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
        srs: file(&asked.srs)?,
        srs_g2: file(&asked.srs_g2)?,
    };
    let text = array.script(&common);
    let mut output = Output::new(dir, &[SCRIPT], true)?;
    output.write(SCRIPT, |file| file.write_all(text.as_bytes()))?;
    output.commit()?;
    Ok(array.commands(&path.to_string_lossy()))
}
