package main

import (
	tedwards "github.com/consensys/gnark-crypto/ecc/twistededwards"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/std/algebra/algopts"
	"github.com/consensys/gnark/std/algebra/emulated/sw_emulated"
	"github.com/consensys/gnark/std/algebra/native/twistededwards"
	"github.com/consensys/gnark/std/hash/mimc"
	"github.com/consensys/gnark/std/math/emulated"
	"github.com/consensys/gnark/std/signature/ecdsa"
	"github.com/consensys/gnark/std/signature/eddsa"
)

type (
	baseField   = emulated.Secp256k1Fp
	scalarField = emulated.Secp256k1Fr
)

// ecdsaCircuit verifies one ECDSA signature on secp256k1 per entry.
type ecdsaCircuit struct {
	// How gnark adds points.
	options    []algopts.AlgebraOption
	Digests    []emulated.Element[scalarField]           `gnark:",public"`
	Keys       []ecdsa.PublicKey[baseField, scalarField] `gnark:",public"`
	Signatures []ecdsa.Signature[scalarField]
}

func emptyECDSA(count int, options ...algopts.AlgebraOption) *ecdsaCircuit {
	return &ecdsaCircuit{
		options:    options,
		Digests:    make([]emulated.Element[scalarField], count),
		Keys:       make([]ecdsa.PublicKey[baseField, scalarField], count),
		Signatures: make([]ecdsa.Signature[scalarField], count),
	}
}

// Define is what gnark compiles.
func (c *ecdsaCircuit) Define(api frontend.API) error {
	curve := sw_emulated.GetCurveParams[baseField]()
	for i := range c.Keys {
		c.Keys[i].Verify(api, curve, &c.Digests[i], &c.Signatures[i], c.options...)
	}
	return nil
}

// eddsaCircuit verifies one EdDSA signature per entry, on the twisted Edwards curve whose base
// field is the scalar field of BN254, with MiMC as its hash.
type eddsaCircuit struct {
	Messages   []frontend.Variable `gnark:",public"`
	Keys       []eddsa.PublicKey   `gnark:",public"`
	Signatures []eddsa.Signature
}

func emptyEdDSA(count int) *eddsaCircuit {
	return &eddsaCircuit{
		Messages:   make([]frontend.Variable, count),
		Keys:       make([]eddsa.PublicKey, count),
		Signatures: make([]eddsa.Signature, count),
	}
}

// Define is what gnark compiles.
func (c *eddsaCircuit) Define(api frontend.API) error {
	curve, err := twistededwards.NewEdCurve(api, tedwards.BN254)
	if err != nil {
		return err
	}
	for i := range c.Keys {
		hash, err := mimc.NewMiMC(api)
		if err != nil {
			return err
		}
		err = eddsa.Verify(curve, c.Signatures[i], c.Messages[i], c.Keys[i], &hash)
		if err != nil {
			return err
		}
	}
	return nil
}
