//! Signature schemes behind one object-safe trait.

use muster_gadgets::{
    membership::{LeafFormat, PublicKey},
    signature::{
        instructions::{Needs, SignatureInstructions},
        AnySignature, Choices, Description, KeyKind, Message, MessageForm, NoSuchChoice, PointHash,
        PublicMessage, Rule, SignatureError, SignatureScheme, SignedMessage,
    },
};

use crate::{
    builder::ThresholdCircuit,
    committee::Committee,
    error::Error,
    inputs::Inputs,
    scheme::Scheme,
    shape::Shape,
    signatures::{self, Signatures},
    statement::Statement,
    terms::Terms,
    witness::{self, Witness},
};

/// A signature scheme that is known only at run time, with its choices made.
pub(crate) trait AnyScheme {
    /// [`SignatureScheme::NAME`].
    fn name(&self) -> &'static str;

    /// [`SignatureScheme::description`].
    fn description(&self) -> Description;

    /// [`SignatureScheme::KEY_KINDS`].
    fn key_kinds(&self) -> &'static [KeyKind];

    /// [`SignatureScheme::RULES`].
    fn rules(&self) -> &'static [Rule];

    /// [`SignatureScheme::FORM`].
    fn default_form(&self) -> MessageForm;

    /// [`SignatureInstructions::AGGREGATE`].
    fn is_aggregate(&self) -> bool;

    /// How a leaf holds the scheme's keys.
    fn leaf_format(&self) -> LeafFormat;

    /// [`Choices::new`].
    fn choices(
        &self,
        keys: KeyKind,
        rule: Option<Rule>,
        form: Option<MessageForm>,
    ) -> Result<Choices, NoSuchChoice>;

    /// [`Choices::with_hash`].
    fn choices_with_hash(&self, choices: Choices, hash: PointHash)
        -> Result<Choices, NoSuchChoice>;

    /// [`SignatureScheme::public_message`].
    fn public_message(&self, form: &MessageForm) -> PublicMessage;

    /// [`SignedMessage::LENGTH`].
    fn message_length(&self) -> Option<usize>;

    /// [`SignedMessage::from_bytes`].
    fn decode_message(&self, bytes: &[u8]) -> Option<Message>;

    /// [`SignatureInstructions::admits`].
    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError>;

    /// [`SignatureScheme::decode_public_keys`], as members of a set.
    fn decode_keys(&self, list: &[&[u8]]) -> Vec<Result<PublicKey, SignatureError>>;

    /// [`SignatureScheme::key_part`], for bytes of the right length.
    fn key_part<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SignatureError>;

    /// [`SignatureInstructions::encode_member`].
    fn encode_key(&self, key: &PublicKey) -> Option<Vec<u8>>;

    /// [`SignatureInstructions::decode_member_signature`].
    fn decode_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError>;

    /// Adds up signatures of this scheme, as [`Suite::add_up`](crate::Suite::add_up) does.
    fn add_up(
        &self,
        scheme: Scheme,
        committee: &Committee,
        message: &Message,
        signed: &[(usize, AnySignature)],
    ) -> Result<Signatures, Error>;

    /// Checks a statement under terms of this scheme, as [`Terms::verify`] does.
    fn witness(
        &self,
        terms: &Terms,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Witness, Error>;

    /// [`SignatureInstructions::needs`].
    fn needs(&self) -> Needs;

    /// The circuit of `shape`, which is of this scheme, with every slot unused.
    fn unused_circuit(&self, shape: &Shape) -> ThresholdCircuit;
}

impl<S: SignatureInstructions> AnyScheme for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn description(&self) -> Description {
        <S as SignatureScheme>::description()
    }

    fn key_kinds(&self) -> &'static [KeyKind] {
        S::KEY_KINDS
    }

    fn rules(&self) -> &'static [Rule] {
        S::RULES
    }

    fn default_form(&self) -> MessageForm {
        S::FORM
    }

    fn is_aggregate(&self) -> bool {
        S::AGGREGATE
    }

    fn leaf_format(&self) -> LeafFormat {
        self.adds_keys().map_or(LeafFormat::Names, |keys| LeafFormat::Keys(keys.leaf_format()))
    }

    fn choices(
        &self,
        keys: KeyKind,
        rule: Option<Rule>,
        form: Option<MessageForm>,
    ) -> Result<Choices, NoSuchChoice> {
        Choices::new::<S>(keys, rule, form)
    }

    fn choices_with_hash(
        &self,
        choices: Choices,
        hash: PointHash,
    ) -> Result<Choices, NoSuchChoice> {
        choices.with_hash::<S>(hash)
    }

    fn public_message(&self, form: &MessageForm) -> PublicMessage {
        <S as SignatureScheme>::public_message(form)
    }

    fn message_length(&self) -> Option<usize> {
        S::Message::LENGTH
    }

    fn decode_message(&self, bytes: &[u8]) -> Option<Message> {
        S::Message::from_bytes(bytes).map(|message| message.to_message())
    }

    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError> {
        SignatureInstructions::admits(self, key)
    }

    fn decode_keys(&self, list: &[&[u8]]) -> Vec<Result<PublicKey, SignatureError>> {
        let keys = S::decode_public_keys(list).into_iter();
        keys.map(|key| key.map(|key| self.member(&key))).collect()
    }

    fn key_part<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SignatureError> {
        if !S::KEY_LENGTHS.contains(&bytes.len()) {
            // Refused before any arithmetic.
            S::decode_public_key(bytes)?;
        }
        Ok(<S as SignatureScheme>::key_part(bytes))
    }

    fn encode_key(&self, key: &PublicKey) -> Option<Vec<u8>> {
        self.encode_member(key)
    }

    fn decode_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError> {
        self.decode_member_signature(bytes)
    }

    fn add_up(
        &self,
        scheme: Scheme,
        committee: &Committee,
        message: &Message,
        signed: &[(usize, AnySignature)],
    ) -> Result<Signatures, Error> {
        signatures::add_up(self, scheme, committee, message, signed)
    }

    fn witness(
        &self,
        terms: &Terms,
        statement: &Statement,
        committee: &Committee,
        signatures: &Signatures,
    ) -> Result<Witness, Error> {
        witness::verify(self, terms, statement, committee, signatures)
    }

    fn needs(&self) -> Needs {
        SignatureInstructions::needs(self)
    }

    fn unused_circuit(&self, shape: &Shape) -> ThresholdCircuit {
        let inputs = Inputs::unused(shape, self, S::Message::default());
        ThresholdCircuit::fill(shape, self, &inputs, false).0
    }
}
