//! SHA-256 (FIPS 180-4), to name what a recording does not hold.

use std::fmt::Write as _;

/// Returns the hash of `data` in hexadecimal digits, as `sha256sum` prints it.
pub(super) fn sha256(data: &[u8]) -> String {
    let (round, mut state) = constants();
    let (blocks, rest) = data.as_chunks::<64>();
    for block in blocks {
        add(&mut state, block, &round);
    }
    let mut last = rest.to_vec();
    last.push(0x80);
    while last.len() % 64 != 56 {
        last.push(0);
    }
    last.extend((data.len() as u64 * 8).to_be_bytes());
    for block in last.as_chunks::<64>().0 {
        add(&mut state, block, &round);
    }
    let mut hash = String::with_capacity(64);
    for word in state {
        write!(hash, "{word:08x}").ok();
    }
    hash
}

fn add(state: &mut [u32; 8], block: &[u8; 64], round: &[u32; 64]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for i in 16..64 {
        let (a, b) = (words[i - 15], words[i - 2]);
        let low = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let high = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[i] = words[i - 16]
            .wrapping_add(low)
            .wrapping_add(words[i - 7])
            .wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(round) {
        let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let one = h
            .wrapping_add(high)
            .wrapping_add(choice)
            .wrapping_add(*constant)
            .wrapping_add(*word);
        let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        (h, g, f, e) = (g, f, e, d.wrapping_add(one));
        (d, c, b, a) = (c, b, a, one.wrapping_add(low.wrapping_add(majority)));
    }
    for (word, added) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(added);
    }
}

/// Returns the first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the
/// first 8: computed, so that no digit can be mistyped.
fn constants() -> ([u32; 64], [u32; 8]) {
    let mut primes = (2_u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: [u128; 64] = std::array::from_fn(|_| primes.next().unwrap_or_default());
    let round = primes.map(|prime| fraction(|root| root * root * root <= prime << 96));
    let state = std::array::from_fn(|i| fraction(|root| root * root <= primes[i] << 64));
    (round, state)
}

/// Returns the low half of the largest root, in 32.32 bits, that `fits`.
fn fraction(fits: impl Fn(u128) -> bool) -> u32 {
    let mut root = 0_u128;
    for bit in (0..38).rev() {
        let candidate = root | (1 << bit);
        if fits(candidate) {
            root = candidate;
        }
    }
    u32::try_from(root & u128::from(u32::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn hashes_are_those_of_sha256sum() {
        let hashes = [
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ];
        for (text, hash) in hashes {
            assert_eq!(sha256(text.as_bytes()), hash);
        }
        // One that ends a byte before, at, and a byte behind the end of a block.
        let lengths = [55, 56, 63, 64, 65].map(|n| sha256(&vec![b'a'; n]));
        assert!(lengths.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
