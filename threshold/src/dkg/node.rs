//! One player's part: dealings come in, proposals and attestations go out.

use std::collections::{BTreeMap, BTreeSet};

use rand_core::CryptoRngCore;

use super::{Attestation, Ceremony, Certificate, Certified, Error, Proposal};
use crate::pvss::{
    self, deal_random, signed_digest, verify, verify_all, Dealt, SecretKeys, Subtranscript,
    Verified,
};

/// Two different dealings that one player signed in one session: proof that it cheated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equivocation {
    /// The player, from 1.
    pub dealer: usize,
    /// Both dealings.
    pub dealings: [Vec<u8>; 2],
}

impl Equivocation {
    /// Checks the proof. Whether the dealings verify does not matter.
    ///
    /// # Errors
    ///
    /// [`Error::NoEquivocation`], or [`Error::Sharing`] for someone who is not a player.
    pub fn verify(&self, ceremony: &Ceremony) -> Result<(), Error> {
        let session = ceremony.session();
        let [first, second] = &self.dealings;
        let first = signed_digest(session, self.dealer, first)?;
        let second = signed_digest(session, self.dealer, second)?;
        (first != second).then_some(()).ok_or(Error::NoEquivocation)
    }
}

/// A node's verdict on a dealing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It verified.
    Accepted,
    /// The node already has it.
    Known,
    /// It is refused, for this reason. A dealer that did not sign it may still send a good one.
    Refused(pvss::Error),
    /// The dealer signed another one before, and is left out from now on.
    Equivocation(Box<Equivocation>),
}

/// What a node holds from a dealer.
#[derive(Clone, Debug)]
enum Held {
    Good(Box<Verified>),
    /// Signed, but refused: kept as one half of a proof.
    Bad(Vec<u8>),
    /// Signed two dealings. The digest is that of the first, if it was refused.
    Cheater(Option<[u8; 32]>),
}

/// A player's state.
#[derive(Debug)]
pub struct Node<'a> {
    ceremony: &'a Ceremony,
    player: usize,
    keys: Option<&'a SecretKeys>,
    /// Its own dealing.
    own: Option<Vec<u8>>,
    held: BTreeMap<usize, Held>,
}

impl<'a> Node<'a> {
    /// The node of a player.
    ///
    /// # Errors
    ///
    /// [`Error::Sharing`] for someone who is not a player, or whose keys these are not.
    pub fn new(ceremony: &'a Ceremony, player: usize, keys: &'a SecretKeys) -> Result<Self, Error> {
        ceremony.session().check_keys(player, keys)?;
        Ok(Self { ceremony, player, keys: Some(keys), own: None, held: BTreeMap::new() })
    }

    /// A node without a player: it collects and proposes, but neither deals nor attests.
    pub fn observer(ceremony: &'a Ceremony) -> Self {
        Self { ceremony, player: 0, keys: None, own: None, held: BTreeMap::new() }
    }

