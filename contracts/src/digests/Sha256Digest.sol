// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title Bytes that are public by their SHA-256.
/// @notice For keys of the form `sha256:N`, whatever scheme signs: the statement is what was signed. The key bounds
/// its length; here any will do.
library Sha256Digest {
    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        return sha256(statement);
    }
}
