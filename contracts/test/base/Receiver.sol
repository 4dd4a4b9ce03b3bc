// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {WormholeClient} from "../../src/WormholeClient.sol";

/// @dev An application that acts on messages of one emitter, as they are written for Wormhole's core contract: it asks who
/// signed a message, looks who sent it, and remembers its hash. All that it does with a message is to say what was in it.
contract Receiver {
    WormholeClient public immutable CORE;
    uint16 public immutable EMITTER_CHAIN;
    bytes32 public immutable EMITTER;

    mapping(bytes32 => bool) public isDone;

    event Received(uint64 indexed sequence, bytes payload);

    error Invalid(string reason);
    error WrongEmitter(uint16 chain, bytes32 emitter);
    error DoneBefore(bytes32 hash);

    constructor(WormholeClient core, uint16 emitterChain, bytes32 emitter) {
        (CORE, EMITTER_CHAIN, EMITTER) = (core, emitterChain, emitter);
    }

    function take(bytes calldata encodedVM) external {
        (WormholeClient.VM memory vm, bool valid, string memory reason) =
            CORE.parseAndVerifyVM(encodedVM);
        if (!valid) revert Invalid(reason);
        if (vm.emitterChainId != EMITTER_CHAIN || vm.emitterAddress != EMITTER) {
            revert WrongEmitter(vm.emitterChainId, vm.emitterAddress);
        }
        if (isDone[vm.hash]) revert DoneBefore(vm.hash);
        isDone[vm.hash] = true;
        emit Received(vm.sequence, vm.payload);
    }
}
