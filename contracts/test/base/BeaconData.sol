// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../../src/EthereumClient.sol";
import {Beacon} from "../../src/digests/Beacon.sol";
import {BeaconChain} from "./BeaconChain.sol";

/// @dev Light-client data as `tools/beacon` writes it. Who checks proofs adds them, and Muster's roots of committees.
abstract contract BeaconData is BeaconChain {
    string internal json = vm.readFile("test/vectors/ethereum.json");

    /// @dev Mainnet with Deneb alone.
    function deneb() internal pure returns (EthereumClient.Network memory terms) {
        terms.genesisValidatorsRoot =
        0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95;
        (terms.genesisTime, terms.secondsPerSlot) = (1_606_824_023, 12);
        (terms.slotsPerEpoch, terms.epochsPerPeriod, terms.committeeSize) = (32, 256, 512);
        terms.forks = new EthereumClient.Fork[](1);
        terms.forks[0] = EthereumClient.Fork(269_568, 0x04000000, 105, 54, 55);
    }

    function bootstrapAt(string memory from)
        internal
        view
        returns (Beacon.Header memory header, EthereumClient.Committee memory committee)
    {
        header = headerAt(string.concat(from, ".header"));
        committee.hashTreeRoot = word(string.concat(from, ".committee"));
        committee.branch = words(string.concat(from, ".branch"));
    }

    /// @dev Branches are empty where an update has none.
    function updateAt(string memory from)
        internal
        view
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        update.attested = headerAt(string.concat(from, ".attested"));
        update.finalized = headerAt(string.concat(from, ".finalized"));
        update.signatureSlot = number(string.concat(from, ".signatureSlot"));
        update.participants = number(string.concat(from, ".participants"));
        update.finalityBranch = words(string.concat(from, ".finalityBranch"));
        next.hashTreeRoot = word(string.concat(from, ".next"));
        next.branch = words(string.concat(from, ".nextBranch"));
    }

    /// @dev A header in SSZ, read without the code under test.
    function headerAt(string memory from) internal view returns (Beacon.Header memory header) {
        bytes memory ssz = vm.parseJsonBytes(json, from);
        assertEq(ssz.length, 112, "header");
        (header.slot, header.proposerIndex) = (little(ssz, 0), little(ssz, 8));
        (header.parentRoot, header.stateRoot, header.bodyRoot) =
        (part(ssz, 16), part(ssz, 48), part(ssz, 80));
    }

    function word(string memory from) internal view returns (bytes32) {
        return vm.parseJsonBytes32(json, from);
    }

    function words(string memory from) internal view returns (bytes32[] memory) {
        return vm.parseJsonBytes32Array(json, from);
    }

    function number(string memory from) internal view returns (uint64) {
        return uint64(vm.parseJsonUint(json, from));
    }

    function little(bytes memory data, uint256 place) private pure returns (uint64 value) {
        for (uint256 i = 8; i > 0; --i) {
            value = value << 8 | uint8(data[place + i - 1]);
        }
    }

    function part(bytes memory data, uint256 place) private pure returns (bytes32 value) {
        for (uint256 i = 0; i < 32; ++i) {
            value |= bytes32(data[place + i]) >> 8 * i;
        }
    }
}
