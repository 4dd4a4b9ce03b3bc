//! Hash tree roots of SSZ, as far as committees and headers of Ethereum's beacon chain take them: the consensus
//! specifications, `ssz/simple-serialize.md`, Merkleization.

use super::sha256::sha256;

/// A chunk, and a root.
pub type Chunk = [u8; 32];

/// Up to 32 bytes, with zeros behind them.
///
/// # Panics
/// If there are more.
pub fn chunk(bytes: &[u8]) -> Chunk {
    let mut chunk = [0; 32];
    chunk[..bytes.len()].copy_from_slice(bytes);
    chunk
}

/// `merkleize`: zeros fill the leaves up to a power of two, of which there is at least one.
pub fn merkleize(chunks: &[Chunk]) -> Chunk {
    let mut layer = chunks.to_vec();
    layer.resize(chunks.len().next_power_of_two(), [0; 32]);
    while let [_, _, ..] = layer[..] {
        layer = layer.chunks(2).map(|pair| sha256(&pair.concat())).collect();
    }
    layer[0]
}

/// `hash_tree_root` of a vector of bytes.
pub fn bytes_root(bytes: &[u8]) -> Chunk {
    merkleize(&bytes.chunks(32).map(chunk).collect::<Vec<_>>())
}
