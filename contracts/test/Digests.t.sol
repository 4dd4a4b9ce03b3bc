// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {AxelarDigest} from "../src/digests/AxelarDigest.sol";
import {CctpDigest} from "../src/digests/CctpDigest.sol";
import {Eip712Digest} from "../src/digests/Eip712Digest.sol";
import {EthereumDigest} from "../src/digests/EthereumDigest.sol";
import {HyperlaneDigest} from "../src/digests/HyperlaneDigest.sol";
import {Keccak256Digest} from "../src/digests/Keccak256Digest.sol";
import {LayerZeroDigest} from "../src/digests/LayerZeroDigest.sol";
import {Sha256Digest} from "../src/digests/Sha256Digest.sol";
import {WormholeDigest} from "../src/digests/WormholeDigest.sol";
import {IDigest} from "../src/interfaces/IDigest.sol";
import {Adapters} from "./base/Adapters.sol";

/// @dev Each adapter on bytes that others published, on what it refuses, and against a formula written once more.
contract DigestsTest is Adapters {
    IDigest private _wormhole = IDigest(address(WormholeDigest));
    IDigest private _hyperlane = IDigest(address(HyperlaneDigest));
    IDigest private _cctp = IDigest(address(CctpDigest));
    IDigest private _axelar = IDigest(address(AxelarDigest));
    IDigest private _layerZero = IDigest(address(LayerZeroDigest));
    IDigest private _eip712 = IDigest(address(Eip712Digest));
    IDigest private _ethereum = IDigest(address(EthereumDigest));

    // ------------------------------------------------------------------------------ Plain hashes

    /// @dev FIPS 180-4's example, and the Keccak-256 that Ethereum has of no bytes.
    function testPlainHashes() public view {
        IDigest sha = IDigest(address(Sha256Digest));
        IDigest keccak = IDigest(address(Keccak256Digest));
        assertEq(
            sha.digestOf("abc"),
            0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad,
            "SHA-256"
        );
        assertEq(
            keccak.digestOf(""),
            0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470,
            "Keccak-256"
        );
    }

    // ------------------------------------------------------------------------------ EIP-712

    /// @dev The example of EIP-712: "Mail", from Cow to Bob.
    bytes private constant MAIL = hex"f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"
        hex"c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e";

    function testEip712() public {
        assertEq(
            _eip712.digestOf(MAIL),
            0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2,
            "Mail"
        );
        refusesOtherLengths(_eip712, MAIL);
    }

    // ------------------------------------------------------------------------------ Wormhole

    /// @dev Whom the signatures of a VAA are by: the guardians of the set that the VAA before installed.
    function testGuardiansSignedTheDigest() public view {
        string memory json = vm.readFile("test/vectors/wormhole.json");
        for (uint256 v = 0; v < 3; ++v) {
            string memory at = string.concat(".upgrades[", vm.toString(v), "]");
            bytes32 digest = _wormhole.digestOf(vm.parseJsonBytes(json, string.concat(at, ".body")));
            uint256[] memory signers = vm.parseJsonUintArray(json, string.concat(at, ".signers"));
            for (uint256 i = 0; i < signers.length; ++i) {
                string memory place = string.concat(at, ".signatures[", vm.toString(i), "]");
                bytes memory signature = vm.parseJsonBytes(json, place);
                // Wormhole has 0 and 1 where ecrecover wants 27 and 28.
                signature[64] = bytes1(uint8(signature[64]) + 27);
                address guardian = v == 0
                    ? vm.parseJsonAddress(json, ".first")
                    : guardianOf(json, v - 1, signers[i]);
                assertEq(recover(digest, signature), guardian, "guardian");
            }
        }
    }

    /// @dev From the payload: module, action, chain, index and count are 40 bytes behind a header of 51.
    function guardianOf(string memory json, uint256 upgrade, uint256 guardian)
        private
        pure
        returns (address)
    {
        string memory at = string.concat(".upgrades[", vm.toString(upgrade), "].body");
        bytes memory body = vm.parseJsonBytes(json, at);
        return address(bytes20(slice(body, 91 + 20 * guardian, 20)));
    }

    function testABodyIsRead() public {
        string memory json = vm.readFile("test/vectors/wormhole.json");
        bytes memory body = vm.parseJsonBytes(json, ".upgrades[0].body");
        WormholeDigest.Body memory read = adapters.wormhole(body);
        assertEq(read.timestamp, 1628094930, "timestamp, as in set-v1.prototxt");
        assertEq(read.nonce, 3, "nonce");
        assertEq(read.emitterChainId, 1, "Solana");
        assertEq(uint256(read.emitterAddress), 4, "governance");
        assertEq(read.sequence, 1337, "sequence");
        assertEq(read.consistencyLevel, 0, "consistency");
        assertEq(keccak256(read.payload), keccak256(slice(body, 51, body.length - 51)), "payload");
        vm.expectRevert(abi.encodeWithSelector(IDigest.TooShort.selector, 51, 50));
        adapters.wormhole(new bytes(50));
        vm.expectRevert(abi.encodeWithSelector(IDigest.TooShort.selector, 51, 50));
        _wormhole.digestOf(new bytes(50));
        _wormhole.digestOf(new bytes(51));
    }

    // ------------------------------------------------------------------------------ Hyperlane

    /// @dev `vectors/domainHash.json` of hyperlane-xyz/hyperlane-monorepo.
    function testDomainsOfHyperlane() public view {
        bytes32 hook = bytes32(uint256(uint160(0x2222222222222222222222222222222222222222)));
        bytes32[3] memory hashes = [
            bytes32(0xbbca56eb98960a4637eb40486d9a069550dd70d9c185ed138516e8e33cf3d7e7),
            0xa6a93d86d397028e41995d521ccbc270e6db2a2fc530dcb7f0135254f30c8424,
            0xffb4fbe5142f55e07b5d44b3c7f565c5ef4b016551cbd7c23a92c91621aca06f
        ];
        for (uint32 i = 0; i < 3; ++i) {
            assertEq(adapters.hyperlaneDomain(i + 1, hook), hashes[i], "domain");
        }
    }

    /// @dev A checkpoint of Base with the signature of its validator, Staked, whose address Hyperlane lists
    /// (`typescript/sdk/src/consts/multisigIsm.ts`).
    bytes private constant CHECKPOINT = hex"00002105"
        hex"00000000000000000000000019dc38aeae620380430c200a6e990d5af5480117"
        hex"d0da44bb893ca80c15cb8206bcd7a7ff3aab635bed0ba32799d00b2bdfb30b84" hex"0016dde7"
        hex"ad83200ad99a5dad2fddccb12e6d646b4998a7aa27152347e2b05cf4a411b158";

    function testHyperlane() public {
        bytes32 digest = _hyperlane.digestOf(CHECKPOINT);
        address validator = recover(
            digest,
            hex"5a3307ef9c3ec9259cdcc3c572ab6997bbe0890f6fddc8ed16cf008c60988b61"
            hex"0eb301c259613ac4fad63696c423211b50419b56e4e2dcb3550bd58d321840551b"
        );
        assertEq(validator, 0xb3AC35d3988bca8C2fFD195b1c6bee18536B317b, "validator");
        refusesOtherLengths(_hyperlane, CHECKPOINT);
    }

    function testFuzzHyperlane(uint32 origin, bytes32 hook, bytes32 root, uint32 index, bytes32 id)
        public
        view
    {
        bytes memory statement = abi.encodePacked(origin, hook, root, index, id);
        bytes32 domain = keccak256(bytes.concat(bytes4(origin), hook, bytes("HYPERLANE")));
        bytes32 inner = keccak256(bytes.concat(domain, root, bytes4(index), id));
        assertEq(_hyperlane.digestOf(statement), personal(inner), "digest");
    }

    // ------------------------------------------------------------------------------ CCTP

    /// @dev A message of CCTP V1 from Ethereum to Arbitrum, from the reference of Circle's API (`/v1/messages`).
    bytes private constant BURN = hex"0000000000000000000000030000000000004d1c"
        hex"000000000000000000000000bd3fa81b58ba92a82136038b25adec7066af3155"
        hex"00000000000000000000000019330d10d9cc8751218eaf51e8885d058642e08a"
        hex"0000000000000000000000000000000000000000000000000000000000000000" hex"00000000"
        hex"000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
        hex"000000000000000000000000c27118f20095ab77b2f2ac8803100b7dd6c86269"
        hex"00000000000000000000000000000000000000000000000000000004bb7c9aca"
        hex"000000000000000000000000c27118f20095ab77b2f2ac8803100b7dd6c86269";

    /// @dev The hash is viem's.
    function testCctp() public {
        assertEq(
            _cctp.digestOf(BURN),
            0x422468c5cb17ed235bafa629fcd46833f5faee2492052a3ca8254e4413e31dcd,
            "digest"
        );
        bytes memory later = bytes.concat(BURN);
        later[3] = 0x01;
        assertEq(_cctp.digestOf(later), keccak256(later), "version 1");
        later[3] = 0x02;
        vm.expectRevert(abi.encodeWithSelector(IDigest.UnknownKind.selector, 2));
        _cctp.digestOf(later);
        for (uint256 length = 0; length < 150; ++length) {
            bytes memory cut = slice(BURN, 0, length);
            if (length < 116) expectTooShort(116, length);
            _cctp.digestOf(cut);
            if (length < 4) continue;
            cut[3] = 0x01;
            if (length < 148) expectTooShort(length < 116 ? 116 : 148, length);
            _cctp.digestOf(cut);
        }
    }

    // ------------------------------------------------------------------------------ Axelar

    struct WeightedSigner {
        address signer;
        uint128 weight;
    }

    struct WeightedSigners {
        WeightedSigner[] signers;
        uint128 threshold;
        bytes32 nonce;
    }

    struct AxelarMessage {
        string sourceChain;
        string messageId;
        string sourceAddress;
        address contractAddress;
        bytes32 payloadHash;
    }

    bytes32 private constant SEPARATOR =
        0x3593643a7d7e917a099eef6c52d1420bb4f33eb074b16439556de5984791262b;

    /// @dev The hashes that axelarnetwork/axelar-amplifier expects in `multisig-prover/src/encoding/abi/mod.rs`
    /// (`weight_signers_hash`, `approve_messages_hash`), the second one from axelar-gmp-sdk-solidity.
    function testAxelar() public {
        bytes32 signersHash = keccak256(abi.encode(axelarSigners()));
        assertEq(
            signersHash,
            0xe490c7e55a46b0e1e39a3034973b676eed044fed387f80f4e6377305313f8762,
            "signers"
        );
        bytes memory statement = bytes.concat(SEPARATOR, signersHash, axelarMessages());
        assertEq(
            _axelar.digestOf(statement),
            0x58fec5536ad39d7992fd39cc75cf857f21aa2a9124b15faf328928fd635fd2e0,
            "messages"
        );
        statement[95] = 0x02;
        vm.expectRevert(abi.encodeWithSelector(IDigest.UnknownKind.selector, 2));
        _axelar.digestOf(statement);
        bytes memory longer = bytes.concat(statement, hex"00");
        vm.expectRevert(
            abi.encodeWithSelector(
                IDigest.WrongLength.selector, statement.length, statement.length + 1
            )
        );
        _axelar.digestOf(longer);
        for (uint256 length = 0; length < 160; ++length) {
            bytes memory cut = slice(statement, 0, length);
            expectTooShort(160, length);
            _axelar.digestOf(cut);
        }
    }

    /// @dev Where a list stands among what names the next signers, and the hash of one with weights of one byte to eight, which
    /// the translation `axelar-signers` is of: the same two numbers stand in `schemes/src/membership/commitment/tests/lists.rs`.
    function testAxelarList() public pure {
        WeightedSigners memory all = axelarSigners();
        for (uint256 i = 0; i < 5; ++i) {
            all.signers[i].weight = uint128(7 << (14 * i));
        }
        bytes memory data = abi.encode(1, all);
        bytes memory list = slice(data, 192, data.length - 192);
        assertEq(list.length, 5 * 64, "two words for each signer");
        assertEq(
            keccak256(list),
            0xe8e5f27f5f337eb74d6363a3a133efaa28d4adc1a7d3c20b3e459f4fffd4f757,
            "list"
        );
        bytes memory own = bytes.concat(abi.encode(0x20), slice(data, 64, data.length - 64));
        assertEq(keccak256(own), keccak256(abi.encode(all)), "signers");
    }

    function testFuzzAxelar(bytes32 separator, bytes32 signers, bytes32[] calldata words)
        public
        view
    {
        bytes memory data = abi.encode(1, 64, words);
        bytes memory signed = bytes.concat(
            "\x19", "Ethereum Signed Message:\n", "96", separator, signers, keccak256(data)
        );
        bytes memory statement = bytes.concat(separator, signers, data);
        assertEq(_axelar.digestOf(statement), keccak256(signed), "digest");
    }

    /// @dev `curr_worker_set`: five accounts of Hardhat.
    function axelarSigners() private pure returns (WeightedSigners memory all) {
        address[5] memory accounts = [
            0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65,
            0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC,
            0x70997970C51812dc3A010C7d01b50e0d17dc79C8,
            0x90F79bf6EB2c4f870365E785982E1f101E93b906,
            0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
        ];
        all.signers = new WeightedSigner[](5);
        for (uint256 i = 0; i < 5; ++i) {
            all.signers[i] = WeightedSigner(accounts[i], 1);
        }
        all.threshold = 3;
    }

    function axelarMessages() private pure returns (bytes memory) {
        AxelarMessage[] memory messages = new AxelarMessage[](1);
        messages[0] = AxelarMessage(
            "ganache-1",
            "0xff822c88807859ff226b58e24f24974a70f04b9442501ae38fd665b3c68f3834-0",
            "0x52444f1835Adc02086c37Cb226561605e2E1699b",
            0xA4f10f76B86E01B98daF66A3d02a65e14adb0767,
            0x8c3685dc41c2eca11426f8035742fb97ea9f14931152670a5703f18fe8b392f0
        );
        return abi.encode(uint8(0), messages);
    }

    // ------------------------------------------------------------------------------ LayerZero

    /// @dev Two calls that the DVN of Google Cloud executed (0xD56e4eAb23cb81f43168F9F45211Eb027b9aC7cc), of any two of
    /// three signers each: in the transactions 0x6f55e12280765243993c76e80e244ecad548aff22380c8e89e060a60deab4b28 of
    /// Ethereum (raw in FISCO-BCOS/FISCO-BCOS, `Web3RpcTest.cpp`) and
    /// 0x325f1a37f5163e1fff710a6d2da2f3c4fc0b245436773e5bcccf856d66c3b1ab of Arbitrum. Its constructor's arguments name the
    /// signers (l2beat/l2beat, `LayerZeroMultisigHandler.test.ts`).
    bytes private constant ON_ETHEREUM = hex"704316e5"
        hex"000000000000000000000000000000000000000000000000000000000000006e"
        hex"740e551c6ee78d757128b8e476b390f891c54e96538e1bb4469a62105220215a"
        hex"0000000000000000000000000000000000000000000000000000000000000014"
        hex"740e551c6ee78d757128b8e476b390f891c54e96538e1bb4469a62105220215a";
    bytes private constant SIGNED_ON_ETHEREUM = hex"ce44cffc92754f8825e1c60cadc5f54a504b769ee616e9f28a9797c2a4b84d11"
        hex"542a1aa4a06a6aa60ee062a36c4fb467145b8914959e42323a13068e2475bff4" hex"1c"
        hex"67af8dd96034675776cb78036711c1f320b82085df5ee005ffca77959f29a0a0"
        hex"7a226241787f06b57483d509e0befd84e5ac84d960e881c7b0853ee1d7c63dff" hex"1b";
    bytes private constant ON_ARBITRUM = hex"704316e5"
        hex"00000000000000000000000000000000000000000000000000000000000000b8"
        hex"3da1354fb15b9890d3aa68626bb2457b2d6c61c8c1f51eb24dcea66f3dbe29f3"
        hex"000000000000000000000000000000000000000000000000000000000000000a"
        hex"3da1354fb15b9890d3aa68626bb2457b2d6c61c8c1f51eb24dcea66f3dbe29f3";
    bytes private constant SIGNED_ON_ARBITRUM = hex"42c256e2ce230e77a106b196d7243ec5189420dafad9abe5d83b30f762ee299f"
        hex"2c0ef6194495bda7e52892e1a659841962670e3ab304c51f9414ae99b2fa278d" hex"1c"
        hex"66cbb2f7a046ee17ba9d09eec1f523747d81616c5f14e81805f50eadff9ce2b5"
        hex"2ac51eaed4ce158a69906784c3ed6f338d4d8ae87e1fb2df90fccfb012533707" hex"1c";
    address private constant LIBRARY = 0x4D73AdB72bC3DD368966edD0f0b2148401A178E2;

    function testSignersOfADvnSignedTheDigest() public {
        address[3] memory signers = [
            0x0D099360A069359fE7c9503ab44cbCb9eB2A7466,
            0x94bC8Ba19b4CcE7AAc14E2679942fc567e027C67,
            0xDdBDC840164da20bCf6AA85C3957396C14642AB1
        ];
        bytes memory statement =
            abi.encodePacked(uint32(101), LIBRARY, uint256(1_713_178_691), ON_ETHEREUM);
        requireSigned(statement, SIGNED_ON_ETHEREUM, 1_713_178_691, signers[0], signers[1]);
        statement = abi.encodePacked(uint32(110), LIBRARY, uint256(1_698_173_488), ON_ARBITRUM);
        requireSigned(statement, SIGNED_ON_ARBITRUM, 1_698_173_488, signers[1], signers[2]);
    }

    /// @dev Up to the second before it expires. Of another DVN, nobody in particular signed it.
    function requireSigned(
        bytes memory statement,
        bytes memory signatures,
        uint256 expiration,
        address first,
        address second
    ) private {
        vm.warp(expiration - 1);
        bytes32 digest = _layerZero.digestOf(statement);
        assertEq(recover(digest, slice(signatures, 0, 65)), first, "first");
        assertEq(recover(digest, slice(signatures, 65, 65)), second, "second");
        vm.warp(expiration);
        vm.expectRevert(abi.encodeWithSelector(IDigest.StatementExpired.selector, expiration));
        _layerZero.digestOf(statement);
        vm.warp(expiration - 1);
        statement[3] ^= 0x01;
        digest = _layerZero.digestOf(statement);
        assertTrue(recover(digest, slice(signatures, 0, 65)) != first, "another DVN");
    }

    /// @dev A packet that `ReceiveUln302` is to verify on Polygon, with the hash of the call and the signature by a public
    /// test key (FP-Validated/pillar-client, `historical_smoke.json`).
    bytes private constant ON_POLYGON = hex"0223536e"
        hex"0000000000000000000000000000000000000000000000000000000000000060"
        hex"0f2956c880eb0c26e736784e6f1317c4611665b8a75a48e5da1287bd51acffca"
        hex"000000000000000000000000000000000000000000000000000000000000000f"
        hex"0000000000000000000000000000000000000000000000000000000000000051"
        hex"010000000000003413000075950000000000000000000000006c96de32cea088"
        hex"42dcc4058c14d3aaad7fa41dee0000759d0000000000000000000000006ba103"
        hex"00f0dc58b7a1e4c0e41f5dabb7d7829e13000000000000000000000000000000";

    function testADvnVerifiesAPacket() public {
        address receiver = 0x1322871e4ab09Bc7f5717189434f97bBD9546e95;
        bytes memory statement =
            abi.encodePacked(uint32(109), receiver, uint256(1_900_000_000), ON_POLYGON);
        bytes32 call = 0xac5eea865ade8d6bd00b92a68e50f5f117f66da178c6d71db604f528429ea2dc;
        bytes memory signature = hex"ba593b7136a62f1af96088c2409786dbd1b3ba79699d0667006c54e253643b2e"
            hex"391ab22ee16d890c1f6a3dd9b14415a831b7a31530988e9d7153529991fcf4d2" hex"1c";
        vm.warp(1_899_999_999);
        bytes32 digest = _layerZero.digestOf(statement);
        assertEq(digest, personal(call), "the hash of the call");
        assertEq(recover(digest, signature), 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, "signer");
    }

    /// @dev Against the formula of `DVN.hashCallData` and `MultiSig._getEthSignedMessageHash`.
    function testFuzzLayerZero(
        uint32 vid,
        address target,
        uint64 now_,
        uint64 life,
        bytes4 selector,
        bytes calldata arguments
    ) public {
        vm.warp(now_);
        uint256 expiration = uint256(now_) + life;
        bytes memory statement = abi.encodePacked(vid, target, expiration, selector, arguments);
        if (life == 0) {
            vm.expectRevert(abi.encodeWithSelector(IDigest.StatementExpired.selector, expiration));
        }
        bytes32 digest = _layerZero.digestOf(statement);
        if (life != 0) assertEq(digest, personal(keccak256(statement)), "digest");
    }

    function testLayerZeroWantsASelector() public {
        vm.warp(1);
        bytes memory statement = abi.encodePacked(uint32(30), address(this), uint256(2), bytes3(0));
        for (uint256 length = 0; length < 60; ++length) {
            bytes memory cut = slice(statement, 0, length);
            expectTooShort(60, length);
            _layerZero.digestOf(cut);
        }
        _layerZero.digestOf(bytes.concat(statement, hex"00"));
    }

    // ------------------------------------------------------------------------------ Ethereum

    bytes32 private constant MAINNET =
        0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95;
    /// @dev Slot 9420873 (0x8fc049) of mainnet and the proposer 706585, as in the update of a light client that
    /// argumentcomputer/zk-light-clients has (LightClientUpdateDeneb.json).
    bytes private constant ATTESTED = hex"49c08f0000000000" hex"19c80a0000000000"
        hex"6667cfee40677e798ebd3a5d77e0ca81eb8c460116e05ed7971d65d4bb096cf4"
        hex"dc390dd56651eb0421dfcef9a29a530e9519b1c8347b0d3c83ea3f924d5cab4c"
        hex"5ddaf339d696b64bb4409db90735d92aa47d605d1a328b7b24c0bae252836209";
    /// @dev Slot 9420800, of the same update.
    bytes private constant FINALIZED = hex"00c08f0000000000" hex"febe0d0000000000"
        hex"1b67d2012d73c2ff7cc81ed2500114c0d37378c586d075eb8db3ff66da24f82e"
        hex"c30e16aa33c6ac5cdeac7b511d923d0f7020d7c7a4e9754467daaa5d5a80c9cf"
        hex"c25d7b416a8f3ef585b09cb7c80498ce7a3586a7ed782afafde8935d46d5823f";

    /// @dev The digest is what `muster import beacon` names for the update, whose signature holds for it.
    function testEthereum() public {
        bytes memory statement = bytes.concat(ATTESTED, hex"04000000", MAINNET);
        assertEq(
            _ethereum.digestOf(statement),
            0x097473a1204036e201dc4110c9284b0f4b82a489d58fa7b64f7f3781a5fddb93,
            "signing root"
        );
        refusesOtherLengths(_ethereum, statement);
        vm.expectRevert(abi.encodeWithSelector(IDigest.WrongLength.selector, 112, 148));
        adapters.headerRoot(statement);
    }

    /// @dev The finalized header is in the state of the attested one: the branch is the update's.
    function testTheRootOfAHeaderIsTheChains() public view {
        bytes32[6] memory branch = [
            bytes32(0x007e040000000000000000000000000000000000000000000000000000000000),
            0x0f55f42129f3173ad7313eb7ffb9bc3706497728f90238629fca22c18be4fd13,
            0x404abac8d5490def11955eaceb0c6d7fe896ebeaf2a3b7844f9c3bbcab13b7de,
            0xf8b013e8abdd95262c7f36dddbed8b440c782bd1b56f162c264583d9d45136f1,
            0xd2a27ec6e2ad1a24d407adc1340800057d666e01d4999408bc6042aac7c76c67,
            0x93e643c4eecab93d4d64124bf9ba8e578524e281199e840567590c7c35e9c098
        ];
        bytes32 node = adapters.headerRoot(FINALIZED);
        for (uint256 i = 0; i < 6; ++i) {
            // The place of the root of the finalized checkpoint is 41.
            node = 41 >> i & 1 == 1
                ? sha256(bytes.concat(branch[i], node))
                : sha256(bytes.concat(node, branch[i]));
        }
        assertEq(node, bytes32(slice(ATTESTED, 48, 32)), "state");
    }

    function testFuzzEthereum(uint64 slot, uint64 proposer, bytes32[3] calldata roots, bytes4 fork)
        public
        view
    {
        bytes32[8] memory chunks;
        (chunks[0], chunks[1]) = (little(slot), little(proposer));
        (chunks[2], chunks[3], chunks[4]) = (roots[0], roots[1], roots[2]);
        for (uint256 size = 8; size > 1; size /= 2) {
            for (uint256 i = 0; i < size / 2; ++i) {
                chunks[i] = sha256(bytes.concat(chunks[2 * i], chunks[2 * i + 1]));
            }
        }
        bytes32 data = sha256(bytes.concat(bytes32(fork), MAINNET));
        bytes32 domain = bytes32(bytes.concat(hex"07000000", slice(bytes.concat(data), 0, 28)));
        bytes memory header = bytes.concat(
            bytes8(little(slot)), bytes8(little(proposer)), roots[0], roots[1], roots[2]
        );
        assertEq(
            _ethereum.digestOf(bytes.concat(header, fork, MAINNET)),
            sha256(bytes.concat(chunks[0], domain)),
            "signing root"
        );
    }
}
