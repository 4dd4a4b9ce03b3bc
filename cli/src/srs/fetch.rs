//! `muster srs fetch`: a file from a ceremony, held against the hash that is pinned.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

use indicatif::ProgressBar;
use muster_params::{import, KnownFile, KnownSrs, Origin, ParamsError, Srs, SrsCache};
use sha2::{Digest, Sha256};
use ureq::{
    http::{header, Response, StatusCode},
    Agent, Body,
};

use crate::{progress::Progress, Error};

/// How often a connection that breaks is made again.
const ATTEMPTS: usize = 3;
/// How long a server may say nothing.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes read at once.
const BUFFER: usize = 1 << 16;

/// Where files come from, if not from where they are published.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct From {
    /// Get the file from here instead: the hash that it must have stays the same.
    #[arg(long, value_name = "URL")]
    from: Option<String>,
    /// The same for the second file of a .point pair.
    #[arg(long, value_name = "URL")]
    from_g2: Option<String>,
}

/// Gets the files, checks their hashes, and imports them; unless there is an SRS of this degree already.
pub(super) fn fetch(
    (known, from): (&KnownSrs, &From),
    (degree, force): (Option<u32>, bool),
    progress: &Progress,
) -> Result<Srs, Error> {
    let cache = SrsCache::from_env();
    let origin =
        Origin::Ceremony { format: known.format, file: source(&known.file), g2_file: None };
    let path = cache.path(degree.unwrap_or(known.k), &origin);
    if path.exists() && !force {
        return Err(ParamsError::AlreadyExists { path }.into());
    }
    if let Some(k) = degree.filter(|k| known.powers.checked_shr(*k).unwrap_or(0) == 0) {
        let path = known.name.into();
        return Err(ParamsError::NotEnoughPoints { path, k, found: known.powers }.into());
    }
    let get = |file: &KnownFile, from: &Option<String>| {
        Download { file, url: from.as_deref().unwrap_or(file.url) }.run(cache.dir(), progress)
    };
    let file = get(&known.file, &from.from)?;
    let g2 = known.g2.as_ref().map(|g2| get(g2, &from.from_g2)).transpose()?;
    let what = format!("reading and checking {}", file.display());
    let srs = progress.run(&what, || import::auto(&file, g2.as_deref(), degree))?;
    if !is_of(srs.origin(), known) {
        let reason = "another file is there than the one whose hash was compared: try again";
        return Err(Error::file(&file, reason));
    }
    // What was made of them is kept, and all of it can be had again.
    [Some(&file), g2.as_ref()].into_iter().flatten().for_each(|file| remove(file));
    Ok(srs)
}

/// Whether what was read is what is known: between the comparison of a file's hash and its reading somebody may have put another
/// there, of whatever format.
pub(super) fn is_of(origin: &Origin, known: &KnownSrs) -> bool {
    let Origin::Ceremony { format, file, g2_file } = origin else { return false };
    let hash = |file: &KnownFile| file.sha256;
    *format == known.format
        && file.sha256 == known.file.sha256
        && g2_file.as_ref().map(|file| file.sha256) == known.g2.as_ref().map(hash)
}

fn source(file: &KnownFile) -> muster_params::SourceFile {
    muster_params::SourceFile { name: name(file.url).into(), sha256: file.sha256 }
}

/// What a file is called where it is published.
fn name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or(url)
}

/// Removes a file, and its folder.
fn remove(file: &Path) {
    drop(fs::remove_file(file));
    drop(file.parent().map(fs::remove_dir));
}

/// A file that is known, and where it comes from.
pub(super) struct Download<'a> {
    pub(super) file: &'a KnownFile,
    pub(super) url: &'a str,
}

/// Why a connection gave no more.
enum Ended {
    /// Another one may go on.
    Broken(io::Error),
    /// No other would.
    Refused(String),
}

