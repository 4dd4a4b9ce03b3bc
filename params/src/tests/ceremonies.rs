//! What is said of ceremonies is said once, and agrees with itself.

use std::collections::HashSet;

use crate::{Format, KnownFile, KnownSrs, KNOWN};

/// All files of all ceremonies.
fn files() -> impl Iterator<Item = &'static KnownFile> {
    KNOWN.iter().flat_map(|known| [Some(&known.file), known.g2.as_ref()]).flatten()
}

#[test]
fn nothing_stands_twice() {
    assert_eq!(KNOWN.iter().map(|known| known.name).collect::<HashSet<_>>().len(), KNOWN.len());
    let count = files().count();
    assert_eq!(files().map(|file| file.url).collect::<HashSet<_>>().len(), count);
    assert_eq!(files().map(|file| file.sha256).collect::<HashSet<_>>().len(), count);
    assert!(files().all(|file| file.url.starts_with("https://")));
    assert!(KNOWN.is_sorted_by_key(|known| known.k));
    for known in &KNOWN {
        assert_eq!(KnownSrs::named(known.name), Some(known));
    }
    assert_eq!(KnownSrs::named("ppot"), None);
}

/// By the layouts of the formats; the lengths of `.ptau` that others have published are the same.
#[test]
fn powers_go_with_lengths() {
    for known in &KNOWN {
        let KnownSrs { k, powers, file, g2, format, .. } = *known;
        assert_eq!(powers.ilog2(), if format == Format::SnarkjsPtau { k } else { 19 });
        let number: u32 = known.name.rsplit('-').next().unwrap().parse().unwrap();
        assert_eq!(number, k);
        match format {
            Format::SnarkjsPtau => {
                assert_eq!(known.largest_degree(), k, "the further powers are there");
                assert!(g2.is_none() && file.url.ends_with(&format!("ppot_0080_{k}.ptau")));
            }
            _ => {
                assert_eq!(known.largest_degree(), k - 1, "none are further than all");
                assert_eq!((file.bytes, g2.unwrap().bytes), (32 * powers, 64 * powers));
            }
        }
    }
    for (name, bytes) in [
        ("ppot-13", 9_530_514),
        ("ppot-14", 18_967_698),
        ("ppot-16", 75_590_802),
        ("ppot-17", 151_088_274),
        ("ppot-18", 302_083_218),
        ("ppot-20", 1_208_052_882),
    ] {
        assert_eq!(KnownSrs::named(name).unwrap().file.bytes, bytes, "{name}");
    }
}
