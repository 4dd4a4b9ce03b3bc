//! `muster srs check FILE`.

use std::{fmt, path::Path};

use serde::Serialize;

use crate::{
    error::{ParamsError, FURTHER},
    import,
    origin::{hex32, Format, Origin, SourceFile},
    srs::INSECURE_WARNING,
    stored::{self, Imported},
};

/// What a file holds, after all checks have passed.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Format of the file.
    pub format: Format,
    /// log₂ of the number of G1 powers checked.
    pub k: u32,
    /// How many [further powers](crate::Srs::further_powers) were found and checked: [`FURTHER`] or 0.
    pub further: usize,
    /// The file itself, with its computed hash, or [`Origin::Insecure`] if it says so.
    pub origin: Origin,
    /// Where a stored muster SRS claims to be from. Nothing here proves that, so its hash is not repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<String>,
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
    let Imported { srs, claimed } = if format == Format::Muster {
        stored::import(path, k)?
    } else {
        Imported { srs: import::auto(path, g2, k)?, claimed: None }
    };
    Ok(Report {
        format,
        k: srs.k(),
        further: srs.further_powers().len(),
        insecure: srs.is_insecure(),
        digest: srs.digest(),
        origin: srs.origin().clone(),
        claims: claimed.map(|origin| origin.to_string()),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |f: &mut fmt::Formatter<'_>, file: &SourceFile| {
            writeln!(f, "sha256  0x{}  {:?}", hex::encode(file.sha256), file.name)
        };
        writeln!(f, "format  {}", self.format)?;
        writeln!(f, "k       {} (2^{} = {} powers)", self.k, self.k, 1u64 << self.k)?;
        if self.further == 0 {
            writeln!(
                f,
                "further none: too short at this k for provers that need 2^k + {FURTHER} powers"
            )?;
        } else {
            writeln!(f, "further {} powers, for provers that need 2^k + {FURTHER}", self.further)?;
        }
        writeln!(f, "digest  0x{}", hex::encode(self.digest))?;
        match &self.origin {
            Origin::Insecure => writeln!(f, "origin  {INSECURE_WARNING}")?,
            Origin::Ceremony { format, file: g1, g2_file } => {
                let advice = if self.origin.is_claimed() {
                    "no ceremony publishes such a file; compare the digest with one that you trust:"
                } else {
                    "compare with the hash the ceremony published:"
                };
                writeln!(f, "origin  {format}; {advice}")?;
                file(f, g1)?;
                if let Some(g2) = g2_file {
                    file(f, g2)?;
                }
            }
        }
        if let Some(claims) = &self.claims {
            writeln!(f, "claims  to be from {claims}; nothing proves it: check that file")?;
        }
        f.write_str("valid   points, generators, powers of tau, Lagrange points")
    }
}
