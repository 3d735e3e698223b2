//! Turns `google.protobuf.Value`, `Struct` and `ListValue` into JSON.
//!
//! Messages are merged into what is there already, because protobuf lets a message come in several pieces. Values nest as
//! deeply as the agent likes, so the open ones are kept in a list and not on the stack of the thread.

use serde_json::{Map, Number, Value};

use super::decode::Decoder;
use super::error::{DecodeError, Problem};
use super::wire::{Reader, Wire};

/// Holds what is known so far about a message that is being read.
#[derive(Debug)]
pub(super) enum Open {
    /// A `Value`; empty until a kind is set.
    Value(Option<Value>),
    Struct(Map<String, Value>),
    /// One entry of a `Struct`.
    Entry(String, Option<Value>),
    List(Vec<Value>),
}

struct Level<'a> {
    open: Open,
    reader: Reader<'a>,
    depth: usize,
}

impl Decoder {
    /// Merges the bytes of a message into `open` and returns it.
    pub(super) fn merge_json<'a>(
        &mut self,
        open: Open,
        reader: Reader<'a>,
        depth: usize,
    ) -> Result<Open, DecodeError> {
        let mut current = self.open_level(open, reader, depth)?;
        let mut outer: Vec<Level<'a>> = Vec::new();
        loop {
            let Some((number, wire)) = current.reader.next_field()? else {
                let Some(mut parent) = outer.pop() else {
                    return Ok(current.open);
                };
                parent.open.close(current.open);
                current = parent;
                continue;
            };
            if let Some((open, inside)) = current.open.read(number, wire)? {
                let inner = self.open_level(open, inside, current.depth)?;
                outer.push(std::mem::replace(&mut current, inner));
            }
        }
    }

    fn open_level<'a>(
        &mut self,
        open: Open,
        reader: Reader<'a>,
        depth: usize,
    ) -> Result<Level<'a>, DecodeError> {
        // What becomes an object or a list is one level of JSON; values and entries only stand between them.
        let (place, depth, n_values) = match open {
            Open::Value(_) => ("google.protobuf.Value", depth, 1),
            Open::Entry(..) => ("google.protobuf.Struct.FieldsEntry", depth, 0),
            Open::Struct(_) => ("google.protobuf.Struct", depth + 1, 0),
            Open::List(_) => ("google.protobuf.ListValue", depth + 1, 0),
        };
        let reader = reader.named(place);
        self.enter(&reader, depth)?;
        self.count(&reader, n_values)?;
        Ok(Level {
            open,
            reader,
            depth,
        })
    }
}

impl Open {
    /// Takes in one field. Returns the message to read next if the field holds one.
    fn read<'a>(
        &mut self,
        number: u32,
        wire: Wire<'a>,
    ) -> Result<Option<(Self, Reader<'a>)>, DecodeError> {
        Ok(match (self, number, wire) {
            (Self::Value(slot), 5, Wire::Bytes(inside)) => {
                // The same kind again adds to the object; another kind replaces what was there.
                Some(match slot.take() {
                    Some(Value::Object(object)) => (Self::Struct(object), inside),
                    _ => (Self::Struct(Map::new()), inside),
                })
            }
            (Self::Value(slot), 6, Wire::Bytes(inside)) => Some(match slot.take() {
                Some(Value::Array(list)) => (Self::List(list), inside),
                _ => (Self::List(Vec::new()), inside),
            }),
            (Self::Value(slot), number, wire) => {
                if let Some(scalar) = scalar(number, wire)? {
                    *slot = Some(scalar);
                }
                None
            }
            (Self::Struct(_), 1, Wire::Bytes(inside)) => {
                Some((Self::Entry(String::new(), None), inside))
            }
            (Self::Entry(key, _), 1, Wire::Bytes(text)) => {
                *key = text.text();
                None
            }
            (Self::Entry(_, value), 2, Wire::Bytes(inside)) => {
                Some((Self::Value(value.take()), inside))
            }
            (Self::List(_), 1, Wire::Bytes(inside)) => Some((Self::Value(None), inside)),
            _ => None,
        })
    }

    /// Takes in a message that `read` has asked for.
    fn close(&mut self, inner: Self) {
        match (self, inner) {
            (Self::Value(slot), Self::Struct(object)) => *slot = Some(Value::Object(object)),
            (Self::Value(slot), Self::List(list)) => *slot = Some(Value::Array(list)),
            (Self::Entry(_, slot), Self::Value(value)) => *slot = value,
            // A later entry replaces an earlier one with the same key; an entry without a value is none.
            (Self::Struct(object), Self::Entry(key, value)) => {
                object.extend(value.map(|value| (key, value)));
            }
            // An element without a kind still has its place in the list.
            (Self::List(list), Self::Value(value)) => list.push(value.unwrap_or(Value::Null)),
            (outer, inner) => unreachable!("`read` never puts {inner:?} into {outer:?}"),
        }
    }

    /// Returns the finished message as JSON.
    pub(super) fn into_json(self) -> Option<Value> {
        match self {
            Self::Value(value) | Self::Entry(_, value) => value,
            Self::Struct(object) => Some(Value::Object(object)),
            Self::List(list) => Some(Value::Array(list)),
        }
    }
}

/// Reads one of the simple kinds of a `Value`.
fn scalar(number: u32, wire: Wire<'_>) -> Result<Option<Value>, DecodeError> {
    Ok(match (number, wire) {
        (1, Wire::Varint(_)) => Some(Value::Null),
        (2, Wire::Fixed64(bytes, place)) => {
            let number = f64::from_le_bytes(bytes);
            let not_a_number = || place.error(Problem::NotANumber(number.to_string()));
            Some(Value::Number(json_number(number).ok_or_else(not_a_number)?))
        }
        (3, Wire::Bytes(text)) => Some(Value::String(text.text())),
        (4, Wire::Varint(flag)) => Some(Value::Bool(flag != 0)),
        _ => None,
    })
}

/// Returns `number` as JavaScript writes it into JSON: whole numbers below 10^21 without point or exponent.
fn json_number(number: f64) -> Option<Number> {
    if number.fract() == 0.0 && number.abs() < 1e21 {
        // The shortest digits that name this number, then zeros: the exact integer would show digits nobody sent.
        let digits = format!("{number}");
        if let Ok(whole) = digits.parse::<i64>() {
            return Some(Number::from(whole));
        }
        if let Ok(whole) = digits.parse::<u64>() {
            return Some(Number::from(whole));
        }
    }
    Number::from_f64(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_the_sse_encoding() {
        let shown: Vec<String> = [
            0.0,
            -0.0,
            1.0,
            -3.0,
            1.5,
            9_007_199_254_740_991.0,
            1_152_921_504_606_846_976.0,
            1e19,
            1e20,
            1e21,
            5e-324,
        ]
        .into_iter()
        .map(|number| json_number(number).unwrap().to_string())
        .collect();
        insta::assert_snapshot!(shown.join(" "), @"0 0 1 -3 1.5 9007199254740991 1152921504606847000 10000000000000000000 1e+20 1e+21 5e-324");
        assert!(json_number(f64::NAN).is_none() && json_number(f64::INFINITY).is_none());
    }
}
