mod circuit;
mod complement;
mod others;

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use muster_schemes::membership::mask::{MaskError, SignerMask, MASK_WORD_BITS, MAX_MASKED};
