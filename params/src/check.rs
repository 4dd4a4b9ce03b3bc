//! `muster srs check FILE`.

use std::{fmt, path::Path};

use serde::Serialize;

use crate::{
    error::ParamsError,
    import,
    origin::{hex32, Format, Origin, SourceFile},
    srs::INSECURE_WARNING,
};

/// What a file holds, after all checks have passed.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Format of the file.
    pub format: Format,
    /// log₂ of the number of G1 powers checked.
    pub k: u32,
    /// What the file says about its origin; for a foreign format, the file itself.
    pub origin: Origin,
    /// Whether the origin is [`Origin::Insecure`].
    pub insecure: bool,
    /// [`crate::Srs::digest`] of the SRS of `2^k` powers; `0x` hex in JSON.
    #[serde(with = "hex32")]
    pub digest: [u8; 32],
}

/// Runs every check of an import on a file in any format, and reports what it is. `g2` is the
/// second file of a `.point` pair. With `k` only the first `2^k` powers are checked.
///
/// # Errors
/// Those of [`import::auto`].
pub fn check(path: &Path, g2: Option<&Path>, k: Option<u32>) -> Result<Report, ParamsError> {
    let format = import::detect(path)?;
    let srs = import::auto(path, g2, k)?;
    Ok(Report {
        format,
        k: srs.k(),
        insecure: srs.is_insecure(),
        digest: srs.digest(),
        origin: srs.origin().clone(),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |f: &mut fmt::Formatter<'_>, file: &SourceFile| {
            writeln!(f, "sha256  0x{}  {:?}", hex::encode(file.sha256), file.name)
        };
        writeln!(f, "format  {}", self.format)?;
        writeln!(f, "k       {} (2^{} = {} powers)", self.k, self.k, 1u64 << self.k)?;
        writeln!(f, "digest  0x{}", hex::encode(self.digest))?;
        match &self.origin {
            Origin::Insecure => writeln!(f, "origin  {INSECURE_WARNING}")?,
            Origin::Ceremony { format, file: g1, g2_file } => {
                writeln!(f, "origin  {format}; compare with the hash the ceremony published:")?;
                file(f, g1)?;
                if let Some(g2) = g2_file {
                    file(f, g2)?;
                }
            }
        }
        f.write_str("valid   points, generators, powers of tau, Lagrange points")
    }
}
