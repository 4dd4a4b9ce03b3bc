//! The survivors that are known.

use std::{collections::BTreeSet, path::Path};

use serde::Deserialize;

use crate::{
    error::Error,
    parts::Parts,
    place::{Place, Sources},
};

/// Places that no forged witness notices, by their line of code.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Survivor {
    /// The file, from the root of the repository.
    file: String,
    /// The line of code.
    code: String,
    /// What is recorded there.
    what: String,
    /// The parts of it; all, if there is no list.
    parts: Option<BTreeSet<usize>>,
    /// Why nobody can make use of it.
    pub(crate) reason: String,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Survivors(Vec<Survivor>);

impl Survivors {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let file = |source| Error::File { path: path.to_owned(), source };
        let json = |source| Error::Json { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(file)?;
        serde_json::from_str(&text).map(Self).map_err(json)
    }

    /// What a test says that they are.
    #[cfg(test)]
    pub(crate) fn of(json: &str) -> Self {
        Self(serde_json::from_str(json).expect("survivors"))
    }

    /// The number of the survivor that `place` is.
    pub(crate) fn find(&self, place: &Place, sources: &Sources) -> Option<usize> {
        let code = sources.code(place);
        self.0.iter().position(|known| {
            (known.file.as_str(), known.what.as_str()) == (place.file(), place.what())
                && known.code == code
                && known.parts.as_ref().is_none_or(|parts| parts.contains(&place.part()))
        })
    }

    /// Those that are not what they were, if of all places `left` was not noticed: nothing of them is left, or not every
    /// part that they list. Each with the parts that it lists in vain.
    pub(crate) fn stale(&self, left: &[&Place], sources: &Sources) -> Vec<Survivor> {
        let mut found = vec![BTreeSet::new(); self.0.len()];
        for place in left {
            if let Some(number) = self.find(place, sources) {
                found[number].insert(place.part());
            }
        }
        let stale = |(known, found): (&Survivor, &BTreeSet<usize>)| {
            let gone = known.parts.as_ref().map(|parts| parts - found);
            let is_stale = found.is_empty() || gone.as_ref().is_some_and(|gone| !gone.is_empty());
            is_stale.then(|| Survivor { parts: gone, ..known.clone() })
        };
        self.0.iter().zip(&found).filter_map(stale).collect()
    }
}

impl std::fmt::Display for Survivor {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}: {} of `{}`", self.file, self.what, self.code)?;
        match &self.parts {
            Some(parts) => write!(f, ", parts {}", Parts(parts.clone())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "copy(a); // b";

    fn survivors(parts: &str) -> Survivors {
        let json = format!(
            r#"[{{"file": "a.rs", "code": "{CODE}", "what": "copy"{parts}, "reason": "none"}}]"#
        );
        Survivors::of(&json)
    }

    /// The copies of these parts, on a line of their own behind others.
    fn copies(parts: &[usize]) -> (Vec<Place>, Sources) {
        let place = |part| Place::parse(&format!("a.rs:2:5|copy|{part}")).expect("a place");
        let sources = Sources::of([("a.rs", format!("f();\n    {CODE}\n"))].into_iter());
        (parts.iter().map(place).collect(), sources)
    }

    fn forgiven(survivors: &Survivors, parts: &[usize]) -> Vec<usize> {
        let (places, sources) = copies(parts);
        let known = places.iter().filter(|place| survivors.find(place, &sources).is_some());
        known.map(Place::part).collect()
    }

    fn stale(survivors: &Survivors, left: &[usize]) -> Vec<String> {
        let (places, sources) = copies(left);
        let left: Vec<_> = places.iter().collect();
        survivors.stale(&left, &sources).iter().map(Survivor::to_string).collect()
    }

    #[test]
    fn parts_that_are_not_listed_are_not_forgiven() {
        assert_eq!(forgiven(&survivors(r#", "parts": [1, 3]"#), &[0, 1, 2, 3, 4]), [1, 3]);
        assert_eq!(forgiven(&survivors(""), &[0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn other_lines_and_constraints_are_not_forgiven() {
        let (_, sources) = copies(&[]);
        for other in ["a.rs:1:5|copy|0", "a.rs:2:5|gate|0", "b.rs:2:5|copy|0"] {
            let other = Place::parse(other).expect("a place");
            assert_eq!(survivors("").find(&other, &sources), None, "{other}");
        }
    }

    #[test]
    fn a_listed_part_that_is_noticed_is_stale() {
        let listed = survivors(r#", "parts": [1, 3, 4]"#);
        assert!(stale(&listed, &[1, 3, 4]).is_empty());
        assert_eq!(stale(&listed, &[1]), [format!("a.rs: copy of `{CODE}`, parts 3-4")]);
        assert_eq!(stale(&listed, &[0]), [format!("a.rs: copy of `{CODE}`, parts 1,3-4")]);
    }

    #[test]
    fn without_a_list_one_place_that_is_left_is_enough() {
        assert!(stale(&survivors(""), &[7]).is_empty());
        assert_eq!(stale(&survivors(""), &[]), [format!("a.rs: copy of `{CODE}`")]);
        assert_eq!(stale(&survivors(r#", "parts": []"#), &[1]).len(), 1);
    }

    #[test]
    fn the_survivors_of_this_repository_can_be_read() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../gadgets/golden/survivors.json");
        assert!(Survivors::read(Path::new(golden)).is_ok());
    }
}
