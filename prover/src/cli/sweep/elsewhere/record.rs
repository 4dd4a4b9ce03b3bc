//! What the task of a row leaves: a file with what was measured and the machine.

use std::{collections::BTreeSet, fs, io, io::Write, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::{
    cli::sweep::{args::RowArgs, child::Job, row::Measured, supply::Supply},
    input,
    sweep::Machine,
    Error,
};

/// The longest file: one has some kilobytes.
const LIMIT: u64 = 1 << 20;

/// What a row's process is asked for, as its arguments say it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// The circuit.
    pub(super) shape: Value,
    /// How many sign, of how many.
    pub(super) case: String,
    /// Number of proofs.
    pub(super) repeat: usize,
    /// Hash of the transcript.
    pub(super) transcript: String,
    /// What is kept between the proofs.
    pub(super) memory: String,
}

/// The file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// What was asked for.
    pub(super) asked: Asked,
    /// Where it ran.
    pub(super) machine: Machine,
    /// What was measured, if all went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured: Option<Measured>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<String>,
}

impl Record {
    /// Reads the file of a row that is `asked` for, if it is there.
    ///
    /// # Errors
    ///
    /// [`Error::File`] and [`Error::Field`] for a file that is malformed, or of another row.
    pub(super) fn read(path: &Path, asked: &Asked) -> Result<Option<Self>, Error> {
        let bytes = match input::read(path, LIMIT) {
            Ok(bytes) => bytes,
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(None)
            }
            Err(error) => return Err(error),
        };
        let record: Self = input::parse(path, &bytes)?;
        record.check(path, asked)?;
        Ok(Some(record))
    }

    fn check(&self, path: &Path, asked: &Asked) -> Result<(), Error> {
        let refused = |at: &str, reason: String| Err(Error::field(path, at, reason));
        let (found, wanted) = (&self.asked, asked);
        let values = [
            ("case", &found.case, &wanted.case),
            ("transcript", &found.transcript, &wanted.transcript),
            ("memory", &found.memory, &wanted.memory),
        ];
        for (name, found, wanted) in values {
            if found != wanted {
                let reason = format!("{found}, but the sweep asks for {wanted}");
                return refused(&format!("asked.{name}"), reason);
            }
        }
        if found.repeat != wanted.repeat {
            let reason = format!("{}, but the sweep asks for {}", found.repeat, wanted.repeat);
            return refused("asked.repeat", reason);
        }
        if found.shape != wanted.shape {
            return refused("asked.shape", "another circuit than that of the sweep".to_owned());
        }
        match (&self.measured, &self.failed) {
            (Some(measured), None) => check_times(path, measured),
            (None, Some(_)) => Ok(()),
            (None, None) => refused("measured", "missing, and so is `failed`".to_owned()),
            (Some(_), Some(_)) => refused("failed", "it is measured, too".to_owned()),
        }
    }

    /// Writes the file, whole or not at all. Other tasks write to the same directory, on other machines: nothing but this
    /// file and its own temporary one is touched.
    fn write(&self, path: &Path) -> Result<(), Error> {
        let dir = path.parent().unwrap_or(Path::new("."));
        let json = serde_json::to_vec_pretty(self)
            .map_err(|error| Error::file(path, error.to_string()))?;
        let written = (|| {
            let mut file = NamedTempFile::new_in(dir)?;
            file.write_all(&json)?;
            file.write_all(b"\n")?;
            file.as_file().sync_all()?;
            file.persist(path).map_err(|error| error.error)
        })();
        written.map(|_| ()).map_err(Error::io(path))
    }
}

/// Times are positive: whatever is drawn and divided later.
fn check_times(path: &Path, measured: &Measured) -> Result<(), Error> {
    let times = [
        ("keygen_s", measured.keygen_s),
        ("prove_s", measured.prove_s),
        ("verify_s", measured.verify_s),
    ];
    match times.iter().find(|(_, seconds)| *seconds <= 0.0 || !seconds.is_finite()) {
        Some((name, seconds)) => {
            Err(Error::field(path, format!("measured.{name}"), format!("{seconds} is no time")))
        }
        None => Ok(()),
    }
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
    let (measured, failed) = match outcome {
        Ok(measured) => (Some(measured), None),
        Err(reason) => (None, Some(reason)),
    };
    let record = Record { asked, machine: Machine::this(), measured, failed };
    record.write(path)?;
    match record.failed {
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
