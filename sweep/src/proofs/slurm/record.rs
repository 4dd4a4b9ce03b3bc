//! What the task of a row leaves: a file with its record.

use std::{collections::BTreeSet, fs, io, io::Write, path::Path};

use muster_prover::{input, Error as ProverError};
use tempfile::NamedTempFile;

use crate::{
    proofs::{
        child::Job,
        elsewhere::{Asked, Record, LIMIT},
        measure::Measurement,
        supply::Supply,
    },
    Error, Machine,
};

/// Reads the file of a row that is `asked` for, if it is there.
///
/// # Errors
///
/// [`muster_prover::Error::File`] and [`muster_prover::Error::Field`] for a file that is malformed, or of another row.
pub(super) fn read(path: &Path, asked: &Asked) -> Result<Option<Record>, Error> {
    match input::read(path, LIMIT) {
        Ok(bytes) => Record::parse(path, &bytes, asked).map(Some),
        Err(ProverError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Writes the file, whole or not at all. Other tasks write to the same directory, on other machines: nothing but this
/// file and its own temporary one is touched.
fn write(record: &Record, path: &Path) -> Result<(), Error> {
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

/// Runs a row in a process of its own, as a sweep on this machine would, and leaves its file at `path`. The SRS is from a
/// file, of one or two parts, or from the cache; one that is missing there is made, an insecure one.
///
/// # Errors
///
/// [`muster_prover::Error::Io`], and [`muster_prover::Error::File`] if the row failed: that stands in its file, too.
pub fn run(
    asked: Asked,
    row: &Measurement,
    srs: Option<(&Path, Option<&Path>)>,
    path: &Path,
) -> Result<(), Error> {
    let degree = row.shape.degree();
    let measure = || {
        let mut supply = match srs {
            Some((file, g2)) => Supply::imported(file, g2, &BTreeSet::from([degree]))?,
            None => Supply::cached(),
        };
        // Tasks that find none at the same time agree on the first that is stored.
        Ok::<_, Error>((supply.prepare(degree)?, supply))
    };
    let outcome = measure().map_err(|error| error.to_string()).and_then(|(srs, _supply)| {
        Job { row, threads: rayon::current_num_threads(), srs: &srs }.run()
    });
    let record = Record::new(asked, Machine::this(), outcome);
    write(&record, path)?;
    match record.failure() {
        None => Ok(()),
        Some(reason) => Err(Error::file(path, reason)),
    }
}

/// Names of the rows' files in a directory, without their end. Files that are being written start with a dot.
pub(super) fn names(dir: &Path) -> Result<Vec<String>, Error> {
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