    fn keys(&self) -> Result<&'a SecretKeys, Error> {
        self.keys.ok_or(Error::Observer)
    }

    /// This player's dealing of a fresh secret, for everybody. It is always the same one, even if a
    /// restarted node got it back from others: a second one would be proof of cheating.
    ///
    /// # Errors
    ///
    /// As [`deal_random`], or [`Error::Observer`].
    pub fn deal(&mut self, rng: &mut impl CryptoRngCore) -> Result<Vec<u8>, Error> {
        let (keys, held) = (self.keys()?, self.held.get(&self.player));
        if let (None, Some(Held::Good(own))) = (&self.own, held) {
            return Ok(own.dealt().as_bytes().to_vec());
        }
        let own = match self.own.take() {
            Some(own) => own,
            None => {
                let dealt = deal_random(self.ceremony.session(), self.player, keys, rng)?;
                dealt.as_bytes().to_vec()
            }
        };
        Ok(self.own.insert(own).clone())
    }

    /// Reads the bytes that came as player `dealer`'s dealing.
    pub fn receive(&mut self, dealer: usize, bytes: &[u8]) -> Verdict {
        if let Some(verdict) = self.compare(dealer, bytes) {
            return verdict;
        }
        let session = self.ceremony.session();
        let dealt = Dealt::from_bytes(session, dealer, bytes);
        let verified = dealt.and_then(|dealt| verify(session, &dealt));
        self.keep(dealer, bytes, verified)
    }

    /// Reads many dealings at once: they are verified together, each with its own verdict.
    pub fn receive_all(&mut self, dealings: &[(usize, Vec<u8>)]) -> Vec<Verdict> {
        use rayon::prelude::*;
        let session = self.ceremony.session();
        // Another dealing from a dealer already held costs a comparison, not a proof.
        let read = |(dealer, bytes): &(usize, Vec<u8>)| {
            (!self.held.contains_key(dealer)).then(|| Dealt::from_bytes(session, *dealer, bytes))
        };
        let read: Vec<_> = dealings.par_iter().map(read).collect();
        let mut dealers = BTreeSet::new();
        let first = read.into_iter().map(|read| match read {
            Some(Ok(dealt)) if !dealers.insert(dealt.dealer()) => None,
            read => read,
        });
        let first: Vec<_> = first.collect();
        let parsed: Vec<Dealt> = first.iter().flatten().flatten().cloned().collect();
        let mut verified = verify_all(session, &parsed).into_iter();
        let verdict = |((dealer, bytes), first): (&(usize, Vec<u8>), Option<_>)| match first {
            Some(Ok(_)) => {
                let verified = verified.next().unwrap_or(Err(pvss::Error::OtherSession));
                self.keep(*dealer, bytes, verified)
            }
            Some(Err(error)) => {
                let known = self.compare(*dealer, bytes);
                known.unwrap_or_else(|| self.keep(*dealer, bytes, Err(error)))
            }
            None => self.receive(*dealer, bytes),
        };
        dealings.iter().zip(first).map(verdict).collect()
    }

    /// The verdict that follows from what the dealer signed before.
    fn compare(&mut self, dealer: usize, bytes: &[u8]) -> Option<Verdict> {
        let session = self.ceremony.session();
        let first = match self.held.get(&dealer)? {
            Held::Good(verified) => verified.dealt().as_bytes(),
            Held::Bad(bytes) => bytes,
            Held::Cheater(_) => {
                return Some(Verdict::Refused(pvss::Error::DuplicateDealer { dealer }));
            }
        };
        let proof = Equivocation { dealer, dealings: [first.to_vec(), bytes.to_vec()] };
        match signed_digest(session, dealer, bytes) {
            // Signed by somebody else, or nobody: it says nothing about the dealer.
            Err(error) => Some(Verdict::Refused(error)),
            Ok(_) if proof.verify(self.ceremony).is_ok() => {
                let refused = self.refused(dealer);
                self.held.insert(dealer, Held::Cheater(refused));
                Some(Verdict::Equivocation(Box::new(proof)))
            }
            Ok(_) => Some(Verdict::Known),
        }
    }

    fn keep(
        &mut self,
        dealer: usize,
        bytes: &[u8],
        verified: Result<Verified, pvss::Error>,
    ) -> Verdict {
        match verified {
            Ok(verified) => {
                self.held.insert(dealer, Held::Good(Box::new(verified)));
                Verdict::Accepted
            }
            Err(error) => {
                if signed_digest(self.ceremony.session(), dealer, bytes).is_ok() {
                    self.held.insert(dealer, Held::Bad(bytes.to_vec()));
                }
                Verdict::Refused(error)
            }
        }
    }

    /// The digest of a dealer's dealing that was refused, whatever the dealer has signed since.
    fn refused(&self, dealer: usize) -> Option<[u8; 32]> {
        match self.held.get(&dealer)? {
            Held::Bad(bytes) => signed_digest(self.ceremony.session(), dealer, bytes).ok(),
            Held::Cheater(refused) => *refused,
            Held::Good(_) => None,
        }
    }

    /// Dealers whose dealing verified, ascending.
    pub fn dealers(&self) -> Vec<usize> {
        let good = self.held.iter().filter(|(_, held)| matches!(held, Held::Good(_)));
        good.map(|(dealer, _)| *dealer).collect()
    }

    pub(super) fn dealing(&self, dealer: usize) -> Result<&Verified, Error> {
        match self.held.get(&dealer) {
            Some(Held::Good(verified)) => Ok(verified),
            Some(Held::Cheater(_)) => Err(Error::Equivocator { dealer }),
            _ => Err(Error::MissingDealing { dealer }),
        }
    }

    /// The sum of dealers' dealings.
    ///
    /// # Errors
    ///
    /// [`Error::MissingDealing`] or [`Error::Equivocator`]; [`Error::Sharing`] as [`Subtranscript::check`].
    pub fn sum(&self, dealers: &[usize]) -> Result<Subtranscript, Error> {
        let dealing = |dealer: &usize| self.dealing(*dealer).cloned();
        let dealings = dealers.iter().map(dealing).collect::<Result<Vec<_>, _>>()?;
        Ok(Subtranscript::sum(&dealings)?)
    }

    /// Proposes all dealings that verified, with their sum.
    ///
    /// If some share of the sum is zero, one dealing is left out.
    ///
    /// # Errors
    ///
    /// [`Error::LightDealers`] while there are too few of them, or as [`Self::sum`] if none can be
    /// left out.
    pub fn propose(&self) -> Result<(Proposal, Subtranscript), Error> {
        let (dealers, session) = (self.dealers(), self.ceremony.session());
        self.ceremony.check_contributors(&dealers).map_err(|error| match error {
            Error::Dealers => Error::MissingDealing { dealer: self.player },
            error => error,
        })?;
        let (dealers, sum) = match self.sum(&dealers) {
            Err(Error::Sharing(pvss::Error::ZeroShare { share })) => {
                self.sum_of_others(&dealers, share)?
            }
            sum => (dealers, sum?),
        };
        let digest = |dealer: &usize| Ok(self.dealing(*dealer)?.dealt().digest());
        let proposal = Proposal {
            ceremony: *self.ceremony.digest(),
            epoch: session.epoch(),
            dealings: dealers.iter().map(digest).collect::<Result<_, Error>>()?,
            sum: sum.digest(session),
            dealers,
        };
        Ok((proposal, sum))
    }

    /// The sum without one of the dealings, if share `share` of all is zero.
    ///
    /// Leaving out any one of them makes that share nonzero, since no dealing has a zero share. The
    /// owner's goes first: nobody else knew what the others had dealt there. The last dealer may be
    /// another player, and may have made other shares zero in sums without somebody, but not in
    /// the sum without itself.
    fn sum_of_others(
        &self,
        dealers: &[usize],
        share: usize,
    ) -> Result<(Vec<usize>, Subtranscript), Error> {
        let owner = self.ceremony.session().shape().owner(share - 1).0 + 1;
        let owner = dealers.iter().filter(|dealer| **dealer == owner);
        let without = |left_out: &usize| {
            let others: Vec<usize> =
                dealers.iter().copied().filter(|dealer| dealer != left_out).collect();
            self.ceremony.check_contributors(&others).ok()?;
            self.sum(&others).ok().map(|sum| (others, sum))
        };
        let found = owner.chain(dealers).find_map(without);
        found.ok_or(Error::Sharing(pvss::Error::ZeroShare { share }))
    }

    /// Checks that this node holds exactly what is proposed, and that it adds up.
    ///
    /// # Errors
    ///
    /// As [`Proposal::check`] and [`Self::sum`]; [`Error::OtherDealing`] or [`Error::OtherSum`].
    pub fn check(&self, proposal: &Proposal) -> Result<Subtranscript, Error> {
        proposal.check(self.ceremony)?;
        for (dealer, digest) in proposal.dealers.iter().zip(&proposal.dealings) {
            if self.dealing(*dealer)?.dealt().digest() != *digest {
                return Err(Error::OtherDealing { dealer: *dealer });
            }
        }
        let sum = self.sum(&proposal.dealers)?;
        let is_proposed = sum.digest(self.ceremony.session()) == proposal.sum;
        is_proposed.then_some(sum).ok_or(Error::OtherSum)
    }

    /// Attests to a proposal.
    ///
    /// # Errors
    ///
    /// As [`Self::check`], or [`Error::Observer`].
    pub fn attest(&self, proposal: &Proposal) -> Result<Attestation, Error> {
        let keys = self.keys()?;
        self.check(proposal)?;
        Ok(Attestation::sign(self.ceremony, proposal, self.player, keys))
    }

    /// Accepts a decided certificate with its sum. A node that refused a certified dealing, or
    /// holds another one from its dealer, does not accept the certificate: what can be checked is
    /// not left to the agreement.
    ///
    /// # Errors
    ///
    /// As [`Certificate::verify`]; [`Error::OtherDealing`] for a dealer whose dealing here is
    /// another one or was refused; [`Error::OtherSum`] if all dealings are here and do not add up
    /// to `sum`.
    pub fn accept(
        &self,
        certificate: &Certificate,
        sum: &Subtranscript,
    ) -> Result<Certified, Error> {
        let certified = certificate.verify(self.ceremony, sum)?;
        let proposal = &certificate.proposal;
        let mut complete = true;
        for (dealer, digest) in proposal.dealers.iter().zip(&proposal.dealings) {
            let same = match self.held.get(dealer) {
                Some(Held::Good(verified)) => verified.dealt().digest() == *digest,
                // A late player: others have checked what it has not seen.
                _ => self.refused(*dealer) != Some(*digest),
            };
            complete &= matches!(self.held.get(dealer), Some(Held::Good(_)));
            if !same {
                return Err(Error::OtherDealing { dealer: *dealer });
            }
        }
        if complete && self.sum(&proposal.dealers)? != *sum {
            Err(Error::OtherSum)
        } else {
            Ok(certified)
        }
    }
}
