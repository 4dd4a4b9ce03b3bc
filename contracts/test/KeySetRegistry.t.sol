// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

import {KeySetRegistry} from "../src/KeySetRegistry.sol";
import {MusterPoseidon} from "../src/MusterPoseidon.sol";
import {Test} from "./base/Test.sol";

contract KeySetRegistryTest is Test {
    uint256 private constant SETS = 15;

    KeySetRegistry private _registry = new KeySetRegistry();
    uint256[] private _constants;
    uint256[] private _matrix;

    event KeySetRegistered(
        bytes32 indexed commitment, uint256 indexed root, uint256 indexed depth, uint64 totalWeight
    );

    // ------------------------------------------------------------------------------ Poseidon

    /// @dev circomlib's `poseidon([1, 2, 0, 0, 0])` and `poseidon([3, 4, 5, 10, 23])`, from `test/poseidoncircuit.js`
    /// of iden3/circomlib.
    function testTheHashIsCircomlibs() public pure {
        bytes memory table = MusterPoseidon.constants();
        assertEq(
            MusterPoseidon.hash(table, [uint256(0), 1, 2, 0, 0, 0]),
            1018317224307729531995786483840663576608797660851238720571059489595066344487,
            "1, 2"
        );
        assertEq(
            MusterPoseidon.hash(table, [uint256(0), 3, 4, 5, 10, 23]),
            13034429309846638789535561449942021891039729847501137143363028890275222221409,
            "3, 4, 5, 10, 23"
        );
    }

    /// @dev Against the permutation as the paper has it, with a matrix in each round.
    /// forge-config: default.fuzz.runs = 32
    function testFuzzTheHashIsThatOfThePaper(uint256[6] memory lanes) public view {
        for (uint256 i = 0; i < 6; ++i) {
            lanes[i] %= MusterPoseidon.R;
        }
        uint256 expected = plainly(lanes);
        assertEq(MusterPoseidon.hash(MusterPoseidon.constants(), lanes), expected, "hash");
    }

    function testTheGreatestElements() public view {
        uint256 most = MusterPoseidon.R - 1;
        uint256[6] memory lanes = [most, most, most, most, most, most];
        uint256 expected = plainly(lanes);
        assertEq(MusterPoseidon.hash(MusterPoseidon.constants(), lanes), expected, "hash");
    }

    /// @dev Round constants and matrix as circomlib has them, written by tools/poseidon.
    function setUp() public {
        string memory json = vm.readFile("test/vectors/poseidon.json");
        _constants = vm.parseJsonUintArray(json, ".constants");
        _matrix = vm.parseJsonUintArray(json, ".matrix");
    }

    function plainly(uint256[6] memory lanes) private view returns (uint256) {
        (uint256[] memory constants, uint256[] memory matrix) = (_constants, _matrix);
        assertEq(constants.length, 68 * 6, "constants");
        uint256[6] memory state = lanes;
        for (uint256 round = 0; round < 68; ++round) {
            uint256[6] memory next;
            for (uint256 i = 0; i < 6; ++i) {
                uint256 x = addmod(state[i], constants[6 * round + i], MusterPoseidon.R);
                if (i == 0 || round < 4 || round >= 64) {
                    uint256 square = mulmod(x, x, MusterPoseidon.R);
                    x = mulmod(mulmod(square, square, MusterPoseidon.R), x, MusterPoseidon.R);
                }
                for (uint256 j = 0; j < 6; ++j) {
                    uint256 product = mulmod(matrix[6 * j + i], x, MusterPoseidon.R);
                    next[j] = addmod(next[j], product, MusterPoseidon.R);
                }
            }
            state = next;
        }
        return state[0];
    }

    // ------------------------------------------------------------------------------ Roots

    function testRootsAreThoseOfTheCommand() public {
        string memory json = vm.readFile("test/vectors/key-sets.json");
        for (uint256 i = 0; i < SETS; ++i) {
            string memory at = string.concat(".sets[", vm.toString(i), "]");
            (address[] memory members, uint64[] memory weights) = listOf(json, at);
            uint256 depth = vm.parseJsonUint(json, string.concat(at, ".depth"));
            uint256 root = vm.parseJsonUint(json, string.concat(at, ".root"));
            uint256 total = vm.parseJsonUint(json, string.concat(at, ".total_weight"));
            bytes32 commitment = _registry.commitmentOf(members, weights);
            assertEq(_registry.keySet(commitment, depth).root, 0, "before");
            KeySetRegistry.KeySet memory set = KeySetRegistry.KeySet(root, uint64(total));
            vm.expectEmit();
            emit KeySetRegistered(commitment, root, depth, uint64(total));
            assertSame(_registry.register(members, weights, depth), set);
            assertSame(_registry.keySet(commitment, depth), set);
            assertSame(_registry.compute(members, weights, depth), set);
            assertEq(_registry.keySet(commitment, depth + 1).root, 0, "another depth");
        }
        string memory next = string.concat(".sets[", vm.toString(SETS), "]");
        assertFalse(vm.keyExistsJson(json, next), "all");
    }

    function testTwiceIsOnce() public {
        (address[] memory members, uint64[] memory weights) = (some(3), new uint64[](0));
        KeySetRegistry.KeySet memory set = _registry.register(members, weights, 1);
        vm.recordLogs();
        assertSame(_registry.register(members, weights, 1), set);
        assertEq(vm.getRecordedLogs().length, 0, "no event");
    }

    /// @dev The commitment of a list without weights is what a light client computes of the addresses alone.
    function testTheCommitmentIsOfTheAddresses() public view {
        address[] memory members = some(3);
        uint64[] memory weights = new uint64[](0);
        bytes32 list =
            keccak256(abi.encode(uint160(members[0]), uint160(members[1]), uint160(members[2])));
        assertEq(_registry.commitmentOf(members, weights), list, "list");
        weights = ones(3);
        bytes32 word = keccak256(abi.encode(1, 1, 1));
        assertEq(
            _registry.commitmentOf(members, weights), keccak256(abi.encode(list, word)), "weighted"
        );
    }

    function testWeightsOfOneAreNoWeights() public view {
        KeySetRegistry.KeySet memory plain = _registry.compute(some(7), new uint64[](0), 1);
        assertSame(_registry.compute(some(7), ones(7), 1), plain);
    }

    /// forge-config: default.fuzz.runs = 64
    function testFuzzEveryMemberAndItsPlaceCounts(uint256 count, uint256 place, uint160 other)
        public
        view
    {
        count = bound(count, 1, 32);
        place = bound(place, 0, count - 1);
        address[] memory members = some(count);
        uint256 root = _registry.compute(members, ones(count), 2).root;
        vm.assume(other != 0);
        for (uint256 i = 0; i < count; ++i) {
            vm.assume(members[i] != address(other));
        }
        uint64[] memory weights = ones(count);
        weights[place] = 2;
        assertTrue(_registry.compute(members, weights, 2).root != root, "weight");
        address before = members[place];
        members[place] = address(other);
        assertTrue(_registry.compute(members, ones(count), 2).root != root, "member");
        if (place == 0) return;
        (members[place], members[place - 1]) = (members[place - 1], before);
        assertTrue(_registry.compute(members, ones(count), 2).root != root, "order");
    }

    // ------------------------------------------------------------------------------ Refused

    function testFuzzDuplicatesAreRefused(uint256 count, uint256 one, uint256 two, bool sorted)
        public
    {
        count = bound(count, 2, 32);
        one = bound(one, 0, count - 2);
        two = bound(two, one + 1, count - 1);
        address[] memory members = some(count);
        for (uint256 i = 0; sorted && i < count; ++i) {
            members[i] = address(uint160(1 + i));
        }
        members[two] = members[one];
        vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.DuplicateMember.selector, two));
        _registry.compute(members, ones(count), 2);
        vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.DuplicateMember.selector, two));
        _registry.register(members, new uint64[](0), 2);
    }

    function testFuzzTheZeroAddressIsRefused(uint256 count, uint256 place) public {
        count = bound(count, 1, 32);
        place = bound(place, 0, count - 1);
        address[] memory members = some(count);
        members[place] = address(0);
        vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.ZeroAddress.selector, place));
        _registry.compute(members, new uint64[](0), 2);
    }

    function testNumbersOfMembers() public {
        uint64[] memory none = new uint64[](0);
        expectNumber(0);
        _registry.compute(some(0), none, 1);
        expectNumber(33);
        _registry.compute(some(33), none, 2);
        for (uint256 count = 0; count < 5; ++count) {
            if (count == 0 || count == 3) continue;
            vm.expectRevert(
                abi.encodeWithSelector(KeySetRegistry.WrongNumberOfWeights.selector, 3, count)
            );
            _registry.compute(some(3), ones(count), 1);
        }
    }

    function testDepths() public {
        uint64[] memory none = new uint64[](0);
        uint256[4] memory depths = [uint256(0), 5, type(uint256).max, 1];
        for (uint256 i = 0; i < 4; ++i) {
            vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.WrongDepth.selector, depths[i]));
            _registry.compute(some(21), none, depths[i]);
        }
        _registry.compute(some(20), none, 1);
    }

    function testWeights() public {
        uint64[3] memory bad = [0, uint64(2 ** 60), type(uint64).max];
        for (uint256 i = 0; i < 3; ++i) {
            uint64[] memory weights = ones(5);
            weights[3] = bad[i];
            expectWeight(3);
            _registry.compute(some(5), weights, 1);
        }
        uint64[] memory heavy = ones(2);
        heavy[0] = 2 ** 60 - 1;
        expectWeight(1);
        _registry.compute(some(2), heavy, 1);
        heavy[0] = 2 ** 60 - 2;
        assertEq(_registry.compute(some(2), heavy, 1).totalWeight, 2 ** 60 - 1, "most");
    }

    function testTheSlotIsThatOfItsName() public {
        (address[] memory members, uint64[] memory weights) = (some(1), new uint64[](0));
        uint256 root = _registry.register(members, weights, 1).root;
        uint256 base = uint256(keccak256("muster.storage.KeySetRegistry")) - 1;
        bytes32 slot = keccak256(abi.encode(base)) & ~bytes32(uint256(0xff));
        bytes32 at = keccak256(abi.encode(_registry.commitmentOf(members, weights), slot));
        at = keccak256(abi.encode(1, at));
        assertEq(uint256(vm.load(address(_registry), at)), root, "root");
    }

    /// @dev What README says of it; the whole transaction.
    function testCost() public {
        uint256[4] memory counts = [uint256(1), 8, 19, 32];
        uint256[4] memory most = [uint256(175_000), 240_000, 416_000, 710_000];
        for (uint256 i = 0; i < 4; ++i) {
            _registry.register(some(counts[i]), new uint64[](0), counts[i] > 20 ? 2 : 1);
            uint256 used = vm.lastCallGas().gasTotalUsed;
            emit log_named_uint(string.concat("members: ", vm.toString(counts[i])), used);
            assertBelow(used, most[i], "cost");
        }
        bytes memory table = MusterPoseidon.constants();
        uint256 before = gasleft();
        MusterPoseidon.hash(table, [uint256(0), 1, 2, 3, 4, 5]);
        emit log_named_uint("a permutation", before - gasleft());
    }

    // ------------------------------------------------------------------------------ Helpers

    function listOf(string memory json, string memory at)
        private
        pure
        returns (address[] memory members, uint64[] memory weights)
    {
        uint256[] memory found = vm.parseJsonUintArray(json, string.concat(at, ".members"));
        members = new address[](found.length);
        for (uint256 i = 0; i < found.length; ++i) {
            members[i] = address(uint160(found[i]));
        }
        found = vm.parseJsonUintArray(json, string.concat(at, ".weights"));
        weights = new uint64[](found.length);
        for (uint256 i = 0; i < found.length; ++i) {
            weights[i] = uint64(found[i]);
        }
    }

    function some(uint256 count) private pure returns (address[] memory members) {
        members = new address[](count);
        for (uint256 i = 0; i < count; ++i) {
            members[i] = address(uint160(uint256(keccak256(abi.encode("member", i)))));
        }
    }

    function ones(uint256 count) private pure returns (uint64[] memory weights) {
        weights = new uint64[](count);
        for (uint256 i = 0; i < count; ++i) {
            weights[i] = 1;
        }
    }

    function assertSame(KeySetRegistry.KeySet memory left, KeySetRegistry.KeySet memory right)
        private
        pure
    {
        assertEq(keccak256(abi.encode(left)), keccak256(abi.encode(right)), "set");
    }

    function expectNumber(uint256 members) private {
        vm.expectRevert(
            abi.encodeWithSelector(KeySetRegistry.WrongNumberOfMembers.selector, members)
        );
    }

    function expectWeight(uint256 member) private {
        vm.expectRevert(abi.encodeWithSelector(KeySetRegistry.WeightOutOfRange.selector, member));
    }
}
