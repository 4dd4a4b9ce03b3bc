// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title Version 0x45 of EIP-191: what `personal_sign` puts before a message.
library Eip191 {
    /// @notice The digest of a message of 32 bytes.
    function ofWord(bytes32 message) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", message));
    }

    /// @notice The digest of a message of three words.
    function ofWords(bytes32 a, bytes32 b, bytes32 c) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n96", a, b, c));
    }
}
