// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title Bytes of which the committee signs the Keccak-256.
/// @notice For committees that sign a digest (ECDSA, BIP-340, BLS) and put nothing before it. Nothing says what the
/// bytes are: choose this only for a committee that signs nothing else than the statements you expect.
library Keccak256Digest {
    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        return keccak256(statement);
    }
}
