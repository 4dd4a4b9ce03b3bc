//! Constraints in contracts of their own, for verifiers that would not fit one.
//!
//! A part evaluates some of the constraints. It is called with the calldata of the verifier and, after it, the
//! two sums of the constraints before, the challenges, and the values that the proof does not have; it
//! returns the two sums. Its code is straight-line, so it does the same work for all inputs, and calls nothing.
//! The verifier has the hashes of the parts' code, and compares them before each call: an address with other
//! code, or with none, is never called.

use muster_circuits::encoding::to_hex;

use super::{
    super::{
        assemble::assemble,
        code::{hex, load, Code},
        graph::{Graph, Leaf},
        group::Group,
        memory::Memory,
        part::Part,
        protocol::{Protocol, WORD},
    },
    msm,
    numerator::{partial, steps, Step},
    size::CONTRACT,
};

/// The two sums: words.
const STATE: usize = 2;

/// The hash of a part's code, as a number.
pub(super) fn hash(part: &Part) -> String {
    to_hex(&part.hash())
}

/// Splits the constraints into as few parts as fit contracts; `None` if one constraint alone does not.
pub(super) fn split(
    protocol: &Protocol,
    graph: &Graph,
    groups: &[Group],
    leaves: &[Leaf],
) -> Option<Vec<Part>> {
    let steps = steps(groups);
    let mut rest = &steps[..];
    let mut parts = vec![];
    while !rest.is_empty() {
        // As many as fit.
        let fitting = (1..=rest.len()).map_while(|count| {
            let part = part(protocol, graph, groups, leaves, &rest[..count])?;
            (part.code.len() <= CONTRACT).then_some((count, part))
        });
        let (count, part) = fitting.last()?;
        parts.push(part);
        rest = &rest[count..];
    }
    Some(parts)
}

fn part(
    protocol: &Protocol,
    graph: &Graph,
    groups: &[Group],
    leaves: &[Leaf],
    steps: &[Step],
) -> Option<Part> {
    let handed = handed(protocol, leaves);
    let mut memory = Memory::of_part(STATE, protocol.challenges(), &handed);
    let length = WORD * (STATE + protocol.challenges() + handed.len());
    let mut code = Code::at(0);
    code.remark("The sums so far, challenges, and what the proof does not have.");
    code.line(format!("calldatacopy(0x00, {}, {})", hex(protocol.calldata()), hex(length)));
    code.line(format!("let r := {}", msm::modulus()));
    code.line(format!("let all := {}", load(0)));
    code.line(format!("let part := {}", load(WORD)));
    partial(protocol, graph, groups, steps, &mut memory, &mut code);
    code.store(0, "all");
    code.store(WORD, "part");
    code.line(format!("return(0x00, {})", hex(WORD * STATE)));
    Some(Part { code: assemble(code.lines())?, listing: code.text() })
}

/// The values that parts are given after the challenges.
fn handed(protocol: &Protocol, leaves: &[Leaf]) -> Vec<Leaf> {
    let is_handed = |leaf: &&Leaf| match leaf {
        Leaf::Evaluation(query) => protocol.evaluation(*query).is_none(),
        Leaf::Lagrange(_) => true,
        Leaf::Challenge(_) | Leaf::Alpha(_) | Leaf::Identity => false,
    };
    leaves.iter().filter(is_handed).cloned().collect()
}

/// Calls the parts one after the other; the sum of all constraints is then `all`.
pub(super) fn call(
    protocol: &Protocol,
    leaves: &[Leaf],
    parts: &[Part],
    memory: &mut Memory,
    code: &mut Code,
) {
    let input = memory.rest();
    let state = input + protocol.calldata();
    code.remark("They are evaluated by contracts, whose code is checked. Each is given all of the");
    code.remark("calldata, the sums so far, the challenges, and what the proof does not have.");
    code.block("function evaluate(slot, hash, input, length, state)", |code| {
        code.line("let part := sload(slot)");
        code.line("if iszero(eq(extcodehash(part), hash)) { revert(0, 0) }");
        code.line(
            "if iszero(staticcall(gas(), part, input, length, state, 0x40)) { revert(0, 0) }",
        );
    });
    code.line(format!("calldatacopy({}, 0x00, {})", hex(input), hex(protocol.calldata())));
    (0..STATE).for_each(|word| code.store(state + WORD * word, "0"));
    let challenges: Vec<_> = memory.challenges().to_vec();
    let handed = handed(protocol, leaves);
    let places = handed.iter().map(|leaf| memory.leaf(leaf));
    let places: Vec<_> = challenges.into_iter().chain(places).collect();
    for (word, place) in places.iter().enumerate() {
        code.store(state + WORD * (STATE + word), load(*place));
    }
    let length = protocol.calldata() + WORD * (STATE + places.len());
    for (slot, part) in parts.iter().enumerate() {
        let [input, length, state] = [input, length, state].map(hex);
        code.line(format!("evaluate({slot}, {}, {input}, {length}, {state})", hash(part)));
    }
    code.line(format!("let all := {}", load(state)));
}
