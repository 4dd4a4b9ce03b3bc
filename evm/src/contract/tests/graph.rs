//! The graph of expressions, and what is made of it.

use halo2_base::halo2_proofs::halo2curves::ff::Field;

use super::*;
use crate::contract::{
    generate::body,
    graph::{Graph, Leaf, Node, Term},
    protocol::Commitment,
};

fn leaf(graph: &mut Graph, number: usize) -> Term {
    graph.leaf(Leaf::Challenge(number))
}

#[test]
fn equal_parts_are_one_node() {
    let mut graph = Graph::default();
    let (a, b) = (leaf(&mut graph, 0), leaf(&mut graph, 1));
    assert_eq!(graph.sum(a, b), graph.sum(b, a));
    assert_eq!(graph.product(a, b), graph.product(b, a));
    let difference = graph.sum(a, -b);
    assert_eq!(graph.sum(b, -a), -difference);
    assert_eq!(graph.product(-a, b), -graph.product(a, b));
    assert_eq!(graph.product(-a, -b), graph.product(a, b));
    assert_eq!(graph.sum(-a, -b), -graph.sum(a, b));
}

#[test]
fn constants_are_folded() {
    let mut graph = Graph::default();
    let a = leaf(&mut graph, 0);
    let [zero, one, minus_one] = [Fr::ZERO, Fr::ONE, -Fr::ONE].map(|c| graph.constant(c));
    assert_eq!(minus_one, -one);
    assert_eq!(graph.sum(a, zero), a);
    assert_eq!(graph.sum(zero, -a), -a);
    assert_eq!(graph.product(one, a), a);
    assert_eq!(graph.product(minus_one, a), -a);
    assert_eq!(graph.product(zero, -a).id, zero.id);
    let two = graph.sum(one, one);
    assert_eq!(*graph.node(two.id), Node::Constant(Fr::from(2)));
}

#[test]
fn lagrange_polynomials_of_several_rows_are_one_leaf() {
    let mut graph = Graph::default();
    let [a, b] = [-2, -1].map(|row| graph.leaf(Leaf::Lagrange(vec![row])));
    let both = graph.leaf(Leaf::Lagrange(vec![-2, -1]));
    assert_eq!(graph.sum(b, a), both);
}

#[test]
fn factors_are_taken_out() {
    let mut graph = Graph::default();
    let [a, b, c] = [0, 1, 2].map(|number| leaf(&mut graph, number));
    let ab = graph.product(a, b);
    let abc = graph.product(ab, -c);
    assert_eq!(graph.without(abc, b.id), -graph.product(a, c));
    let one = graph.constant(Fr::ONE);
    assert_eq!(graph.without(-a, a.id), -one);
    // One factor of a square.
    let square = graph.product(a, a);
    assert_eq!(graph.without(square, a.id), a);
}

#[test]
fn points_that_no_opening_is_about_are_checked_all_the_same() {
    let generated = all().remove(0);
    let g2 = [generated.key.params().g2(), -generated.key.params().s_g2()];
    let mut protocol = generated.protocol.clone();
    let set = protocol.sets.iter_mut().find(|set| set.polys.len() > 1).unwrap();
    let poly = set.polys.remove(0);
    let Commitment::Proof(place) = protocol.commitment(poly) else { panic!("an advice column") };
    let copy = format!("calldatacopy(0x00, {place:#x}, 0x40)\n");
    assert!(!body(&generated.protocol, &g2).unwrap().fallback.contains(&copy));
    assert!(body(&protocol, &g2).unwrap().fallback.contains(&copy));
}
