package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bn254eddsa "github.com/consensys/gnark-crypto/ecc/bn254/twistededwards/eddsa"
	"github.com/consensys/gnark-crypto/ecc/secp256k1"
	secp "github.com/consensys/gnark-crypto/ecc/secp256k1/ecdsa"
	secpfr "github.com/consensys/gnark-crypto/ecc/secp256k1/fr"
	tedwards "github.com/consensys/gnark-crypto/ecc/twistededwards"
	"github.com/consensys/gnark-crypto/hash"
	"github.com/consensys/gnark/std/algebra/emulated/sw_emulated"
	"github.com/consensys/gnark/std/math/emulated"
	"github.com/consensys/gnark/std/signature/ecdsa"
)

// seed is 32 bytes that are the same in every run.
func seed(label string, index int) [32]byte {
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte(label), uint64(index)))
}

// secpSigner is one signature: the digest, the key and both halves.
type secpSigner struct {
	digest, r, s *big.Int
	key          secp256k1.G1Affine
}

// signSecp makes the signer's key and signs a digest of its own. The lower s is kept.
func signSecp(index int) (secpSigner, error) {
	secret := new(big.Int)
	chosen, digest := seed("key", index), seed("digest", index)
	secret.SetBytes(chosen[:]).Mod(secret, secpfr.Modulus())
	_, generator := secp256k1.Generators()
	key := new(secp256k1.G1Affine).ScalarMultiplication(&generator, secret)

	// The library reads its key back from the point and the secret.
	point := key.RawBytes()
	encoded := append(point[:], secret.FillBytes(make([]byte, 32))...)
	var private secp.PrivateKey
	if _, err := private.SetBytes(encoded); err != nil {
		return secpSigner{}, err
	}
	signed, err := private.Sign(digest[:], nil)
	if err != nil {
		return secpSigner{}, err
	}
	r, s := new(big.Int).SetBytes(signed[:32]), new(big.Int).SetBytes(signed[32:])
	if twice := new(big.Int).Lsh(s, 1); twice.Cmp(secpfr.Modulus()) > 0 {
		s.Sub(secpfr.Modulus(), s)
	}
	return secpSigner{digest: secp.HashToInt(digest[:]), r: r, s: s, key: *key}, nil
}

// assignECDSA fills the circuit for so many signers; the first one gets the falsehood.
func assignECDSA(count int, wrong falsehood) (*ecdsaCircuit, error) {
	filled := emptyECDSA(count)
	for i := range count {
		signer, err := signSecp(i)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			switch wrong {
			case publicInput:
				signer.digest.Xor(signer.digest, big.NewInt(1))
			case signature:
				signer.s.Xor(signer.s, big.NewInt(1))
			}
		}
		filled.Digests[i] = emulated.ValueOf[scalarField](signer.digest)
		filled.Keys[i] = ecdsa.PublicKey[baseField, scalarField](
			sw_emulated.AffinePoint[baseField]{
				X: emulated.ValueOf[baseField](signer.key.X),
				Y: emulated.ValueOf[baseField](signer.key.Y),
			},
		)
		filled.Signatures[i] = ecdsa.Signature[scalarField]{
			R: emulated.ValueOf[scalarField](signer.r),
			S: emulated.ValueOf[scalarField](signer.s),
		}
	}
	return filled, nil
}

// assignEdDSA fills the circuit for so many signers; the first one gets the falsehood.
func assignEdDSA(count int, wrong falsehood) (*eddsaCircuit, error) {
	filled := emptyEdDSA(count)
	for i := range count {
		secret := seed("key", i)
		private, err := bn254eddsa.GenerateKey(bytes.NewReader(secret[:]))
		if err != nil {
			return nil, err
		}
		var message fr.Element
		digest := seed("message", i)
		message.SetBytes(digest[:])
		encoded := message.Bytes()
		signed, err := private.Sign(encoded[:], hash.MIMC_BN254.New())
		if err != nil {
			return nil, err
		}
		valid, err := private.PublicKey.Verify(signed, encoded[:], hash.MIMC_BN254.New())
		if err != nil || !valid {
			return nil, fmt.Errorf("EdDSA signature %d does not verify natively: %v", i, err)
		}
		if i == 0 {
			switch wrong {
			case publicInput:
				one := fr.One()
				message.Add(&message, &one)
			case signature:
				signed[len(signed)-1] ^= 1
			}
		}
		filled.Messages[i] = message
		filled.Keys[i].Assign(tedwards.BN254, private.PublicKey.Bytes())
		filled.Signatures[i].Assign(tedwards.BN254, signed)
	}
	return filled, nil
}
