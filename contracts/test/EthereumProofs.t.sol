// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {EthereumClient} from "../src/EthereumClient.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {Beacon} from "../src/digests/Beacon.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {BeaconData} from "./base/BeaconData.sol";

/// @dev The client over the verifier itself, with proofs of what the sync committee of mainnet's period 1150 signed in slot 9,420,873,
/// and of the translations of its 512 seats and of those of the next committee.
contract EthereumProofsTest is BeaconData {
    MusterVerifier private _verifier = new MusterVerifier();
    string private _proofs = vm.readFile("test/vectors/ethereum-proofs.json");
    bytes32 private _signatures;
    bytes32 private _translations;
    EthereumClient private _client;

    function setUp() public {
        _signatures = _verifier.register(data(".signature_key"));
        _translations = _verifier.register(data(".translation_key"));
        (Beacon.Header memory trusted, EthereumClient.Committee memory committee) =
            bootstrapAt(".mainnet.bootstrap");
        (committee.root, committee.proof) = (root(".current"), data(".current.proof"));
        _client = new EthereumClient(
            IMusterVerifier(address(_verifier)),
            _signatures,
            _translations,
            deneb(),
            trusted,
            committee
        );
        vm.warp(1_606_824_023 + 12 * 9_425_200);
    }

    /// @dev `forge test --match-contract EthereumProofs -vv` prints what the whole transaction took.
    function testARotation() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = rotation();
        _client.rotate(update, next);
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint("a rotation of 512 seats", used);
        assertBelow(used, 545_000, "gas");
        assertEq(_client.committeeRoot(1151), next.root, "next");
    }

    /// @dev Each proof is one about its own committee, of its own kind, and of this update.
    function testEachProofCounts() public {
        (EthereumClient.Update memory update, EthereumClient.Committee memory next) = rotation();
        update.proof[40] ^= 0x01;
        vm.expectPartialRevert(EthereumClient.SignatureRejected.selector);
        _client.rotate(update, next);
        (update,) = rotation();
        ++update.participants;
        vm.expectPartialRevert(EthereumClient.SignatureRejected.selector);
        _client.rotate(update, next);
        (update,) = rotation();
        ++update.attested.proposerIndex;
        vm.expectPartialRevert(EthereumClient.SignatureRejected.selector);
        _client.rotate(update, next);
        (update, next) = rotation();
        next.proof = data(".current.proof");
        vm.expectPartialRevert(EthereumClient.TranslationRejected.selector);
        _client.rotate(update, next);
        (, next) = rotation();
        next.root = root(".current");
        vm.expectPartialRevert(EthereumClient.TranslationRejected.selector);
        _client.rotate(update, next);
    }

    /// @dev As in the bootstrap, whose period the update is of: 342 seats or more signed.
    function rotation()
        private
        view
        returns (EthereumClient.Update memory update, EthereumClient.Committee memory next)
    {
        (update, next) = updateAt(".mainnet.update");
        (update.participants, update.proof) = (342, data(".signatures"));
        (next.root, next.proof) = (root(".next"), data(".next.proof"));
    }

    function root(string memory whose) private view returns (uint256) {
        return uint256(vm.parseJsonBytes32(_proofs, string.concat(whose, ".root")));
    }

    function data(string memory at) private view returns (bytes memory) {
        return vm.parseJsonBytes(_proofs, at);
    }
}
