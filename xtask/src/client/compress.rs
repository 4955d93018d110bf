//! The two encodings every browser takes, made once, as small as they get.

use std::io::Write;

use anyhow::Result;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Brotli at its best quality, 11.
pub(crate) fn brotli(mut content: &[u8]) -> Result<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: 11,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut content, &mut compressed, &parameters)?;
    Ok(compressed)
}

/// Gzip at its best level, 9, without a time, so that equal content gives equal bytes.
pub(crate) fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn both_encodings_give_the_content_back() {
        let content = b"paste ".repeat(100);
        let (brotli, gzip) = (
            brotli(&content).expect("brotli"),
            gzip(&content).expect("gzip"),
        );
        assert!(brotli.len() < content.len() && gzip.len() < content.len());
        let mut unbrotlied = Vec::new();
        brotli::BrotliDecompress(&mut &brotli[..], &mut unbrotlied).expect("valid Brotli");
        let mut ungzipped = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&gzip[..]);
        decoder.read_to_end(&mut ungzipped).expect("valid gzip");
        assert_eq!([unbrotlied, ungzipped], [content.clone(), content]);
    }
}
