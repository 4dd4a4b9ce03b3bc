//! Questions over HTTP.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use ureq::Agent;

use crate::fault::Fault;

/// How long a node may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// More than any answer has.
const LIMIT: u64 = 1 << 24;

/// The answer to a question; with a body if it is a POST.
pub(crate) fn http(url: &str, body: Option<&str>) -> Result<String, ureq::Error> {
    let settings =
        Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
    let agent: Agent = settings.build().into();
    let mut response = match body {
        None => agent.get(url).call()?,
        Some(body) => agent.post(url).header("content-type", "application/json").send(body)?,
    };
    response.body_mut().with_config().limit(LIMIT).read_to_string()
}

/// A node of the network that is followed. Whatever it says is believed once it is proven.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    url: String,
}

impl Node {
    pub(crate) fn new(url: &str) -> Self {
        Self { url: url.trim_end_matches('/').to_owned() }
    }

    /// Its answer.
    pub(crate) fn get(&self, path: &str) -> Result<String, Fault> {
        http(&format!("{}/{path}", self.url), None)
            .map_err(|error| Fault::Source(format!("{path}: {error}")))
    }
}

/// Writes a file, all of it or nothing.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Fault> {
    let dir = path.parent().map_or_else(PathBuf::new, Into::into);
    let written = || -> io::Result<()> {
        fs::create_dir_all(&dir)?;
        let mut file = tempfile::NamedTempFile::new_in(&dir)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    written().map_err(|error| Fault::Chain(format!("{}: {error}", path.display())))
}
