// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../../src/CometBftClient.sol";
import {CometBft} from "../../src/digests/CometBft.sol";
import {CometBftChain} from "./CometBftChain.sol";

/// @dev Blocks and sets of mocha-4, Celestia's testnet, as test/vectors/cometbft.json has them.
abstract contract Mocha is CometBftChain {
    string internal json = vm.readFile("test/vectors/cometbft.json");

    /// @dev As long as most are, and without zeros, which would be cheaper.
    function longProof() internal pure returns (bytes memory proof) {
        for (uint256 i = 0; i < 3; ++i) {
            proof = bytes.concat(proof, new bytes(512));
        }
        for (uint256 i = 0; i < proof.length; ++i) {
            proof[i] = 0xa5;
        }
    }

    function step(uint256 from, uint256 to)
        internal
        view
        returns (CometBftClient.Update memory update)
    {
        update = makeUpdate(headerAt(from), headerAt(to));
        update.partsTotal = uint32(number(to, "parts_total"));
        update.partsHash = word(to, "parts");
        update.proof = longProof();
        if (hash(to, 2) == hash(from, 3)) update.trustedProof = "";
        else update.trustedProof = longProof();
    }

    function placeOf(bytes32 validatorsHash) internal view returns (uint256 i) {
        while (word(string.concat(".sets[", vm.toString(i), "].hash")) != validatorsHash) ++i;
    }

    function setAt(uint256 i)
        internal
        view
        returns (CometBftClient.Translation memory translation)
    {
        string memory from = string.concat(".sets[", vm.toString(i), "]");
        translation.validatorsHash = word(string.concat(from, ".hash"));
        translation.root = vm.parseJsonUint(json, string.concat(from, ".root"));
        translation.members = uint64(vm.parseJsonUint(json, string.concat(from, ".members")));
        translation.total = uint64(vm.parseJsonUint(json, string.concat(from, ".total")));
        translation.proof = longProof();
    }

    function headerAt(uint256 i) internal view returns (CometBft.Header memory header) {
        (header.versionBlock, header.versionApp, header.chainId) = (11, 1, "mocha-4");
        header.height = uint64(number(i, "height"));
        header.time = CometBft.Time(int64(uint64(number(i, "secs"))), uint32(number(i, "nanos")));
        header.lastBlockId = CometBft.BlockId(
            abi.encode(word(i, "last")),
            uint32(number(i, "last_parts_total")),
            abi.encode(word(i, "last_parts"))
        );
        for (uint256 place = 0; place < 8; ++place) {
            header.hashes[place] = abi.encode(hash(i, place));
        }
        header.hashes[8] = vm.parseJsonBytes(json, at(i, "proposer"));
    }

    function hash(uint256 i, uint256 place) internal view returns (bytes32) {
        return word(i, string.concat("hashes[", vm.toString(place), "]"));
    }

    function number(uint256 i, string memory field) internal view returns (uint256) {
        return vm.parseJsonUint(json, at(i, field));
    }

    function word(uint256 i, string memory field) internal view returns (bytes32) {
        return word(at(i, field));
    }

    function word(string memory place) internal view returns (bytes32) {
        return vm.parseJsonBytes32(json, place);
    }

    function at(uint256 i, string memory field) internal pure returns (string memory) {
        return string.concat(".blocks[", vm.toString(i), "].", field);
    }
}
