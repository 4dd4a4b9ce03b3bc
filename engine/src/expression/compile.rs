use super::{
    emit::Emitter,
    graph::{Graph, Node, Term},
    program::{Program, Step},
    registers::assign,
};

impl Graph {
    /// A program that computes `results`.
    pub fn compile(&self, results: &[Term]) -> Program {
        let mut emitter = Emitter::new(self, self.uses(results));
        for (result, term) in results.iter().enumerate() {
            let from = emitter.value(*term);
            emitter.steps.push(Step::Store { from, result });
        }
        let Emitter { uniforms, mut steps, mut pairs, .. } = emitter;
        let registers = assign(&mut steps, &mut pairs);
        Program { uniforms: uniforms.list, steps, pairs, registers, results: results.len() }
    }

    /// For each term, how many terms needed for `results` name it; being a result counts as one more.
    fn uses(&self, results: &[Term]) -> Vec<u32> {
        let mut uses = vec![0; self.nodes().len()];
        results.iter().for_each(|term| uses[term.index()] += 1);
        // Terms name only older ones.
        for (index, node) in self.nodes().iter().enumerate().rev() {
            if uses[index] == 0 {
                continue;
            }
            if let Node::Add(left, right) | Node::Sub(left, right) | Node::Mul(left, right) = node {
                uses[left.index()] += 1;
                uses[right.index()] += 1;
            }
        }
        uses
    }
}
