// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {CometBftClient} from "../src/CometBftClient.sol";
import {MusterVerifier} from "../src/MusterVerifier.sol";
import {IMusterVerifier} from "../src/interfaces/IMusterVerifier.sol";
import {Mocha} from "./base/Mocha.sol";

/// @dev The client over the verifier itself, with proofs of what validators of mocha-4 signed in block 10501 and of the
/// translations of their sets: a skip from block 10000, of another set, by the one validator of two who is in both; and the step
/// from the block before, whose header names the set. All keys are of one setup, so proofs share a pairing.
contract CometBftProofsTest is Mocha {
    uint256 private constant FROM = 3;
    uint256 private constant BEFORE = 8;
    uint256 private constant TO = 9;

    MusterVerifier private _verifier = new MusterVerifier();
    bytes32 private _precommits;
    bytes32 private _translations;
    string private _proofs = vm.readFile("test/vectors/cometbft-proofs.json");

    function setUp() public {
        _precommits = _verifier.register(data(".precommit_key"));
        _translations = _verifier.register(data(".translation_key"));
        vm.warp(number(TO, "secs") + 1);
        trust(FROM);
    }

    /// @dev `forge test --match-contract CometBftProofs -vv` prints what whole transactions took.
    function testASkip() public {
        client.register(translation(1, ".translation_10000"));
        show("a translation", 345_000);
        client.registerAndSubmit(translation(2, ".translation_10501"), skip());
        show("a skip that brings a translation", 815_000);
        assertTrue(client.isVerified(checkpointOf(headerAt(TO))), "verified");
        assertEq(client.appHash(10_501), hash(TO, 5), "app hash");
    }

    function testASkipAlone() public {
        registerBoth();
        client.submit(skip());
        show("a skip to other validators", 600_000);
        assertTrue(client.isVerified(checkpointOf(headerAt(TO))), "verified");
    }

    function testARotation() public {
        trust(BEFORE);
        client.registerAndSubmit(translation(2, ".translation_10501"), next());
        show("a header that brings a translation", 650_000);
        assertTrue(client.isVerified(checkpointOf(headerAt(TO))), "verified");
        trust(BEFORE);
        client.register(translation(2, ".translation_10501"));
        client.submit(next());
        show("a header of the set that was named", 440_000);
        assertTrue(client.isVerified(checkpointOf(headerAt(TO))), "verified");
    }

    /// @dev Thirty blocks later, by the same hundred validators: nine of them have more than two thirds of the weight.
    function testARotationOfAHundredValidators() public {
        (uint256 from, uint256 to, uint256 set) = (10, 11, 3);
        _precommits = _verifier.register(data(".hundred.precommit_key"));
        _translations = _verifier.register(data(".hundred.translation_key"));
        vm.warp(number(to, "secs") + 1);
        trust(from);
        CometBftClient.Update memory update = step(from, to);
        update.proof = data(".hundred.own");
        client.registerAndSubmit(translation(set, ".hundred.translation"), update);
        show("a header of a hundred validators that brings a translation", 650_000);
        assertTrue(client.isVerified(checkpointOf(headerAt(to))), "verified");
        trust(from);
        client.register(translation(set, ".hundred.translation"));
        show("a translation of a hundred validators", 345_000);
        client.submit(update);
        show("a header of a hundred validators", 440_000);
    }

    function testEachProofOfARotationCounts() public {
        trust(BEFORE);
        CometBftClient.Update memory update = next();
        CometBftClient.Translation memory set = translation(2, ".translation_10501");
        update.proof[40] ^= 0x01;
        vm.expectRevert(abi.encodeWithSelector(CometBftClient.ProofRejected.selector, hash(TO, 2)));
        client.registerAndSubmit(set, update);
        set.proof[40] ^= 0x01;
        update = next();
        vm.expectRevert(
            abi.encodeWithSelector(CometBftClient.TranslationRejected.selector, hash(TO, 2))
        );
        client.registerAndSubmit(set, update);
    }

    function testEachProofCounts() public {
        registerBoth();
        CometBftClient.Update memory update = skip();
        update.proof[40] ^= 0x01;
        expectRejected(update, hash(TO, 2));
        update = skip();
        update.trustedProof[40] ^= 0x01;
        expectRejected(update, hash(FROM, 3));
        // Each is a proof about its own set.
        update = skip();
        (update.proof, update.trustedProof) = (update.trustedProof, update.proof);
        expectRejected(update, hash(TO, 2));
        update = skip();
        update.trustedProof = update.proof;
        expectRejected(update, hash(FROM, 3));
        // And about its own block.
        update = skip();
        update.header.hashes[5] = abi.encode("another");
        expectRejected(update, hash(TO, 2));
        update = skip();
        update.header.hashes[3] = abi.encode(hash(FROM, 3));
        expectRejected(update, hash(TO, 2));
        update = skip();
        ++update.round;
        expectRejected(update, hash(TO, 2));
    }

    function testEachFieldOfATranslationCounts() public {
        for (uint256 i = 0; i < 6; ++i) {
            CometBftClient.Translation memory bad = translation(1, ".translation_10000");
            if (i == 0) ++bad.root;
            if (i == 1) ++bad.members;
            if (i == 2) ++bad.total;
            if (i == 3) bad.validatorsHash = hash(TO, 2);
            if (i == 4) bad.proof[40] ^= 0x01;
            if (i == 5) bad.proof = data(".translation_10501");
            vm.expectRevert(
                abi.encodeWithSelector(
                    CometBftClient.TranslationRejected.selector, bad.validatorsHash
                )
            );
            client.register(bad);
        }
    }

    // ------------------------------------------------------------------------------ Helpers

    function show(string memory what, uint256 limit) private {
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint(what, used);
        assertBelow(used, limit, what);
    }

    function trust(uint256 block_) private {
        client = new CometBftClient(
            IMusterVerifier(address(_verifier)),
            _precommits,
            _translations,
            PERIOD,
            DRIFT,
            headerAt(block_)
        );
    }

    function registerBoth() private {
        client.register(translation(1, ".translation_10000"));
        client.register(translation(2, ".translation_10501"));
    }

    function next() private view returns (CometBftClient.Update memory update) {
        update = step(BEFORE, TO);
        update.proof = data(".own");
    }

    function skip() private view returns (CometBftClient.Update memory update) {
        update = step(FROM, TO);
        (update.proof, update.trustedProof) = (data(".own"), data(".trusted"));
    }

    function translation(uint256 i, string memory proof)
        private
        view
        returns (CometBftClient.Translation memory set)
    {
        set = setAt(i);
        set.proof = data(proof);
    }

    function expectRejected(CometBftClient.Update memory update, bytes32 validators) private {
        vm.expectRevert(abi.encodeWithSelector(CometBftClient.ProofRejected.selector, validators));
        client.submit(update);
    }

    function data(string memory place) private view returns (bytes memory) {
        return vm.parseJsonBytes(_proofs, place);
    }
}
