// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {MusterStatement} from "../../src/MusterStatement.sol";
import {MusterVerifier} from "../../src/MusterVerifier.sol";

contract Orders {
    MusterVerifier private constant VERIFIER = MusterVerifier(address(0x1234)); // checked by you
    bytes32 private constant KEY = keccak256("the EVM key"); // its name, of a key for digests
    uint256 private constant ROOT = 0xc0ffee; // of the committee
    uint256 private constant THRESHOLD = 8;
    mapping(bytes32 => bool) public isDone;

    function carryOut(bytes calldata order, bytes calldata proof) external {
        bytes32 signed = keccak256(abi.encode(block.chainid, address(this), order));
        require(!isDone[signed], "done before");
        isDone[signed] = true;
        uint256[] memory inputs = MusterStatement.ofDigest(ROOT, THRESHOLD, signed);
        require(VERIFIER.verify(KEY, inputs, proof), "not signed");
        // Decode the order and act on it.
    }
}
