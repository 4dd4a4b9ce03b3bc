// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.19;

/// @title Poseidon over BN254's scalars in six lanes, with circomlib's constants.
/// @notice A leaf of a key set and a node of its tree are each one permutation of six lanes: a tag (zero in nodes)
/// and five elements. The hash is the first lane.
///
/// Eight full rounds, four of them before 60 partial ones, S-box x^5. The partial rounds have another form than in
/// the paper (ePrint 2019/458): their linear layer is a companion matrix, so that a round takes 11 products and not 36,
/// and its constants are the same in every round. `tools/poseidon` derives all of it, says why it is the same function,
/// and compares what stands here.
/// @dev Products are below the order R, and five of them below 2^256, so sums of five are reduced once.
library MusterPoseidon {
    /// @notice Order of the field.
    uint256 internal constant R =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;

    // Of the partial rounds, where x is the fifth power of lane 0 and z are the others:
    // lane 0 becomes M x + C1 z1 + ... + C5 z5 + a constant, z1 becomes x + A1 z1 + ... + A5 z5, and the rest move up.
    uint256 private constant M = 0x124666f80561ed5916f2f070b1bd248c6d53f44d273d956a0c87b917692a4d18;
    uint256 private constant C1 =
        0x0888977f0006934b7480597c6322d466025ed4a4bf4514b504f6abf6950ccb50;
    uint256 private constant C2 =
        0x29abefe912bda8005e870d46fff2096d43bf156b19bb3dda876a8ab7d08df0a3;
    uint256 private constant C3 =
        0x15d96d9edf3f60a6517630eea5da336333e6083ce55bfb67db5bf9eb0bb547cf;
    uint256 private constant C4 =
        0x19fd7369a1cec25617d27c14912f4b47a65327df5f40f69964e2bbc38578bcd8;
    uint256 private constant C5 =
        0x24fc59446c719fce095293450bb189449814283755821f2eb46c1e119d787c94;
    uint256 private constant A1 =
        0x048d656ff752317c7daa81dc71cdf2a2ebc7625b83540bf73973e353f8b20e59;
    uint256 private constant A2 =
        0x0aee0cb0c04f6f3154ccc3780f2d33159778d1242b86da2aea6bcfd6826b3231;
    uint256 private constant A3 =
        0x071ac0347528ff3a1cf815daea4daf474fa434ecdcf804c79793736dfe4724b4;
    uint256 private constant A4 =
        0x21b5a06b924325638c204d23ae36412555e5e130635ecec149c77c4b4837a30c;
    uint256 private constant A5 =
        0x2af7059dfc198e0e980492115fd669de6858e9aa723d17cb62c043b2ce612e09;

    /// @dev Words before each part of the table, in bytes.
    uint256 private constant ENTER = 1152;
    uint256 private constant LEAVE = 2304;
    uint256 private constant CONSTANTS = 3104;

    /// @dev The matrix; the matrix of the round that enters the partial ones; what leads out of them, five by five;
    /// then constants in the order in which they are added: six for each of the first four rounds, six for the first
    /// partial round, of which five are zero, 59 for the others, and six for each of the last four rounds.
    bytes private constant TABLE = hex"124666f80561ed5916f2f070b1bd248c6d53f44d273d956a0c87b917692a4d18"
        hex"11924f02fd19b09255aaa1cf46ea0518e3d7bfeef47421609491011db0bd0b02"
        hex"247fa7f022304a1994ff505456c2201ef9b717369498d3ffce446601ed9df845"
        hex"03fd7b19ef2c861f22f77ff810f54e277bc94eb76c02d79d986be3dcdf051c3f"
        hex"18bd41239c3e71579a677443ecffbd555a81eeeea69352a68b67c8563c0c2a06"
        hex"2d78c3a5d28de9ff35bf0a257635196e5730ca7f40493277078cd75da8b4ebdc"
        hex"0a514a5c227f4cec95dfa029e8dd124c34895aa46bb27c0911f3780d5015540a"
        hex"192e16d17d956b257b85a652eefdf2ee09589eac5be80915775723d2cb1da06d"
        hex"298ce0c1e3113bb935c7058e7772b533b1aa9db0c0926bdc8917e5605ca3ac10"
        hex"094cb4e83621afd271e41bc71727f0158ebd612239ac9d698b17fe4be05b7fc8"
        hex"03d880395be93c27d649af5fd142e76b33918cb8841d5a28173bd5cf7d328791"
        hex"28eeae6b5866ad68e443bbaf91680db7d7e2b3037e38fef61b42cbccffceca81"
        hex"278bb49a7b4e44aea46eb0f882cb692801a6e60fdd5b5c23c63cd65ccce4fe0a"
        hex"063edec1bed831f506af8db648d6fdea145345887e8bdcff109035a1d9b674d7"
        hex"1baef1cb5509b526a42061fb53657f99b3232500e855192cbe8c940e068c475f"
        hex"1324564ac7bdf9e22164e9858d7fa8e368b165eaea3daf4eb67ee59c0df2e5d4"
        hex"005761b8c6aecb1a8ca4ea4dfc2c8376064a4a8004ceeda210a55240562ddc13"
        hex"10c9e283159d58cb4cb2e35fde83a3ba1fdc28002ed9963d2a99f186178a148d"
        hex"0c399e9f67aa40707a203feefb0b958bbdadcec5ca34901d253d026a2419f6a2"
        hex"083f0df3f1a0351d0330ec3ff602ca8cc353b7f6e762c7107184cd7b423449f6"
        hex"1a6764d5943fc4a720b4c0a19fdb8c711984307287a58b9b5f9f5d58212cb263"
        hex"011a63a26feabf87fa66bde66cc25a922c96382d76c6a7ff48f1537beaed683a"
        hex"08ca7b64657c3548f32bef5b63ad24288a41c0b251099ad27f9434307e3e64d4"
        hex"01998270471e9361955446b0cdb8bea915ec0675f1cd648ddcb04303507a4489"
        hex"1d6b3d5f6ea369c26f825d2362933eaa31ea35ec0a77c1fbd9e01ca1523e4432"
        hex"119ef188bb3dd0d32306976c19941e8664be687e7a69692da27da215a6f06d40"
        hex"2d9e0ab5c06893dfdfd03481381ba86b6e6292df5609d71f2c64b2d9a79f809e"
        hex"25f16631bf77060f7ea34087c025bf135784319ef08cda2e31419ee0a529e658"
        hex"144c7a11da5a7c5dabae3f33fbd03cad86d18bc594c79a497ecb9894edb554f1"
        hex"0f971162627723f3feadacb28b0c104cb8f74de508752fa8d7c0db2af13de8ee"
        hex"24be510095436206dd0abd0b0cbb95c883ab304aa52598b1a69306ec981a688d"
        hex"211610e2ad4a377426fadf7068b0c1a6c299a164c1c1a603eaed944870d0b9b9"
        hex"15a67d981041b1f6f09f3f9ebefd864e779d3af08157786ac077505e50ec79fc"
        hex"049327fa79d28c12a2c82406947f77f06775b0287468b3136877701dbe7c9598"
        hex"230940dcc5232658ff9c29697a3fd416d170e8c998f1aa85dea0c42d79f951aa"
        hex"1b121c049cd1159e289007e0c9da9995cc4bab4c26fb888ec3972a8a2e656964"
        hex"124666f80561ed5916f2f070b1bd248c6d53f44d273d956a0c87b917692a4d18"
        hex"11924f02fd19b09255aaa1cf46ea0518e3d7bfeef47421609491011db0bd0b02"
        hex"247fa7f022304a1994ff505456c2201ef9b717369498d3ffce446601ed9df845"
        hex"03fd7b19ef2c861f22f77ff810f54e277bc94eb76c02d79d986be3dcdf051c3f"
        hex"18bd41239c3e71579a677443ecffbd555a81eeeea69352a68b67c8563c0c2a06"
        hex"2d78c3a5d28de9ff35bf0a257635196e5730ca7f40493277078cd75da8b4ebdc"
        hex"0000000000000000000000000000000000000000000000000000000000000001"
        hex"19e30a4198579fca42c0e95717e0f70d56c0f850077f68f4203c32dc9957de40"
        hex"2daa8f151b831e518cfc4f566c1b673e0a8f88f246de234ac7a4f8575228c899"
        hex"16d7780fdbd4fa003ed281ddb5ed11023d2e10626f73f115fbbf28d863a9fc7f"
        hex"2603ba47599078a5cb7b2f9086901808b6a8d9d5a08d268d96c4b9307f4b347e"
        hex"272bb93c40b9137ffc1dc0d620bfdae07d15d6d1bb28d37cbe41ad04caf0af6f"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"2afe35c7cad85b0b418bee075cdf609498043d7f2d05328d007d0585c0915f24"
        hex"077df9ef3ea9b6d4f0b4dee795445b40362962814bd07bfe76baec0e2377e0fe"
        hex"15682da9c8cfe66437e7affc92f738c3cacd9ecbb6e5a4ece9ef0fa16ece024d"
        hex"082e14c08829c2aa6b742e5b5e7d54d9baf4e1bdaee10aac6ce0526733c4e93f"
        hex"04d5505405c70056142049208eb3533cea80e15054074499677827dbe27d40f0"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"030554ef195d1dea3e2f1847a0fc30e376539a3eb954a84c4b957c077790c522"
        hex"20cf08d748830fced1b2cffc5844cc3fa442da937a438331199f3e70d1be6dc2"
        hex"07011ae8c8dc39ec84e234f8f1b27f7288b1f041d23cab6152704adb1890b98a"
        hex"03ce668dc5fbd130a2fbe96fd63b81615b52fde53b781ad8e6396ed7b6bd1e1f"
        hex"1a08ca97caee0c01c84726c0ab7a06231d87481f0a95817daa33ba459d3c799f"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"0ba7a5a68c1787bd83e7a5db286a95e214312c8e960737acb60826593af97558"
        hex"04a34eb1b9c8c3caecb16e1a04d17dbabe1879cdbc06f7c3f4022fa00d257b1f"
        hex"008a9e5814bcbc538728929138d47eae4a744b3614b913a9c7b560afbcc3193f"
        hex"1224746cdab18519c4bee95c9f706ecde2c0831c1cc0447351a5b4c8f6fbb254"
        hex"05e3a2fa80f7e6712b770cf002cf13b8fa100476b5efe32ef2cc1cc103dec7f8"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"1ba11173cbeac6f6ea39a71ecdfe20820686d29090bd01446347bb25b26eeaa8"
        hex"0ce8f83d07d6357be0d03bf77bfea82ed1357a228e74e3429462affb37cec584"
        hex"04306e3267a63637118b7ec7a57729bb27dff26a64e89d2674e75cce37181666"
        hex"17b13de02c33f9567cf58b5dbd9464d1d9a7670f312f79e7673e69b554f93691"
        hex"1e61c9bf3b394ea39a6f2683df6379341e06d380d427e8f4017465147eda7848"
        hex"0a514a5c227f4cec95dfa029e8dd124c34895aa46bb27c0911f3780d5015540a"
        hex"04a4ca2b3581b566c4303c9f180ed2e2f24354009f5631e4b58b9c6827c024ce"
        hex"0afd5a72086b0424bbb42f7480f47ae77db2f81d04387cb70adcc9d0dd6b474d"
        hex"232e1783b8e5201d703b7fe8d036fecc269ee16ab8687a55609d0a4a9340e924"
        hex"1e7989667fa961c006debaf1c63a4c4f34481f0f233f3fa993c0d1093e4d05ee"
        hex"278bb49a7b4e44aea46eb0f882cb692801a6e60fdd5b5c23c63cd65ccce4fe0a"
        hex"18b3ccae50e32a5a8794c73fda9f575de9b7002a7141590f116f0ef974f208cd"
        hex"080268de0ad79f2835e996d8c4fb7d6748c3cc7e905f2348016204030274d5fd"
        hex"28340340b99cd52841248489574268b8be23b95266c70bd99e3a911432e065ae"
        hex"00fba63201c84277a2e63d0a838851deba8c88ec251daf451322af906dd969b2"
        hex"0c399e9f67aa40707a203feefb0b958bbdadcec5ca34901d253d026a2419f6a2"
        hex"2f8843e505018c617102e4f59f1a7a0db0c812934d8243d321f24eabf0ee977c"
        hex"1c174c541cd9df860d83525185b2e9b944e8d6da8f191b9b4ae2f34184d17ecf"
        hex"1484c3b8b31419861837a9f4f0599b17e32ce9b7ec1d6015a23bf3705d44a7b0"
        hex"2220dd024fb5c00a46e2a7444e4b5b17b69e450b83b23a4c4578e633a6de97fa"
        hex"1d6b3d5f6ea369c26f825d2362933eaa31ea35ec0a77c1fbd9e01ca1523e4432"
        hex"1b81b758cfc5e9afbefaab95c232b3e2c525b1345cdb7a590e5eb625ca87611e"
        hex"088eb75dec3de473545239a12a90ad2405c0882fa3b55d1825994685eebca9aa"
        hex"2923e1a77048e39dd9a09b5c92116b8777723435525bc227fb71fcfd7dad0775"
        hex"1f33821f0019c339c8802ece95d5442bcd372b285a217093913ba0cf52136982"
        hex"24be510095436206dd0abd0b0cbb95c883ab304aa52598b1a69306ec981a688d"
        hex"1150c845bf28451690637d8ea82e21e07183e477cb3c3c6b5eba4b08145b67e6"
        hex"28b5405b87a2b9e4bf64076d6a95789144485cc54576792d7ed42a38c5581469"
        hex"0af4750cf9700e4c0c298b41a5593ec5ef92b2d50463b0e9d24ea8de74ffba47"
        hex"0741358080a2d01d798c273ceea1a78bbc0b576e79d2d8c02430d27afbfe8b86"
        hex"1448614598e00f98e7ae7dea45fbd83bd968653ef8390cde2e86b706ad40c651"
        hex"0ab7b291388e5c9e43c0dc1f591fb83ecdb65022e1b70af43b8a7b40c1dff7c3"
        hex"2b7cbb217896f52c9a8c088e654af21e84cde754a3cef5b15c4d5466612d6adf"
        hex"2bc6b0ddbe1d701b6570428bdc1ca1bf0da59ff3bbbb95fc2bc71c0c6e67a65c"
        hex"123a55a31980384f3d20b2cecbc44ed60c38c11f7d20e9271efab9a905eefd3c"
        hex"037501cc8c9dc819309a769f4df098e588b01858bc8eb7e279e2883be9fb8c53"
        hex"1c2116e47e03a86bb11695b0a5f6dab6b9a460b1eb951ab01c259eca3fd47d51"
        hex"2c18213489032e85a9c8cb8e9a65839bfaed13e57bc0fae49dbdaebf54f56f93"
        hex"2ee8fed3d4d2c71a0429eafd8e5db1718f29e2227985fdf2ad8703c835b9e031"
        hex"28c64d8f5ed7aac004c92029d9e9bf91ba9436d1cce94b9316d111c70a0c1714"
        hex"18a01d9ffb747ae0de3e83c707f8b24f682c84f15abf571b34254a03478665e0"
        hex"1c21d92bef197e73b234e4777b60db14e642a56cee71515d54e1ac71cde72bd3"
        hex"0ad404ccbcb1e195897cb60c80981ebb9d66a6677dbbedad8b6455fe62d807b1"
        hex"0a9b6de833064f93b6adb99af6c005945cb654cb7bd14c8b97af8b60cc1fb387"
        hex"13129e3f930aed6d47690331ff09dc5160efa58ddce2c3e6180d45bec3aa3a6f"
        hex"0d7a614c8991508ab1ce4895813bb1c82f18bf7bfc9e280ccca18079839387f1"
        hex"0532f7ec36e30041b0486986875c913a49bddf2f5af5febe8c31f2f4094ffea5"
        hex"06bbcb8e8e180201293e712f4950f1b0bbee808c9d64263c84d9d8ae155cb892"
        hex"0f558a4db1a3ac07f61e2e6bee947f73586bf40f211ceb4f687ca5678a9dcb33"
        hex"2be140a60b5b5f2f8edd78a818a969b20c643e419bcf0b577c24a0d0e7acfe98"
        hex"1c49c4b9a9f09f7b9ad5f74ebacc710512b8e867bace27cb0dea06e89b96f631"
        hex"170c1a732721b12cde7f33e476a39a1aa77a81c06e2eac503847b00d597652db"
        hex"19c27d0e52f65ca34f4e31a068e49331c6bfc39d9241f9d4c302041615cf27f1"
        hex"2f1bdc5254f9220c1a731fc5276964dab26b385fa40b6b04bed9960e2543ba08"
        hex"05b42d2fbccbf4d39d2be9339cabe9d0dc6d921e855cd91154b639d28d4a1cf0"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"0000000000000000000000000000000000000000000000000000000000000000"
        hex"02a57ec597841b7af6bb2c15136d02dd3284ed95445ee5fb18c8c94c1fc12642"
        hex"2a5e087184dfb25ba6d5627b5b72c73cb9642bd570af6e035486254077315cf8"
        hex"20c1c5f8313fa7339a150138664988c27adc409527370e306cf1ac6638fc7ac2"
        hex"2d54d9d5ac04f5130f017588029427f9d82e8a9a55cabaa64b8cf36071ba5298"
        hex"1b48299e9aac042b5fe7a382730567759a9b4cba92f931b395c4c760b5376d67"
        hex"13c5df8c934479d17316546f9a28447464c87a224935518830493e7c280679d9"
        hex"2b6ed97d0659e356d7e3b026acb0c688cc27b260489196688d0cd5787af549db"
        hex"100d549f7e69393a119e8d65d614d761b6e70fc29fc8bfd1a0fe536a962985ff"
        hex"259ae53a9c98a3836dd45d757d3a728b65c898c32d4dabdd0079fe0134e70953"
        hex"184658bef5899e86519c1645bbe06c712d3fbaaecdf5072d6eafb0653ba8ac5b"
        hex"0d9b29ccd4f14175ca5aad76d44cd2b5d557f3199aadb650071b0aa6e80fd3eb"
        hex"130233d86e2f179f5cdbaaf7b7e67bbfb24ed7b9572b8a45c90140bcf0d18caf"
        hex"19301899b379d8648d56410e9a77e85c3ea7da3f276b424fbe301fdf6e924436"
        hex"18dc523eab2465bbee60aacf190f5dd5de09927aaf0f276a002fd9887fd4e047"
        hex"29f972bdb996981c25d4ac5743d81cf07b2be6a933148c5bfbb47ae73deaf213"
        hex"20b3a21dafb023941e2d39445a4c39e7fce2b7130b24e9abb64bff1c4b928dea"
        hex"0db5d6ef51635ebdb0a8d99240fe447399c7e7aace53be14c55699b18c870833"
        hex"0388351fc916a7f96871f2e78dac05d6dbc67b92fa92d5e4cc6042aaab2e3b78"
        hex"0dce204ff463be58372777ea1194ee74d54b0015119706810787acc52e8f58e0"
        hex"2e366c10c0e5096449960e8f0c4843ca8e3b35b64f0c4aa928e1d4adf1730d42"
        hex"14aa7a383350de3271e2cc2ce77d4070499786a2d0c2261afbb8762d7b575401"
        hex"253def0717c4a3046fbcfae38547107257ea7e6b7a060ed1990ae2b7c5d253b2"
        hex"08d522e9d831b5a1acc3f72c633798e4272dea3b1866b153381dab49040612e2"
        hex"29762c3acadf8ad7ebb4f1e6829bb5a934c601329f8e1d11f03c8c9469e4da32"
        hex"0cf0ff462256d7ac257d897ea858afd78311a899b1d8b7ffb2c56403e9f67c3f"
        hex"2d8bd5a193f01a6023e4d18dfa3f5583140282becd925b763fd874a6829bdc08"
        hex"105342c6d8ff2a2c89460046ceaffcf87e9edca08d55981091348b9735093265"
        hex"26e36ca28958b6be8db38d45a4be7f24724424ce515b8538ff5da1c0dbadccc5"
        hex"09df39a7947b44ae119139dcd929175be78185e664539c3b43c826f14e2e9bc7"
        hex"1f6840920d337ac2ebc04dbba388e9e95bdccfd90e26d9129b79612a24d96db7"
        hex"25c2790d7d94c1e2c71753d23e19818674648c435e50f1efb08c97364116226f"
        hex"129c19bc66372c6f050005b7f59df3f24d995a9700c1171e56148e8c890bc26c"
        hex"06302e0a9d3fee5b05e03d52d9f48df083261cdbac469165235a12b68d0120c6"
        hex"03f434c3ae6118516749f300c2057c304fa0b27953903ef7142c711e87c51540"
        hex"07759c05e52314d2ca911fbdf1cb2ce2bef47e496c77ad0c9826b2521949349d"
        hex"24a084e5fbbe3d9b7e003bb9ad177b01755ce7e5378a8b934b23eafe9c273f7b"
        hex"19bc6c8d09e10f91b1271effb722978063d58c5d7b7753beff806c14545aa206"
        hex"1df0cbb25ce3e97d538e75b7b7a71b2383f74622f8f40e0066898d9e383eda4a"
        hex"0ea9a19e365eddbc3f3be5389a70eb35364a003a83c87d60444603d2d9612b38"
        hex"00b3b601b74801b1c15f5d2df2d54db2eeae19e3a8abb8498ed2a086093e5357"
        hex"0ae15833e4f8b46b03201183501339a7c09a6a09a27ffc489c994b0df3768324"
        hex"0c4b91efcc1758392eb5566acc68ffad0d265eeb2f9004732d68e19e713b55f9"
        hex"2d16a37374a8f5387f56b0e0b0ed5462405fc6481c5b7397ac053bdbf033ba38"
        hex"20215f2e35364215a29a6a23c201efa57ef55797a7227935490e1f7b965dba4b"
        hex"1d363a2a4ba0c9c5910dab8aee6e153fc42be64f2e1ee20f1ecd55a94d5dce33"
        hex"0e39c4b9177d76efc777c30c50038a2b0e6aacf3f655a12f17d2e162e05e802c"
        hex"23eee395fc613a9edb2ca2aecbf6cb3d213f701395837d336053cb3540e714f3"
        hex"1cc34d4d6ff96c4904c17cf32e1adbecae22726c73ed4f9680b9da6205ecefd0"
        hex"0768a9f9b5dc3a9939b1c1209ac74f0520274b97fb689c864700c8b57d496a70"
        hex"2b6d8d1929ca88aefbd5347dff4937094138f407968cb90d13e54472e43354ed"
        hex"1b2e61b7ab48ece369f3d63e551b099e79afb01c52bd444ac899c19bdbd5e5e7"
        hex"18a9074b6fb9275e6168ba4b166a42d8cfacd46921db7ced5f2bc242b7cceedf"
        hex"2c69737d4c0c9edc94bb5133461d1237c83994fb6219497890d369bf159c432f"
        hex"27291b04a9d5ecd6fa18bdbb87b58a64cfb8c575d54f1ed469809807f3154bae"
        hex"185ab1c008c6d2fd5594860aa59fbec514f546a6e1a2aa3d561c8c1e5e19f721"
        hex"170ef28a1802bc5ce71537091d895989d26100d1e4086289fbd4e4f069462c9a"
        hex"0a581bc68219a9260302740cabbbdec06c946da5859cde180c68c83dca9f2613"
        hex"1af2fddfbc56f21ad21c7483070b8174bb3d0f383f3c2605d33a2d28eb7f6842"
        hex"0ddff45972431b0324203dded64f7aac309942b0cfce737f1502129a7d2e6401"
        hex"18e60bdf40bfa6c3f2f641cdedb1d125aa1bf48a1fc6ca29fc1fdcf77716aad1"
        hex"20c23beb320a05d0caa84b45c69d5e6c74735bb753259bba9c44c2fb7bd8affa"
        hex"0d62aaf2398fca2276abef4ce6c6aabc3b844541fe6b5c747218948a90bc2e2f"
        hex"2d63d89510e2b77228628132e7f7d33a5b5a4f5a9be8c35762ff8665d0d28a5a"
        hex"0b95bf29f9682370c734ea3fac76dbf64b2ba70c0066cb7f0c31c0cc5571eb21"
        hex"21d15a0578a1a4dad8cb44a77068cc48053a27d371f73e23d123dbf6ff17910f"
        hex"02174f49edb02d5154d2beca2dc92b9cc595383da1fde8f09e4b5ee3ea5a065e"
        hex"0f64891c2c8b020e46c3594cb758f0bddcdbd09bd0308816fb41734a869872c3"
        hex"192a84ca2f99d36991e2d2b1deff3989d1c156c239e10e9f56140e1854576067"
        hex"29dfcd7b63f05abf2753a8c341d6b7a60c6243b04c9a1b8b3320bba04a4d4787"
        hex"1ee27ad6b9b5a867733afc61a2b3e76a52ba3e4bd5e657ade91fc038819dba5b"
        hex"0ab4773f150c3f8ad3bc9538f43cec395a7e3731ae973fefeb623a09217e64c7"
        hex"13c352a02f595186202cb0b99fa58c5542ab67f9b6d3a0afd103deeff6d80f41"
        hex"2a97cf2c10c4bfbfd299f67c52a169f92c05b7dac56a41c4dd4fe87c8246ce14"
        hex"00becbb47042bd7f8c9f6bb422162d1aed089a28482f7fd16ab06a13285fe702"
        hex"008e44da21d738691b881757ef37ed29c5bd9f7a4450fcf53290a92cc2ca2176"
        hex"2b205a8b6d4b7063d931f3bb5d3464053843fe7fbe4b83c17883f86527882a18"
        hex"2d9e32a7c90556fe108d255ac01e75df338fcd63b2bf84c19280d427298863fc"
        hex"29a322a84c25bd2ddf6e2e4200228d95abd6349a02266ac1dbba520738ceca97"
        hex"0678c9bfc6f2df012f4fe55e33bb68ac14ced1df0d02152792089d046d828c43"
        hex"0faff3a5e7425794fe20a7e0eb615b8b1760394b7f2304286a3ae4009124db23"
        hex"1f8f5b611af9feb9cea86c084058120553e404103aee213f5a41d1d02541c0d3"
        hex"160875d8479602f96f40acc2d042ee52c1588b6a29de4284965a6dc6c930ea07"
        hex"16d87a5183a316a1d70afc951efe2cd667c77328fcfda458cbf5fe3045f46d9e";

    /// @notice The constants, for `hash`. Whoever hashes more than once makes them once.
    function constants() internal pure returns (bytes memory) {
        return TABLE;
    }

    /// @notice The hash: `poseidon` of circomlib if the first lane is zero.
    /// @param table What `constants` gave.
    /// @param lanes The tag, and five elements below the order. They are overwritten.
    function hash(bytes memory table, uint256[6] memory lanes)
        internal
        pure
        returns (uint256 first)
    {
        assembly ("memory-safe") {
            function pow5(x, r) -> y {
                y := mulmod(x, x, r)
                y := mulmod(mulmod(y, y, r), x, r)
            }

            function full(state, matrix, next, r) {
                let a := pow5(mload(state), r)
                let b := pow5(mload(add(state, 32)), r)
                let c := pow5(mload(add(state, 64)), r)
                let d := pow5(mload(add(state, 96)), r)
                let e := pow5(mload(add(state, 128)), r)
                let f := pow5(mload(add(state, 160)), r)
                for { let i := 0 } lt(i, 192) { i := add(i, 32) } {
                    let row := add(matrix, mul(i, 6))
                    let sum := mulmod(mload(row), a, r)
                    sum := add(sum, mulmod(mload(add(row, 32)), b, r))
                    sum := add(sum, mulmod(mload(add(row, 64)), c, r))
                    sum := add(sum, mulmod(mload(add(row, 96)), d, r))
                    sum := add(sum, mulmod(mload(add(row, 128)), e, r))
                    row := mulmod(mload(add(row, 160)), f, r)
                    mstore(add(state, i), addmod(sum, add(row, mload(add(next, i))), r))
                }
            }

            function partials(state, next, r) {
                let s := mload(state)
                let z1 := mload(add(state, 32))
                let z2 := mload(add(state, 64))
                let z3 := mload(add(state, 96))
                let z4 := mload(add(state, 128))
                let z5 := mload(add(state, 160))
                for { let end := add(next, 1920) } lt(next, end) { next := add(next, 32) } {
                    let x := mulmod(s, s, r)
                    x := mulmod(mulmod(x, x, r), s, r)
                    s := add(mulmod(x, M, r), mulmod(z1, C1, r))
                    s := add(s, mulmod(z2, C2, r))
                    s := add(s, mulmod(z3, C3, r))
                    s := add(s, mulmod(z4, C4, r))
                    s := addmod(s, add(mulmod(z5, C5, r), mload(next)), r)
                    x := add(x, mulmod(z1, A1, r))
                    x := add(x, mulmod(z2, A2, r))
                    x := add(x, mulmod(z3, A3, r))
                    x := add(x, mulmod(z4, A4, r))
                    x := addmod(x, mulmod(z5, A5, r), r)
                    z5 := z4
                    z4 := z3
                    z3 := z2
                    z2 := z1
                    z1 := x
                }
                mstore(state, s)
                mstore(add(state, 32), z1)
                mstore(add(state, 64), z2)
                mstore(add(state, 96), z3)
                mstore(add(state, 128), z4)
                mstore(add(state, 160), z5)
            }

            // The five lanes behind the first as they are, with the constants of the next round.
            function enterFull(state, matrix, next, r) {
                let a := mload(add(state, 32))
                let b := mload(add(state, 64))
                let c := mload(add(state, 96))
                let d := mload(add(state, 128))
                let e := mload(add(state, 160))
                for { let i := 0 } lt(i, 160) { i := add(i, 32) } {
                    let row := add(matrix, mul(i, 5))
                    let sum := mulmod(mload(row), a, r)
                    sum := add(sum, mulmod(mload(add(row, 32)), b, r))
                    sum := add(sum, mulmod(mload(add(row, 64)), c, r))
                    sum := add(sum, mulmod(mload(add(row, 96)), d, r))
                    row := mulmod(mload(add(row, 128)), e, r)
                    let place := add(i, 32)
                    mstore(add(state, place), addmod(sum, add(row, mload(add(next, place))), r))
                }
            }

            // In a variable: the optimizer would copy a constant from the code each time.
            let r := R
            let matrix := add(table, 32)
            let next := add(matrix, CONSTANTS)
            for { let i := 0 } lt(i, 192) { i := add(i, 32) } {
                let lane := add(lanes, i)
                mstore(lane, add(mload(lane), mload(add(next, i))))
            }
            for { let i := 0 } lt(i, 3) { i := add(i, 1) } {
                next := add(next, 192)
                full(lanes, matrix, next, r)
            }
            next := add(next, 192)
            full(lanes, add(matrix, ENTER), next, r)
            next := add(next, 192)
            partials(lanes, next, r)
            next := add(next, 1888)
            enterFull(lanes, add(matrix, LEAVE), next, r)
            for { let i := 0 } lt(i, 3) { i := add(i, 1) } {
                next := add(next, 192)
                full(lanes, matrix, next, r)
            }
            for { let i := 0 } lt(i, 192) { i := add(i, 32) } {
                let product := mulmod(pow5(mload(add(lanes, i)), r), mload(add(matrix, i)), r)
                first := addmod(first, product, r)
            }
        }
    }
}
