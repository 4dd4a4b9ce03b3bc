// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBft} from "./CometBft.sol";

/// @title What validators of CometBFT share who sign a block, each with a time of its own.
/// @notice For keys of the form `cometbft-precommit`: there the circuit makes each validator's bytes of what they
/// share and of their time, and the statement has the SHA-256 of what they share, in 160 bytes. A statement here is
///
/// ```
/// height (8) || round (4) || blockHash (32) || partsTotal (4) || partsHash (32) || chainId (1 to 50)
/// ```
///
/// with big-endian numbers. `CometBft.hashOf` computes `blockHash` from the fields of the header.
library CometBftDigest {
    /// @notice As `IDigest`.
    function digestOf(bytes calldata statement) external pure returns (bytes32) {
        return ofPrecommit(CometBft.read(statement));
    }

    /// @notice The digest of a precommit whose fields are in their ranges.
    function ofPrecommit(CometBft.Precommit memory precommit) internal pure returns (bytes32) {
        return sha256(CometBft.encode(precommit));
    }
}
