//! The transcript: challenges from everything that the prover has sent so far.

use super::{
    super::{
        code::{calldata, constant, hex, load, Code},
        memory::Memory,
        protocol::{Protocol, POINT, WORD},
    },
    inputs,
    size::is_long,
};

/// Words compared in a statement: more would need too much stack.
const WORDS: usize = 8;

/// Refuses words that are not scalars.
pub(super) fn check_scalars(protocol: &Protocol, code: &mut Code) {
    let first = protocol.first_evaluation();
    let mut scalars = vec![];
    let check = |code: &mut Code| code.line("ok := and(lt(calldataload(i), r), ok)");
    if inputs::are_looped(protocol) {
        code.block(&inputs::each(protocol), check);
    } else {
        scalars.extend((0..protocol.public_inputs).map(|input| WORD * input));
    }
    if is_long(protocol) {
        let [from, to] = [first, protocol.opening()].map(hex);
        let head = format!("for {{ let i := {from} }} lt(i, {to}) {{ i := add(i, 0x20) }}");
        code.block(&head, check);
    } else {
        scalars.extend((0..protocol.evaluations.len()).map(|number| first + WORD * number));
    }
    for places in scalars.chunks(WORDS) {
        let check = places.iter().fold("ok".to_owned(), |checks, place| {
            format!("and(lt({}, r), {checks})", calldata(*place))
        });
        code.line(format!("ok := {check}"));
    }
}

/// Draws all challenges. The transcript's buffer is in memory that is not taken yet.
pub(super) fn challenges(protocol: &Protocol, memory: &Memory, code: &mut Code) {
    let mut transcript = Transcript { code, buffer: memory.rest(), read: 0, places: vec![] };
    transcript.places = memory.challenges().to_vec();
    transcript.places.extend([memory.mu, memory.nu, memory.u]);
    transcript.places.reverse();
    transcript.code.remark("The digest of the key, the public inputs, the first commitments.");
    transcript.code.store(transcript.buffer, constant(&protocol.initial_state));
    for (number, round) in protocol.rounds.iter().enumerate() {
        let inputs = if number == 0 { protocol.proof() } else { 0 };
        if number > 0 {
            transcript.code.remark(if number + 1 == protocol.rounds.len() {
                "The pieces of the quotient; the challenge is x."
            } else {
                "More commitments."
            });
        }
        transcript.round(inputs + POINT * round.points, round.challenges);
    }
    transcript.code.remark("The evaluations; the challenges combine polynomials and sets.");
    transcript.round(WORD * protocol.evaluations.len(), 2);
    transcript.code.remark("The commitment to the openings' quotient.");
    transcript.round(POINT, 1);
}

struct Transcript<'a> {
    code: &'a mut Code,
    /// The last hash, followed by what is to be hashed next.
    buffer: usize,
    /// Bytes of calldata read so far.
    read: usize,
    /// Places of the challenges, the last one first.
    places: Vec<usize>,
}

impl Transcript<'_> {
    fn round(&mut self, bytes: usize, challenges: usize) {
        let next = hex(self.buffer + WORD);
        if bytes > 0 {
            let (from, length) = (hex(self.read), hex(bytes));
            self.code.line(format!("calldatacopy({next}, {from}, {length})"));
            self.read += bytes;
        }
        for number in 0..challenges {
            let mut length = WORD + if number == 0 { bytes } else { 0 };
            // A hash alone is followed by a byte, so that no challenge is the hash of another.
            if length == WORD {
                self.code.line(format!("mstore8({next}, 1)"));
                length += 1;
            }
            let hash = format!("keccak256({}, {})", hex(self.buffer), hex(length));
            self.code.store(self.buffer, hash);
            if let Some(place) = self.places.pop() {
                self.code.store(place, format!("mod({}, r)", load(self.buffer)));
            }
        }
    }
}
