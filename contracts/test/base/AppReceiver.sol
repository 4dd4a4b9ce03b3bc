// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../../src/CometBftClient.sol";

/// @dev An application that takes messages of an application on a chain of CometBFT. That one's state is the list of its
/// messages, in a tree of SHA-256 of a fixed depth, whose root is the application hash; places that are not taken yet
/// are zero. Depth, and first bytes that tell leaves and nodes apart, leave one place for a message.
contract AppReceiver {
    uint256 public constant DEPTH = 8;

    CometBftClient public immutable CLIENT;

    mapping(uint64 => bool) public isDone;

    event Received(uint64 indexed sequence, bytes payload);

    error NotInState(uint64 sequence);
    error DoneBefore(uint64 sequence);

    constructor(CometBftClient client) {
        CLIENT = client;
    }

    function take(uint64 height, uint64 sequence, bytes calldata payload, bytes32[] calldata path)
        external
    {
        if (isDone[sequence]) revert DoneBefore(sequence);
        if (path.length != DEPTH || sequence >> DEPTH != 0) revert NotInState(sequence);
        bytes32 node = sha256(abi.encodePacked(hex"00", sequence, payload));
        for (uint256 i = 0; i < DEPTH; ++i) {
            node = sequence >> i & 1 == 0
                ? sha256(abi.encodePacked(hex"01", node, path[i]))
                : sha256(abi.encodePacked(hex"01", path[i], node));
        }
        if (node != CLIENT.appHash(height)) revert NotInState(sequence);
        isDone[sequence] = true;
        emit Received(sequence, payload);
    }
}
