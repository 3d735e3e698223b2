//! Reads the protobuf wire format: tags, varints, fixed-width numbers and length-delimited bytes.

use super::error::{DecodeError, Problem};

/// Walks over the fields of one message.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    /// Where `bytes` start in the frame; moves on with every byte taken.
    offset: usize,
    place: &'static str,
}

/// Holds the value of one field as the wire shows it.
#[derive(Clone, Debug)]
pub(super) enum Wire<'a> {
    Varint(u64),
    /// Eight bytes, and the place of their tag.
    Fixed64([u8; 8], Reader<'a>),
    Fixed32,
    Bytes(Reader<'a>),
}

impl<'a> Reader<'a> {
    /// Starts reading a frame.
    pub(super) fn new(frame: &'a [u8]) -> Self {
        Self {
            bytes: frame,
            offset: 0,
            place: "Event",
        }
    }

    /// Says which message the bytes belong to, for error messages.
    pub(super) fn named(self, place: &'static str) -> Self {
        Self { place, ..self }
    }

    /// Returns the next field's number and value, or nothing at the end of the message.
    pub(super) fn next_field(&mut self) -> Result<Option<(u32, Wire<'a>)>, DecodeError> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let at_tag = self.clone();
        let tag =
            u32::try_from(self.varint()?).map_err(|_| at_tag.error(Problem::VarintTooLong))?;
        let number = tag >> 3;
        if number == 0 {
            return Err(at_tag.error(Problem::FieldZero));
        }
        let value = match tag & 7 {
            0 => Wire::Varint(self.varint()?),
            1 => Wire::Fixed64(self.array()?, at_tag),
            2 => Wire::Bytes(self.delimited()?),
            5 => {
                self.array::<4>()?;
                Wire::Fixed32
            }
            other => {
                let other = u8::try_from(other).expect("three bits fit into a byte");
                return Err(at_tag.error(Problem::WireType(other)));
            }
        };
        Ok(Some((number, value)))
    }

    /// Checks that the rest is made of whole fields, without looking inside them.
    pub(super) fn check_fields(mut self) -> Result<(), DecodeError> {
        while self.next_field()?.is_some() {}
        Ok(())
    }

    /// Returns the rest as text. Bytes that are not UTF-8 become U+FFFD, as they do in an event stream.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    /// Makes an error for the current position.
    pub(super) fn error(&self, problem: Problem) -> DecodeError {
        DecodeError {
            problem,
            place: self.place,
            offset: self.offset,
        }
    }

    fn varint(&mut self) -> Result<u64, DecodeError> {
        let start = self.clone();
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            // The tenth byte has room for one bit only.
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(start.error(Problem::VarintTooLong))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((taken, rest)) = self.bytes.split_first_chunk() else {
            return Err(self.error(Problem::Truncated));
        };
        self.bytes = rest;
        self.offset += N;
        Ok(*taken)
    }

    fn delimited(&mut self) -> Result<Self, DecodeError> {
        let start = self.clone();
        let length = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        let Some((taken, rest)) = self.bytes.split_at_checked(length) else {
            return Err(start.error(Problem::Truncated));
        };
        let inside = Self {
            bytes: taken,
            offset: self.offset,
            place: self.place,
        };
        self.bytes = rest;
        self.offset += length;
        Ok(inside)
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn read(bytes: &[u8]) -> String {
        let mut reader = Reader::new(bytes);
        let mut lines = Vec::new();
        loop {
            lines.push(match reader.next_field() {
                Ok(Some((number, Wire::Bytes(inside)))) => format!("{number}: {:?}", inside.text()),
                Ok(Some((number, Wire::Fixed64(bytes, _)))) => format!("{number}: {bytes:?}"),
                Ok(Some((number, wire))) => format!("{number}: {wire:?}"),
                Ok(None) => return lines.join("\n"),
                Err(error) => format!("{error}"),
            });
            if lines
                .last()
                .is_some_and(|line| line.contains("of the frame"))
            {
                return lines.join("\n");
            }
        }
    }

    #[test]
    fn every_wire_type_is_read() {
        assert_snapshot!(read(b"\x08\x96\x01\x11\x01\x02\x03\x04\x05\x06\x07\x08\x1a\x02hi\x25\0\0\0\0"), @r#"
        1: Varint(150)
        2: [1, 2, 3, 4, 5, 6, 7, 8]
        3: "hi"
        4: Fixed32
        "#);
    }

    #[test]
    fn the_largest_varint_is_read_and_a_larger_one_refused() {
        assert_snapshot!(read(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), @"1: Varint(18446744073709551615)");
        assert_snapshot!(read(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), @"a varint is too long (in Event, byte 1 of the frame)");
    }

    #[test]
    fn bad_tags_are_refused() {
        assert_snapshot!(read(b"\x08\x01\x02\0"), @"
        1: Varint(1)
        field number 0 is not allowed (in Event, byte 2 of the frame)
        ");
        assert_snapshot!(read(b"\x0b\x0c"), @"wire type 3 is not supported (in Event, byte 0 of the frame)");
        assert_snapshot!(read(b"\x88\x80\x80\x80\x80\x01\0"), @"a varint is too long (in Event, byte 0 of the frame)");
    }

    #[test]
    fn lengths_past_the_end_are_refused() {
        assert_snapshot!(read(b"\x0a\x03ab"), @"the data ends inside a field (in Event, byte 1 of the frame)");
        assert_snapshot!(read(b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), @"the data ends inside a field (in Event, byte 1 of the frame)");
    }

    #[test]
    fn text_that_is_not_utf8_is_repaired() {
        assert_snapshot!(read(b"\x0a\x03a\xffb"), @r#"1: "a�b""#);
    }
}
