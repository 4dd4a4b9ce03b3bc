// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";
import {Eip191} from "./Eip191.sol";

/// @title What signers of a DVN of LayerZero V2 sign (`DVN.sol`, `hashCallData`, and `MultiSig.sol`).
/// @notice A statement is
///
/// ```
/// vid (4) || target (20) || expiration (32) || callData
/// ```
///
/// and the EIP-191 digest of its Keccak-256 is signed. `vid` names the DVN, and the call data begins with a selector.
/// As `DVN` does, the adapter refuses what expires at this second or before. Whether it was used before is the
/// caller's to know.
library LayerZeroDigest {
    /// @dev With a selector.
    uint256 private constant LEAST = 60;

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external view returns (bytes32) {
        bytes32 digest = ofCall(statement);
        uint256 expiration = uint256(bytes32(statement[24:56]));
        if (expiration <= _now()) revert IDigest.StatementExpired(expiration);
        return digest;
    }

    /// @notice The digest, whether or not it has expired.
    function ofCall(bytes calldata statement) internal pure returns (bytes32) {
        if (statement.length < LEAST) revert IDigest.TooShort(LEAST, statement.length);
        return Eip191.ofWord(keccak256(statement));
    }

    /// @dev What a validator can shift it by does not matter: signers choose hours.
    function _now() private view returns (uint256) {
        return block.timestamp;
    }
}
