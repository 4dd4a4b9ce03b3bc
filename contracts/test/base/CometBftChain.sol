// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../../src/CometBftClient.sol";
import {MusterStatement} from "../../src/MusterStatement.sol";
import {CometBft} from "../../src/digests/CometBft.sol";
import {CometBftDigest} from "../../src/digests/CometBftDigest.sol";
import {MockVerifier} from "../../src/mocks/MockVerifier.sol";
import {Test} from "./Test.sol";

/// @dev A chain of which a test makes the headers, and the mock that stands for proofs of its validators' signatures.
/// Set `i` has the hash, root and weight that follow from `i`.
abstract contract CometBftChain is Test {
    bytes32 internal constant PRECOMMITS = keccak256("a key for precommits");
    bytes32 internal constant TRANSLATIONS = keccak256("a key for translations");
    uint64 internal constant PERIOD = 14 days;
    uint64 internal constant DRIFT = 10;
    uint64 internal constant START = 1_700_000_000;
    bytes internal constant PROOF = "a proof";
    bytes internal constant NAME = "test-1";

    MockVerifier internal verifier = new MockVerifier();
    CometBftClient internal client;

    function deploy(CometBft.Header memory trusted) internal {
        verifier.addKey(PRECOMMITS, 4);
        verifier.addKey(TRANSLATIONS, 5);
        client = new CometBftClient(verifier, PRECOMMITS, TRANSLATIONS, PERIOD, DRIFT, trusted);
    }

    // ------------------------------------------------------------------------------ Validators

    function hashOfSet(uint256 i) internal pure returns (bytes32) {
        return keccak256(abi.encode("validators", i));
    }

    function rootOfSet(uint256 i) internal pure returns (uint256) {
        return 1000 + i;
    }

    function totalOfSet(uint256 i) internal pure returns (uint64) {
        return uint64(100 + 17 * i);
    }

    function translationOf(uint256 i)
        internal
        pure
        returns (CometBftClient.Translation memory translation)
    {
        translation.validatorsHash = hashOfSet(i);
        (translation.root, translation.members) = (rootOfSet(i), 4);
        (translation.total, translation.proof) = (totalOfSet(i), PROOF);
    }

    /// @dev From now on there is a proof of this translation.
    function prove(CometBftClient.Translation memory translation) internal {
        // In the order in which the circuit has them (`circuits/src/translation/statement.rs`).
        uint256[] memory inputs = new uint256[](5);
        uint256 hash = uint256(translation.validatorsHash);
        (inputs[0], inputs[1], inputs[2]) = (translation.root, hash >> 128, hash % 2 ** 128);
        (inputs[3], inputs[4]) = (translation.members, translation.total);
        verifier.addProof(TRANSLATIONS, inputs, translation.proof);
    }

    function registerSet(uint256 i) internal {
        prove(translationOf(i));
        client.register(translationOf(i));
    }

    // ------------------------------------------------------------------------------ Headers

    function makeHeader(uint64 height, int64 secs, uint32 nanos, uint256 set, uint256 next)
        internal
        pure
        returns (CometBft.Header memory header)
    {
        (header.versionBlock, header.versionApp) = (11, 1);
        (header.chainId, header.height, header.time) = (NAME, height, CometBft.Time(secs, nanos));
        bytes memory hash = abi.encode(keccak256(abi.encode("hash", height)));
        header.lastBlockId = CometBft.BlockId(hash, 1, hash);
        header.hashes = [
            hash,
            hash,
            abi.encode(hashOfSet(set)),
            abi.encode(hashOfSet(next)),
            hash,
            abi.encode(keccak256(abi.encode("app", height))),
            hash,
            hash,
            hex"762cba617226a799d898f134dd12661c7f1129eb"
        ];
    }

    function checkpointOf(CometBft.Header memory header)
        internal
        pure
        returns (CometBftClient.Checkpoint memory checkpoint)
    {
        (checkpoint.height, checkpoint.time) = (header.height, header.time);
        checkpoint.blockHash = CometBft.hashOf(header);
        checkpoint.nextValidatorsHash = bytes32(header.hashes[3]);
    }

    // ------------------------------------------------------------------------------ Steps

    function makeUpdate(CometBft.Header memory from, CometBft.Header memory to)
        internal
        pure
        returns (CometBftClient.Update memory update)
    {
        (update.trusted, update.header) = (checkpointOf(from), to);
        (update.round, update.partsTotal, update.partsHash) = (0, 1, "parts");
        (update.proof, update.trustedProof) = (PROOF, PROOF);
    }

    function digestOf(CometBftClient.Update memory update) internal pure returns (bytes32) {
        CometBft.Header memory header = update.header;
        return CometBftDigest.ofPrecommit(
            CometBft.Precommit(
                header.height,
                update.round,
                CometBft.hashOf(header),
                update.partsTotal,
                update.partsHash,
                header.chainId
            )
        );
    }

    /// @dev From now on there is a proof that members of this root with so much weight signed this digest.
    function proveSigned(uint256 root, uint64 weight, bytes32 digest, bytes memory proof) internal {
        verifier.addProof(PRECOMMITS, MusterStatement.ofDigest(root, weight, digest), proof);
    }

    /// @dev More than two thirds of one set signed what an update brings, and more than a third of the other.
    function sign(CometBftClient.Update memory update, uint256 own, uint256 trusted) internal {
        bytes32 digest = digestOf(update);
        proveSigned(rootOfSet(own), totalOfSet(own) * 2 / 3 + 1, digest, update.proof);
        proveSigned(rootOfSet(trusted), totalOfSet(trusted) / 3 + 1, digest, update.trustedProof);
    }
}
