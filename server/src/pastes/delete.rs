//! The delete: the row goes, an outbox row names what is left to do.

use super::{Pastes, PastesError};
use crate::store::{self, Hash, Store, StoreError};
use app::wire::id::PasteId;
use app::wire::token::DeleteToken;
use sha2::{Digest, Sha256};

/// How a delete ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeleteOutcome {
    /// It is gone; no read will find it again.
    Deleted,
    /// Wrong token, missing, expired or already deleted.
    NotFound,
}

impl Pastes {
    /// Deletes a paste. Run it in a task of its own: it must not be dropped half-way.
    ///
    /// # Errors
    /// [`PastesError::ShardUnavailable`]: the delete may or may not have happened; sending it again settles it.
    pub async fn delete(
        &self,
        id: PasteId,
        token: &DeleteToken,
    ) -> Result<DeleteOutcome, PastesError> {
        let token_hash = Sha256::digest(token.reveal()).into();
        let store = self.router.store(id.slot());
        let outcome = match store.delete(id, &token_hash).await {
            Err(StoreError::Unknown) => settle(store, id, &token_hash).await?,
            settled => settled?,
        };
        Ok(match outcome {
            store::DeleteOutcome::Deleted => {
                self.cache.bury(id).await;
                DeleteOutcome::Deleted
            }
            store::DeleteOutcome::NotFound => DeleteOutcome::NotFound,
        })
    }
}

/// Runs a delete again whose commit nobody can tell of. No row now but an outbox row: the first one was committed.
async fn settle(
    store: &dyn Store,
    id: PasteId,
    token_hash: &Hash,
) -> Result<store::DeleteOutcome, StoreError> {
    match store.delete(id, token_hash).await? {
        store::DeleteOutcome::NotFound if store.is_in_outbox(id).await? => {
            Ok(store::DeleteOutcome::Deleted)
        }
        outcome => Ok(outcome),
    }
}