impl Download<'_> {
    /// The file, below `dir`, of which a broken run may have left a part. Its hash is the one that is pinned: a
    /// server that does not give the file, or another one, is an error.
    pub(super) fn run(&self, dir: &Path, progress: &Progress) -> Result<PathBuf, Error> {
        let hash = hex::encode(self.file.sha256);
        let folder = dir.join(format!(".muster-fetch-{}", &hash[..16]));
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        let path = folder.join(name(self.file.url));
        let mut file = locked(&path)?;
        let bar = progress.bytes(&format!("getting {}", self.url), self.file.bytes);
        let got = self.get(&mut file, &bar);
        bar.finish_and_clear();
        got.map_err(|error| self.located(&path, error))?;
        let what = format!("comparing the SHA-256 of {}", path.display());
        let found = progress.run(&what, || sha256(&mut file)).map_err(Error::io(&path))?;
        if found != self.file.sha256 {
            remove(&path);
            let (url, found) = (self.url, hex::encode(found));
            return Err(Error::usage(format!(
                "{url}: its SHA-256 is 0x{found}, not 0x{hash} as published: it was removed"
            )));
        }
        Ok(path)
    }

    /// Makes connections until all is there.
    fn get(&self, file: &mut File, bar: &ProgressBar) -> Result<(), Ended> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let length = file.seek(SeekFrom::End(0)).map_err(Ended::Broken)?;
            if length == self.file.bytes {
                return Ok(());
            }
            match self.connect(file, length, bar) {
                Ok(()) => return Ok(()),
                Err(Ended::Broken(error)) => last = Some(error),
                refused => return refused,
            }
        }
        Err(Ended::Broken(last.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into())))
    }

    /// One connection, which goes on from `length` if the server can.
    fn connect(&self, file: &mut File, length: u64, bar: &ProgressBar) -> Result<(), Ended> {
        let mut request = agent().get(self.url);
        if length > 0 {
            request = request.header(header::RANGE, format!("bytes={length}-"));
        }
        let mut response = request.call().map_err(ended)?;
        let start = match response.status() {
            StatusCode::PARTIAL_CONTENT if starts_at(&response, length) => length,
            StatusCode::OK => 0,
            // Of a part that is longer than the file, or that the server does not know of.
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if length > 0 => {
                file.set_len(0).map_err(Ended::Broken)?;
                return Err(Ended::Broken(io::Error::other("the server cannot go on from there")));
            }
            status => return Err(Ended::Refused(format!("the server says {status}"))),
        };
        file.set_len(start)
            .and_then(|()| file.seek(SeekFrom::Start(start)))
            .map_err(Ended::Broken)?;
        bar.set_position(start);
        let missing = self.file.bytes.saturating_sub(start);
        // One byte more shows a file that is longer.
        let body = bar.wrap_read(response.body_mut().as_reader().take(missing + 1));
        let came = io::copy(&mut BufReader::with_capacity(BUFFER, body), file);
        let came = came.map_err(Ended::Broken)?;
        file.sync_all().map_err(Ended::Broken)?;
        if came > missing {
            file.set_len(0).map_err(Ended::Broken)?;
            return Err(Ended::Refused(format!("more than {} bytes", self.file.bytes)));
        }
        if came < missing {
            return Err(Ended::Broken(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(())
    }

    fn located(&self, path: &Path, error: Ended) -> Error {
        let (url, bytes) = (self.url, self.file.bytes);
        let there = fs::metadata(path).map_or(0, |found| found.len());
        if there == 0 {
            remove(path);
        }
        Error::usage(match error {
            Ended::Refused(reason) => format!("{url}: {reason}"),
            Ended::Broken(error) => format!(
                "{url}: {error}; {there} of {bytes} bytes are there, and the same command goes on from there"
            ),
        })
    }
}

fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_per_read(Some(PATIENCE));
    config.build().into()
}

/// What is wrong with a connection before anything came.
fn ended(error: ureq::Error) -> Ended {
    match error {
        ureq::Error::Io(error) => Ended::Broken(error),
        ureq::Error::Timeout(_) => Ended::Broken(io::Error::other(error.to_string())),
        other => Ended::Refused(other.to_string()),
    }
}

/// Whether a part begins where the file ends.
fn starts_at(response: &Response<Body>, length: u64) -> bool {
    let range = response.headers().get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
    range.is_some_and(|range| range.starts_with(&format!("bytes {length}-")))
}

/// The file, which no other process fills.
fn locked(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(Error::io(path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::file(path, "another process is getting it")),
        // If there are no locks, nobody else has one.
        _ => Ok(file),
    }
}

fn sha256(file: &mut File) -> io::Result<[u8; 32]> {
    file.rewind()?;
    let mut hash = Sha256::new();
    io::copy(&mut BufReader::with_capacity(BUFFER, file), &mut hash)?;
    Ok(hash.finalize().into())
}
