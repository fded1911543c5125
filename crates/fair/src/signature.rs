//! Signatures, checked strictly.
//!
//! Many checkers of Ed25519 differ at the edges: keys of small order, points written in two ways, `s` above the order. A log
//! must be right for all of them or for none, so that everything at the edges is refused.

use ed25519_dalek::{Signature as Dalek, VerifyingKey};

use crate::bytes::{Key, Signature};

/// A key that is fit to sign: canonical, not of small order.
#[derive(Clone, Debug)]
pub struct Signer(VerifyingKey);

impl Signer {
    /// A key from its bytes.
    pub fn of(key: &Key) -> Option<Signer> {
        let known = VerifyingKey::from_bytes(&key.0).ok()?;
        let canonical = known.to_edwards().compress().to_bytes() == key.0;
        (canonical && !known.is_weak()).then_some(Signer(known))
    }

    /// Whether this key has signed a text.
    pub fn has_signed(&self, text: &str, signature: &Signature) -> bool {
        self.0.verify_strict(text.as_bytes(), &Dalek::from_bytes(&signature.0)).is_ok()
    }
}

/// Whether a text is signed by a key.
pub fn is_signed(key: &Key, text: &str, signature: &Signature) -> bool {
    Signer::of(key).is_some_and(|signer| signer.has_signed(text, signature))
}
