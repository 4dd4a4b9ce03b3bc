// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";

/// @title What is signed of typed data (EIP-712, "Specification"), such as a transaction of a Safe.
/// @notice A statement is 64 bytes: the separator of the domain, and the hash of the struct. Compute both from what
/// you expect; a separator that came with a statement may be that of another contract or chain.
library Eip712Digest {
    uint256 private constant LENGTH = 64;

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        if (statement.length != LENGTH) revert IDigest.WrongLength(LENGTH, statement.length);
        return ofStruct(bytes32(statement[:32]), bytes32(statement[32:]));
    }

    /// @notice The digest of a struct with this hash in this domain.
    function ofStruct(bytes32 domainSeparator, bytes32 structHash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domainSeparator, structHash));
    }
}
