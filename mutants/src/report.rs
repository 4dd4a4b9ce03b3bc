//! What came of all places.

use std::{collections::BTreeMap, fmt::Write, path::Path};

use crate::{
    binaries,
    error::Error,
    place::{Place, Sources},
    search::Verdict,
    survivors::Survivors,
};

/// Of a place that no test noticed.
const NOBODY: &str = "NOT NOTICED";
/// Of a place of which not all tests were asked.
const OPEN: &str = "UNDECIDED";

/// Writes a line a place: the test that noticed, or none.
pub(crate) fn write(path: &Path, verdicts: &[Verdict], sources: &Sources) -> Result<(), Error> {
    let file = |source| Error::File { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(file)?;
    }
    std::fs::write(path, text(verdicts, sources)).map_err(file)
}

fn text(verdicts: &[Verdict], sources: &Sources) -> String {
    let mut text = String::new();
    for Verdict { place, noticed, is_open } in verdicts {
        let none = if *is_open { OPEN } else { NOBODY };
        let by = noticed.as_deref().unwrap_or(none);
        writeln!(text, "{place}\t{by}\t{}", sources.code(place)).expect("a string takes all");
    }
    text
}

/// Reads what [`write()`] wrote.
pub(crate) fn read(path: &Path) -> Result<Vec<Verdict>, Error> {
    let file = |source| Error::File { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(file)?;
    Ok(text.lines().filter_map(verdict).collect())
}

/// What a line says.
fn verdict(line: &str) -> Option<Verdict> {
    let mut columns = line.split('\t');
    let (place, by) = (Place::parse(columns.next()?)?, columns.next()?);
    let noticed = (![NOBODY, OPEN].contains(&by)).then(|| by.to_owned());
    Some(Verdict { place, noticed, is_open: by == OPEN })
}

/// Prints what is not as it should be; whether all is. Where the run `is_whole`, a known survivor that
/// was noticed after all is not.
pub(crate) fn summarize(
    verdicts: &[Verdict],
    survivors: &Survivors,
    sources: &Sources,
    is_whole: bool,
) -> bool {
    let (mut forged, mut determinism, mut left, mut open) = (0, vec![], vec![], 0);
    for Verdict { place, noticed, is_open } in verdicts {
        match noticed {
            Some(test) if binaries::is_determinism(test) => determinism.push(place),
            Some(_) => forged += 1,
            None if *is_open => open += 1,
            None => left.push(place),
        }
    }
    let is_unknown = |place: &&Place| survivors.find(place, sources).is_none();
    let unknown: Vec<_> = left.iter().copied().filter(is_unknown).collect();
    println!("{} places were dropped:", verdicts.len());
    println!("{forged} are noticed by forged witnesses");
    println!("{} by the determinism of cells alone:", determinism.len());
    let mut lines = BTreeMap::<_, usize>::new();
    for place in determinism {
        let line = format!("  {}: {} of `{}`", place.file(), place.what(), sources.code(place));
        *lines.entry(line).or_default() += 1;
    }
    lines.iter().for_each(|(line, count)| println!("{line} ({count})"));
    println!("{} are known survivors", left.len() - unknown.len());
    println!("{open} are not decided in the time of a sample");
    println!("{} by nothing", unknown.len());
    for place in &unknown {
        println!("  {place}: `{}`", sources.code(place));
    }
    let stale = if is_whole { survivors.stale(&left, sources) } else { vec![] };
    for survivor in &stale {
        println!("  no survivor any more: {survivor} ({})", survivor.reason);
    }
    unknown.is_empty() && stale.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "a.rs:2:5|copy|3\tmuster-a tests::b\tg();\n";

    fn sources() -> Sources {
        Sources::of([("a.rs", "f();\n  g();".to_owned())].into_iter())
    }

    #[test]
    fn a_report_there_and_back() {
        let text = LINE.to_owned()
            + "a.rs:2:5|copy|4\tNOT NOTICED\tg();\na.rs:2:5|copy|5\tUNDECIDED\tg();\n";
        let verdicts: Vec<_> = text.lines().filter_map(verdict).collect();
        let of = |verdict: &Verdict| (verdict.noticed.clone(), verdict.is_open);
        let expected = [(Some("muster-a tests::b".to_owned()), false), (None, false), (None, true)];
        assert_eq!(verdicts.iter().map(of).collect::<Vec<_>>(), expected);
        assert_eq!(super::text(&verdicts, &sources()), text);
    }

    #[test]
    fn lines_that_are_cut_off_are_nothing() {
        for line in ["", "a.rs:2:5|copy|3", "a.rs:2:5|co\tmuster-a tests::b\tg();"] {
            assert_eq!(verdict(line), None, "{line}");
        }
    }

    #[test]
    fn only_a_whole_run_says_that_a_survivor_is_noticed() {
        let json =
            r#"[{"file": "a.rs", "code": "g();", "what": "copy", "parts": [3], "reason": ""}]"#;
        let survivors = Survivors::of(json);
        let noticed: Vec<_> = LINE.lines().filter_map(verdict).collect();
        assert!(!summarize(&noticed, &survivors, &sources(), true));
        assert!(summarize(&noticed, &survivors, &sources(), false));
        let left = |part: usize| {
            let place = Place::parse(&format!("a.rs:2:5|copy|{part}")).expect("a place");
            Verdict { place, noticed: None, is_open: false }
        };
        assert!(summarize(&[left(3)], &survivors, &sources(), true));
        assert!(!summarize(&[left(3), left(4)], &survivors, &sources(), true));
    }
}
