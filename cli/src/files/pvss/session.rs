//! `session.json`: who takes part, with what weights, for which threshold and purpose.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use muster_prover::{
    encoding::{from_hex, to_hex},
    input,
    output::write_file,
    Number,
};
use muster_threshold::{
    dkg::{Ceremony, Fraction},
    pvss::{KeyBundle, Parameters, Session, Shape, Srs, Variant},
};
use serde::{Deserialize, Serialize};

use super::{exact, fault, PublicFile, BINARY_LIMIT};
use crate::{progress::Progress, Error};

/// A session as its file holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionFile {
    variant: String,
    chunk_bits: u32,
    threshold: usize,
    weights: Vec<u32>,
    epoch: u64,
    label: String,
    /// The file of the reference string: by this name or, if that is no file, beside the session's file.
    srs: PathBuf,
    srs_digest: String,
    insecure_srs: bool,
    /// The file that keeps the Lagrange points, found in the same way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lagrange: Option<PathBuf>,
    players: Vec<PublicFile>,
    /// Stakes of a key generation; if absent, the weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stakes: Option<Vec<Number<u64>>>,
}

impl SessionFile {
    /// The content of a session's file.
    pub fn new(
        session: &Session,
        srs: &Path,
        lagrange: Option<PathBuf>,
        players: &[KeyBundle],
        stakes: Option<Vec<u64>>,
    ) -> Self {
        let shape = session.shape();
        Self {
            variant: shape.variant().to_string(),
            chunk_bits: shape.chunk_bits(),
            threshold: shape.threshold(),
            weights: shape.weights().to_vec(),
            epoch: session.epoch(),
            label: to_hex(session.label()),
            srs: srs.to_path_buf(),
            srs_digest: to_hex(session.parameters().digest()),
            insecure_srs: session.parameters().is_insecure(),
            lagrange,
            players: players.iter().map(PublicFile::new).collect(),
            stakes: stakes.map(|stakes| stakes.into_iter().map(Number).collect()),
        }
    }

    /// The session: every key is checked, and the reference string is the one that the file names.
    ///
    /// # Errors
    ///
    /// Those of reading files, [`muster_prover::Error::Field`], or [`Error::BadThresholdSignature`] for a key without
    /// a proof of possession.
    pub fn open(&self, path: &Path) -> Result<Session, Error> {
        let variant = self.variant.parse::<Variant>();
        let variant = variant.map_err(|reason| Error::field(path, "variant", reason))?;
        let shape = Shape::new(variant, self.chunk_bits, self.threshold, &self.weights)
            .map_err(fault(path))?;
        let found = |name: &PathBuf| {
            if name.is_file() {
                name.clone()
            } else {
                path.parent().unwrap_or(Path::new("")).join(name)
            }
        };
        let srs = found(&self.srs);
        let string = read_srs(&srs)?;
        if string.digest() != exact::<32>(path, "srs_digest", &self.srs_digest)? {
            return Err(Error::field(path, "srs_digest", "differs from that of the file"));
        }
        // Whoever made the session chose the name: what is there is read and checked, and nothing is written.
        let kept = self.lagrange.as_ref().map(found).filter(|kept| kept.is_file());
        let parameters = match kept {
            Some(kept) => read_parameters(&string, shape.domain(), &kept)?,
            None => Parameters::new(&string, shape.domain()).map_err(fault(&srs))?,
        };
        let decode = |player: &PublicFile| player.decode(path);
        let players = self.players.iter().map(decode).collect::<Result<Vec<_>, _>>()?;
        let label = from_hex(&self.label).map_err(|reason| Error::field(path, "label", reason))?;
        Session::new(shape, &players, parameters, self.epoch, &label).map_err(fault(path))
    }

    /// The key generation of the session.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], or [`muster_prover::Error::Field`] for stakes that do not fit.
    pub fn ceremony(
        &self,
        path: &Path,
        contributors: Fraction,
        attesters: Fraction,
    ) -> Result<Ceremony, Error> {
        let session = Arc::new(self.open(path)?);
        let stakes: Vec<u64> = match &self.stakes {
            Some(stakes) => stakes.iter().map(|Number(stake)| *stake).collect(),
            None => self.weights.iter().map(|weight| u64::from(*weight)).collect(),
        };
        Ceremony::new(session, &stakes, contributors, attesters)
            .map_err(|found| Error::field(path, "stakes", found))
    }
}

/// Parameters with the Lagrange points in a file, which is made if it does not exist.
pub(crate) fn kept_parameters(
    string: &Srs,
    domain: usize,
    (srs, kept): (&Path, &Path),
) -> Result<Arc<Parameters>, Error> {
    if kept.is_file() {
        return read_parameters(string, domain, kept);
    }
    let make = || Parameters::new(string, domain);
    let made = Progress::new().run("making the Lagrange points", make).map_err(fault(srs))?;
    write_file(kept, &made.lagrange_bytes(), false)?;
    Ok(made)
}

fn read_parameters(string: &Srs, domain: usize, kept: &Path) -> Result<Arc<Parameters>, Error> {
    let bytes = input::read(kept, BINARY_LIMIT)?;
    Parameters::from_kept(string, domain, &bytes).map_err(fault(kept))
}

/// Reads a reference string; its points are in their groups.
pub(crate) fn read_srs(path: &Path) -> Result<Srs, Error> {
    Srs::from_bytes(&input::read(path, BINARY_LIMIT)?).map_err(fault(path))
}
