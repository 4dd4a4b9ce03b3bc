//! The bytes of a proof in the making, and the challenges that follow from them.

use halo2_base::halo2_proofs::halo2curves::bn256::{Fr, G1Affine};
use muster_verifier::Transcript;

use super::blinded::{compressed, number, point_bytes, to_bytes};

/// Where challenges come from.
pub(super) trait Oracle: Clone {
    fn absorb(&mut self, item: &[u8]);
    fn squeeze(&mut self) -> Fr;
}

impl Oracle for Transcript {
    fn absorb(&mut self, item: &[u8]) {
        self.absorb(item);
    }

    fn squeeze(&mut self) -> Fr {
        number(&self.squeeze())
    }
}

/// What has been said so far. A proof has its points in the short encoding, and the transcript takes them as the format says.
#[derive(Clone)]
pub(super) struct Writer<O> {
    pub(super) transcript: O,
    /// Whether the transcript takes points in the long encoding.
    is_long: bool,
    /// What was said after the last challenge.
    item: Vec<u8>,
    pub(super) bytes: Vec<u8>,
}

impl<O: Oracle> Writer<O> {
    pub(super) fn new(transcript: O, is_long: bool) -> Self {
        Self { transcript, is_long, item: vec![], bytes: vec![] }
    }

    /// What both sides know at first.
    pub(super) fn begin(&mut self, key: &[u8; 32], inputs: &[Fr]) {
        self.transcript.absorb(key);
        self.transcript.absorb(&inputs.iter().flat_map(to_bytes).collect::<Vec<_>>());
    }

    pub(super) fn points(&mut self, points: &[G1Affine]) {
        for point in points {
            let short = compressed(point);
            self.bytes.extend(short);
            if self.is_long {
                self.item.extend(point_bytes(point));
            } else {
                self.item.extend(short);
            }
        }
    }

    pub(super) fn numbers<'n>(&mut self, numbers: impl IntoIterator<Item = &'n Fr>) {
        for number in numbers {
            let bytes = to_bytes(number);
            self.bytes.extend(bytes);
            self.item.extend(bytes);
        }
    }

    /// The challenges after all that was said. What follows is the next item.
    pub(super) fn challenges<const N: usize>(&mut self) -> [Fr; N] {
        self.transcript.absorb(&std::mem::take(&mut self.item));
        std::array::from_fn(|_| self.transcript.squeeze())
    }
}
