//! Signature schemes behind one object-safe trait.

use muster_gadgets::signature::instructions::{Needs, SignatureInstructions};
use muster_schemes::{
    membership::{LeafFormat, PublicKey},
    signature::{
        AnySignature, Choices, Description, KeyKind, Message, MessageForm, NoSuchChoice, PointHash,
        PublicMessage, Rule, SignatureError, SignatureScheme, SignedMessage,
    },
};

/// A signature scheme that is known only at run time, with its choices made. Its methods are those of the same names of
/// [`Scheme`](crate::Scheme) and [`Suite`](crate::Suite). What is generic in the scheme's own types goes through
/// [`SchemeVisitor`](crate::SchemeVisitor).
pub(crate) trait AnyScheme {
    // These do not depend on the choices.
    fn name(&self) -> &'static str;
    fn description(&self) -> Description;
    fn is_aggregate(&self) -> bool;
    fn leaf_format(&self) -> LeafFormat;
    fn public_message(&self, form: MessageForm) -> PublicMessage;
    fn message_length(&self) -> Option<usize>;
    fn message_from_bytes(&self, bytes: &[u8]) -> Option<Message>;
    fn default_rule(&self) -> Option<Rule>;
    fn default_form(&self) -> MessageForm;
    fn choices(
        &self,
        keys: KeyKind,
        rule: Option<Rule>,
        form: Option<MessageForm>,
    ) -> Result<Choices, NoSuchChoice>;
    fn with_hash(&self, choices: Choices, hash: PointHash) -> Result<Choices, NoSuchChoice>;

    // What sets hold and members sign.
    fn admits(&self, key: &PublicKey) -> Result<(), SignatureError>;
    fn decode_keys(&self, list: &[&[u8]]) -> Vec<Result<PublicKey, SignatureError>>;
    fn key_part<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SignatureError>;
    fn encode_key(&self, key: &PublicKey) -> Option<Vec<u8>>;
    fn decode_signature(&self, bytes: &[u8]) -> Result<AnySignature, SignatureError>;

    // What circuits need.
    fn needs(&self) -> Needs;
}

impl<S: SignatureInstructions> AnyScheme for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn description(&self) -> Description {
        <S as SignatureScheme>::description()
    }

    fn is_aggregate(&self) -> bool {
        S::AGGREGATE
    }

    fn leaf_format(&self) -> LeafFormat {
        self.adds_keys().map_or(LeafFormat::Names, |keys| LeafFormat::Keys(keys.leaf_format()))
    }

    fn public_message(&self, form: MessageForm) -> PublicMessage {
        <S as SignatureScheme>::public_message(&form)
    }

    fn message_length(&self) -> Option<usize> {
        S::Message::LENGTH
    }

    fn message_from_bytes(&self, bytes: &[u8]) -> Option<Message> {
        S::Message::from_bytes(bytes).map(|message| message.to_message())
    }

    fn default_rule(&self) -> Option<Rule> {
        S::RULES.first().copied()
    }

    fn default_form(&self) -> MessageForm {
        S::FORM
    }

    fn choices(
        &self,
        keys: KeyKind,
        rule: Option<Rule>,
        form: Option<MessageForm>,
    ) -> Result<Choices, NoSuchChoice> {
        Choices::new::<S>(keys, rule, form)
    }

    fn with_hash(&self, choices: Choices, hash: PointHash) -> Result<Choices, NoSuchChoice> {
        choices.with_hash::<S>(hash)
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

    fn needs(&self) -> Needs {
        SignatureInstructions::needs(self)
    }
}
