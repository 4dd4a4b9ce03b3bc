//! Signatures of any scheme.

use std::{any::Any, fmt::Debug, sync::Arc};

/// A signature as a member of a set makes it. A value obeys every rule of its encoding.
pub trait MemberSignature: Any + Debug + Send + Sync {
    /// The bytes in the encoding of the scheme's own standard.
    fn to_bytes(&self) -> Vec<u8>;
}

/// A signature of some scheme, whose bytes obey every rule of their encoding.
#[derive(Clone, Debug)]
pub struct AnySignature(Arc<dyn MemberSignature>);

impl AnySignature {
    /// The bytes in the encoding of the scheme's own standard.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// The signature, if it is of this type.
    pub fn of<G: MemberSignature>(&self) -> Option<&G> {
        let signature: &dyn Any = &*self.0;
        signature.downcast_ref()
    }
}

impl<G: MemberSignature> From<G> for AnySignature {
    fn from(signature: G) -> Self {
        Self(Arc::new(signature))
    }
}
