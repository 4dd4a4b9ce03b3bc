// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {IDigest} from "../interfaces/IDigest.sol";
import {Eip191} from "./Eip191.sol";

/// @title What Axelar's weighted signers sign for a gateway (`AxelarAmplifierGateway.sol`, `BaseWeightedMultisig.sol`).
/// @notice A statement is
///
/// ```
/// domainSeparator (32) || signersHash (32) || data
/// ```
///
/// where `data` is `abi.encode(command, argument)`: the command is 0 for messages to approve, 1 for the next signers.
/// `signersHash` is the Keccak-256 of the ABI encoding of the signers who sign: accounts and weights, threshold, nonce.
/// Three words are signed, with EIP-191's prefix: separator, hash of the signers, Keccak-256 of the data.
///
/// Separator and hash are the caller's to know. The data is whole words and is signed as it is; whoever decodes it
/// has to refuse what they would not have encoded so.
library AxelarDigest {
    /// @dev Separator, hash, command, offset of the argument, and one word of that.
    uint256 private constant LEAST = 160;
    uint256 private constant LAST_COMMAND = 1;

    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        if (statement.length < LEAST) revert IDigest.TooShort(LEAST, statement.length);
        uint256 whole = statement.length / 32 * 32;
        if (whole != statement.length) revert IDigest.WrongLength(whole, statement.length);
        uint256 command = uint256(bytes32(statement[64:96]));
        if (command > LAST_COMMAND) revert IDigest.UnknownKind(command);
        return ofData(bytes32(statement[:32]), bytes32(statement[32:64]), keccak256(statement[64:]));
    }

    /// @notice The digest of data with this Keccak-256.
    function ofData(bytes32 domainSeparator, bytes32 signersHash, bytes32 dataHash)
        internal
        pure
        returns (bytes32)
    {
        return Eip191.ofWords(domainSeparator, signersHash, dataHash);
    }
}
