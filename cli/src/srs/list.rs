//! `muster srs list`.

use muster_params::{KnownFile, KnownSrs, Origin, SrsCache, FURTHER, KNOWN, MAX_K};
use muster_prover::encoding::to_hex;
use serde_json::{json, Value};

use crate::{
    report::{self, Report},
    srs_args::ceremony,
    table,
};

/// The ceremonies whose files are known, with at least 2^`degree` powers and those that proofs take beside them; and what
/// is in the cache.
pub(super) fn list(degree: Option<u32>) -> Report {
    let is_enough =
        |known: &&KnownSrs| degree.is_none_or(|degree| degree <= known.largest_degree());
    let known: Vec<_> = KNOWN.iter().filter(is_enough).collect();
    let cache = SrsCache::from_env();
    let here = cached(&cache);
    let mut text: String = known.iter().map(|known| to_text(known)).collect();
    if known.is_empty() {
        text = "none has that many powers\n".into();
    }
    text += &format!("\nin {}: ", cache.dir().display());
    let words = |(k, insecure): &(u32, bool)| {
        format!("2^{k}{}", if *insecure { " (INSECURE)" } else { "" })
    };
    text += &if here.is_empty() { "nothing".into() } else { report::list(here.iter().map(words)) };
    let here = here.iter().map(|(k, insecure)| json!({ "degree": k, "insecure": insecure }));
    let json = json!({
        "known": known.iter().map(|known| to_json(known)).collect::<Vec<_>>(),
        "cache": cache.dir(),
        "cached": here.collect::<Vec<_>>(),
    });
    Report { text, json }
}

/// The degrees of the SRS in a cache, and whether each is insecure.
fn cached(cache: &SrsCache) -> Vec<(u32, bool)> {
    let kinds = |k| [(k, false), (k, true)];
    let is_there = |(k, insecure): &(u32, bool)| {
        let insecure = insecure.then(|| cache.path(*k, &Origin::Insecure));
        insecure.unwrap_or_else(|| ceremony(cache, *k)).exists()
    };
    (1..=MAX_K).flat_map(kinds).filter(is_there).collect()
}

fn to_text(known: &KnownSrs) -> String {
    let files = || [Some(&known.file), known.g2.as_ref()].into_iter().flatten();
    let bytes: u64 = files().map(|file| file.bytes).sum();
    let mut rows = vec![
        ("ceremony", known.ceremony.to_owned()),
        ("powers", format!("{}, in {}", known.powers, known.format)),
        ("enough for", enough(known)),
        ("size", table::bytes(bytes)),
    ];
    rows.extend(
        files().flat_map(|file| [("from", file.url.to_owned()), ("SHA-256", to_hex(&file.sha256))]),
    );
    format!("{}\n{}", known.name, table::table(&rows))
}

/// For which circuits.
fn enough(known: &KnownSrs) -> String {
    let degree = known.largest_degree();
    format!(
        "fast proofs over up to 2^{degree} rows; compact ones over n rows with a stride of up to {} / (n + {FURTHER}) \
         (keygen --stride)",
        known.powers
    )
}

fn to_json(known: &KnownSrs) -> Value {
    let file = |file: &KnownFile| json!({ "url": file.url, "sha256": to_hex(&file.sha256), "bytes": file.bytes });
    json!({
        "name": known.name,
        "ceremony": known.ceremony,
        "degree": known.k,
        "powers": known.powers,
        "largest_degree": known.largest_degree(),
        "format": known.format,
        "file": file(&known.file),
        "g2": known.g2.as_ref().map(file),
    })
}
