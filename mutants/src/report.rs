//! What came of all places.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
    path::Path,
};

use crate::{error::Error, place::Sources, search::Verdict, survivors::Survivors};

/// Writes a line a place: the test that noticed, or none.
pub(crate) fn write(path: &Path, verdicts: &[Verdict]) -> Result<(), Error> {
    let mut sources = Sources::default();
    let mut text = String::new();
    for Verdict { place, noticed, is_open } in verdicts {
        let none = if *is_open { "UNDECIDED" } else { "NOT NOTICED" };
        let by = noticed.as_ref().map_or_else(|| none.to_owned(), |test| test.title());
        let code = sources.code(place);
        writeln!(text, "{place}\t{by}\t{code}").expect("a string takes all");
    }
    let file = |source| Error::File { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(file)?;
    }
    std::fs::write(path, text).map_err(file)
}

/// Reads what [`write()`] wrote: the places that a test noticed, each with its title.
pub(crate) fn read(path: &Path) -> Result<HashMap<String, String>, Error> {
    let file = |source| Error::File { path: path.to_owned(), source };
    let text = std::fs::read_to_string(path).map_err(file)?;
    let mut noticed = HashMap::new();
    for line in text.lines() {
        let mut parts = line.split('\t');
        if let (Some(place), Some(by)) = (parts.next(), parts.next()) {
            noticed.insert(place.to_owned(), by.to_owned());
        }
    }
    Ok(noticed)
}

/// Prints what is not as it should be; whether all is. Where the run `is_whole`, a known survivor that
/// was noticed after all is not.
pub(crate) fn summarize(verdicts: &[Verdict], survivors: &Survivors, is_whole: bool) -> bool {
    let mut sources = Sources::default();
    let mut seen = vec![false; survivors.all().len()];
    let (mut forged, mut determinism, mut known) = (0, vec![], 0);
    let (mut unknown, mut open) = (vec![], 0);
    for Verdict { place, noticed, is_open } in verdicts {
        match noticed {
            Some(test) if test.is_determinism() => determinism.push(place),
            Some(_) => forged += 1,
            None if *is_open => open += 1,
            None => match survivors.find(place, &mut sources) {
                Some(number) => {
                    seen[number] = true;
                    known += 1;
                }
                None => unknown.push(place),
            },
        }
    }
    println!("{} places were dropped:", verdicts.len());
    println!("{forged} are noticed by forged witnesses");
    println!("{} by the determinism of cells alone:", determinism.len());
    let mut lines = BTreeMap::<_, usize>::new();
    for place in determinism {
        let line = format!("  {}: {} of `{}`", place.file(), place.what(), sources.code(place));
        *lines.entry(line).or_default() += 1;
    }
    lines.iter().for_each(|(line, count)| println!("{line} ({count})"));
    println!("{known} are known survivors");
    println!("{open} are not decided in the time of a sample");
    println!("{} by nothing", unknown.len());
    for place in &unknown {
        println!("  {place}: `{}`", sources.code(place));
    }
    let stale = survivors.all().iter().zip(&seen).filter(|(_, seen)| is_whole && !**seen);
    let stale: Vec<_> = stale.map(|(survivor, _)| survivor).collect();
    for survivor in &stale {
        println!("  no survivor any more: {survivor} ({})", survivor.reason);
    }
    unknown.is_empty() && stale.is_empty()
}
