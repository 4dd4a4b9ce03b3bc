//! What the task of a row leaves: a file with its record.

use std::{collections::BTreeSet, fs, io, io::Write, path::Path};

use tempfile::NamedTempFile;

use crate::{
    cli::sweep::{
        args::RowArgs,
        child::Job,
        elsewhere::{Asked, Record, LIMIT},
        supply::Supply,
    },
    input,
    sweep::Machine,
    Error,
};

/// Reads the file of a row that is `asked` for, if it is there.
///
/// # Errors
///
/// [`Error::File`] and [`Error::Field`] for a file that is malformed, or of another row.
pub(super) fn read(path: &Path, asked: &Asked) -> Result<Option<Record>, Error> {
    match input::read(path, LIMIT) {
        Ok(bytes) => Record::parse(path, &bytes, asked).map(Some),
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
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

/// Runs a row in a process of its own, as a sweep on this machine would, and leaves its file at `path`.
///
/// # Errors
///
/// [`Error::Usage`] for something that is not a shape, [`Error::Io`], and [`Error::File`] if the row failed: that stands
/// in its file, too.
pub(crate) fn run(args: &RowArgs, path: &Path) -> Result<(), Error> {
    let shape = args.shape()?;
    let malformed = |error: serde_json::Error| Error::Usage(format!("--shape: {error}"));
    let asked = Asked {
        shape: serde_json::from_str(&args.shape).map_err(malformed)?,
        case: args.case.to_string(),
        repeat: args.repeat,
        transcript: args.transcript.name().to_owned(),
        memory: args.memory.name().to_owned(),
    };
    let measure = || {
        let mut supply = match &args.srs {
            Some(file) => {
                let degree = BTreeSet::from([shape.degree()]);
                Supply::imported(file, args.srs_g2.as_deref(), &degree)?
            }
            None => Supply::cached(),
        };
        // Tasks that find none at the same time agree on the first that is stored.
        Ok::<_, Error>((supply.prepare(shape.degree())?, supply))
    };
    let outcome = measure().map_err(|error| error.to_string()).and_then(|(srs, _supply)| {
        let (case, repeat, transcript) = (args.case, args.repeat, args.transcript);
        let (memory, threads) = (args.memory.kept(), rayon::current_num_threads());
        Job { shape: &shape, case, repeat, transcript, memory, threads, srs: &srs }.run()
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
