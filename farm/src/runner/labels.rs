//! Labels by which the server's own page finds jobs, and the server shares out its workers.

use std::collections::BTreeSet;

use temporalio_common::{
    search_attributes::{SearchAttributeKey, SearchAttributes},
    Priority,
};

use crate::job::Task;

/// Search attributes that are lists of keywords. A server must know all attributes before it takes them, and knows
/// at most three of this type.
pub const LISTS: [&str; 2] = ["MusterJob", "MusterKind"];
/// Search attributes that are keywords.
pub const KEYWORDS: [&str; 5] =
    ["MusterOwner", "MusterKey", "MusterScheme", "MusterDegree", "MusterCase"];

/// The most names that a server takes: a list of keywords may have two kilobytes.
const MOST_NAMES: usize = 16;

/// What the server is told about jobs in the clear, besides what it passes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// Nothing but how many there are.
    #[default]
    Few,
    /// Whose they are, so that owners get equal shares of the workers, and attributes to search by.
    All,
}

impl Labels {
    pub(super) fn priority(self, tasks: &[Task]) -> Priority {
        let owner = tasks.first().map(|task| task.job.owner.clone()).unwrap_or_default();
        let is_told = self == Self::All && !owner.is_empty();
        Priority::builder().maybe_fairness_key(is_told.then_some(owner)).build()
    }

    pub(super) fn attributes(self, tasks: &[Task]) -> Option<SearchAttributes> {
        if self == Self::Few {
            return None;
        }
        let set = |of: fn(&Task) -> String| -> BTreeSet<String> {
            tasks.iter().map(of).filter(|value| !value.is_empty()).collect()
        };
        let names = set(|task| task.job.name().to_string());
        let lists = [names, set(|task| task.job.work.kind().to_owned())];
        let lists = LISTS.into_iter().zip(lists).filter(|(_, values)| values.len() <= MOST_NAMES);
        let lists = lists.map(|(name, values)| {
            let values: Vec<String> = values.into_iter().collect();
            SearchAttributeKey::<Vec<String>>::keyword_list(name).value_set(values)
        });
        let keywords = [
            set(|task| task.job.owner.clone()),
            set(|task| {
                task.job.work.claim().map(|claim| claim.key.to_string()).unwrap_or_default()
            }),
            set(|task| task.about.scheme.clone()),
            set(|task| task.about.degree.clone()),
            set(|task| task.about.case.clone()),
        ];
        // An attribute that is not the same for all jobs is left out.
        let keywords = KEYWORDS.into_iter().zip(keywords).filter(|(_, values)| values.len() == 1);
        let keywords = keywords.flat_map(|(name, values)| {
            let key = SearchAttributeKey::<String>::keyword(name);
            values.into_iter().map(move |value| key.value_set(value))
        });
        Some(SearchAttributes::new(lists.chain(keywords)))
    }
}
