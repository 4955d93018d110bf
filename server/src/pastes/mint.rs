//! Random ids and tokens, from the operating system's source.

use super::PastesError;
use app::wire::id::{ALPHABET, PasteId, Slot};
use app::wire::token::DeleteToken;

/// A new id in a slot.
pub(super) fn id(slot: Slot) -> Result<PasteId, PastesError> {
    PasteId::new(slot, base62()?).map_err(|_| PastesError::Internal)
}

/// A new delete token.
pub(super) fn token() -> Result<DeleteToken, PastesError> {
    DeleteToken::new(base62()?).map_err(|_| PastesError::Internal)
}

/// Random bytes.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], PastesError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(error = %error, "the system's random source failed");
        PastesError::Internal
    })?;
    Ok(bytes)
}

/// Random base62 characters.
///
/// 248 is the largest multiple of 62 in a byte: bytes past it are drawn again, so no character is likelier than
/// another.
fn base62<const N: usize>() -> Result<[u8; N], PastesError> {
    let mut characters = [0; N];
    let mut filled = 0;
    while filled < N {
        for byte in random_bytes::<64>()? {
            if byte < 248 && filled < N {
                characters[filled] = ALPHABET[usize::from(byte % 62)];
                filled += 1;
            }
        }
    }
    Ok(characters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_carry_their_slot_and_differ() {
        let slot = Slot::new(182);
        let (one, two) = (id(slot).unwrap(), id(slot).unwrap());
        assert_eq!(one.slot(), slot);
        assert!(one.as_str().starts_with("2w"));
        assert_ne!(one, two);
    }

    /// With 62,000 draws a character is expected 1,000 times, with a standard deviation of 31. Modulo bias would give
    /// the first eight 1,250.
    #[test]
    fn no_character_is_likelier_than_another() {
        let mut counts = [0_u32; 256];
        for _ in 0..1000 {
            for character in base62::<62>().unwrap() {
                counts[usize::from(character)] += 1;
            }
        }
        for character in ALPHABET {
            let count = counts[usize::from(*character)];
            assert!(
                (800..1200).contains(&count),
                "{}: {count}",
                char::from(*character)
            );
        }
    }
}
