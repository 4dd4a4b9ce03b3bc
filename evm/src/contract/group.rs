//! Constraints by the factor that they share: a selector, mostly.
//!
//! A sum of constraints weighted by falling powers of alpha costs a product for each power and one for
//! each selector. Grouped by selectors, Horner's rule needs one product for each constraint, and two
//! for each selector.

use std::collections::HashMap;

use super::{
    graph::{Graph, Id, Term},
    protocol::Constraint,
};

/// Constraints with a factor in common.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The factor; none for a constraint that shares none.
    pub(super) factor: Option<Id>,
    /// The constraints without the factor, by their numbers.
    pub(super) members: Vec<(usize, Term)>,
}

impl Group {
    /// Number of the last constraint.
    pub(super) fn last(&self) -> usize {
        self.members.last().map_or(0, |(number, _)| *number)
    }
}

/// The groups of constraints, in the order of their last ones.
pub(super) fn group(graph: &mut Graph, constraints: &[Constraint]) -> Vec<Group> {
    let terms: Vec<_> =
        constraints.iter().map(|constraint| graph.expression(&constraint.expression)).collect();
    let mut uses: HashMap<Id, usize> = HashMap::new();
    for term in &terms {
        let mut factors = graph.factors(term.id);
        factors.sort_unstable();
        factors.dedup();
        factors.into_iter().for_each(|factor| *uses.entry(factor).or_default() += 1);
    }
    let mut groups: Vec<Group> = vec![];
    for (number, term) in terms.into_iter().enumerate() {
        let shared = graph.factors(term.id).into_iter().filter(|factor| uses[factor] > 1);
        // Of factors that equally many share, the first: any would do, but it must always be the same.
        let factor = shared.max_by_key(|factor| (uses[factor], std::cmp::Reverse(*factor)));
        let found = factor.and_then(|factor| {
            groups
                .iter_mut()
                .find(|group| group.factor == Some(factor))
                .map(|group| (factor, group))
        });
        match (found, factor) {
            (Some((factor, group)), _) => {
                group.members.push((number, graph.without(term, factor)));
            }
            (None, Some(shared)) => {
                let rest = graph.without(term, shared);
                groups.push(Group { factor, members: vec![(number, rest)] });
            }
            (None, None) => groups.push(Group { factor, members: vec![(number, term)] }),
        }
    }
    groups.sort_by_key(Group::last);
    groups
}

/// What the constraints of groups are evaluated from.
pub(super) fn roots(groups: &[Group]) -> impl Iterator<Item = Id> + '_ {
    groups
        .iter()
        .flat_map(|group| group.members.iter().map(|(_, term)| term.id).chain(group.factor))
}
