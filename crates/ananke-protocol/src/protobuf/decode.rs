//! Decodes one frame into one event, along the tables.

use serde_json::{Map, Value};

use super::envelope::{Arm, arm};
use super::error::{DecodeError, Problem};
use super::schema::{Field, Kind, Message, Presence, patch_op};
use super::shape::shape_event;
use super::values::Open;
use super::wire::{Reader, Wire};

/// Says what a frame holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decoded {
    /// An event, as its SSE encoding would show it.
    Event(Value),
    /// An event type that is newer than this program: the number of its arm.
    UnknownArm(u32),
}

/// Decodes a frame, without its length prefix.
pub(crate) fn decode_event(frame: &[u8]) -> Result<Decoded, DecodeError> {
    let whole = Reader::new(frame);
    let mut reader = whole.clone();
    let mut decoder = Decoder { n_values: 0 };
    let mut event: Option<(&'static Arm, Map<String, Value>)> = None;
    let mut unknown_arm = None;
    let mut unreadable = None;
    while let Some((number, wire)) = reader.next_field()? {
        match (arm(number), wire) {
            (Some(arm), Wire::Bytes(inside)) => {
                let (first, fields) = event.get_or_insert_with(|| (arm, arm.message.empty()));
                if first.number != arm.number {
                    let both =
                        Problem::TwoArms(first.event_type.to_owned(), arm.event_type.to_owned());
                    return Err(inside.error(both));
                }
                decoder.merge_message(fields, inside, arm.message, 1)?;
            }
            // An arm in a form that no encoder writes.
            (Some(_), _) => return Err(whole.error(Problem::NoEvent)),
            (None, Wire::Bytes(inside)) => {
                // Beside an event, unknown fields are ignored; alone, they must at least be a message.
                match inside.check_fields() {
                    Ok(()) => unknown_arm = unknown_arm.or(Some(number)),
                    Err(error) => unreadable = unreadable.or(Some(error)),
                }
            }
            (None, _) => {}
        }
    }
    match (event, unreadable, unknown_arm) {
        (Some((arm, fields)), _, _) => {
            let event = shape_event(arm, fields)
                .map_err(|problem| whole.named(arm.message.name).error(problem))?;
            Ok(Decoded::Event(event))
        }
        (None, Some(error), _) => Err(error),
        (None, None, Some(number)) => Ok(Decoded::UnknownArm(number)),
        (None, None, None) => Err(whole.error(Problem::NoEvent)),
    }
}

/// JSON deeper than this is refused in every encoding.
const MAX_DEPTH: usize = 512;

/// A value costs about a hundred bytes of memory and as little as two bytes on the wire, so it is not enough to limit
/// the size of the frame.
const MAX_VALUES: usize = 1 << 20;

/// Decodes the messages of one frame and keeps count of what they hold.
#[derive(Debug)]
pub(super) struct Decoder {
    n_values: usize,
}

impl Decoder {
    /// Merges the bytes of a message into `fields`: protobuf allows a message to come in several pieces.
    fn merge_message(
        &mut self,
        fields: &mut Map<String, Value>,
        mut reader: Reader<'_>,
        message: &'static Message,
        depth: usize,
    ) -> Result<(), DecodeError> {
        reader = reader.named(message.name);
        self.enter(&reader, depth)?;
        while let Some((number, wire)) = reader.next_field()? {
            if let Some(field) = message.field(number) {
                self.count(&reader, 1)?;
                self.merge_field(fields, wire, field, depth)?;
            }
        }
        Ok(())
    }

    /// Merges one field. A value of the wrong wire type is skipped like an unknown field.
    fn merge_field(
        &mut self,
        fields: &mut Map<String, Value>,
        wire: Wire<'_>,
        field: &'static Field,
        depth: usize,
    ) -> Result<(), DecodeError> {
        let value = match (&field.kind, wire) {
            (Kind::Text, Wire::Bytes(text)) => Value::String(text.text()),
            (Kind::Integer, Wire::Varint(bits)) => Value::from(bits.cast_signed()),
            (Kind::Flag, Wire::Varint(bits)) => Value::Bool(bits != 0),
            (Kind::PatchOp, Wire::Varint(bits)) => patch_op(bits.cast_signed()),
            (kind @ (Kind::Json | Kind::Object), Wire::Bytes(inside)) => {
                let open = match kind {
                    Kind::Json => Open::Value(fields.get_mut(field.name).map(Value::take)),
                    _ => Open::Struct(take_object(fields, field).unwrap_or_default()),
                };
                match self.merge_json(open, inside, depth)?.into_json() {
                    Some(value) => value,
                    None => return Ok(()),
                }
            }
            (Kind::Message(message), Wire::Bytes(inside)) => {
                let mut object = take_object(fields, field).unwrap_or_else(|| message.empty());
                self.count(&inside, object.len())?;
                self.merge_message(&mut object, inside, message, depth + 1)?;
                Value::Object(object)
            }
            _ => return Ok(()),
        };
        match fields.get_mut(field.name) {
            Some(Value::Array(list)) if field.presence == Presence::Repeated => list.push(value),
            Some(slot) => *slot = value,
            None => {
                fields.insert(field.name.to_owned(), value);
            }
        }
        Ok(())
    }

    /// Refuses data that is nested too deeply for the stack.
    pub(super) fn enter(&self, reader: &Reader<'_>, depth: usize) -> Result<(), DecodeError> {
        if depth > MAX_DEPTH {
            return Err(reader.error(Problem::TooDeep(MAX_DEPTH)));
        }
        Ok(())
    }

    /// Counts values that take memory, and refuses a frame with too many of them.
    pub(super) fn count(
        &mut self,
        reader: &Reader<'_>,
        n_values: usize,
    ) -> Result<(), DecodeError> {
        self.n_values += n_values;
        if self.n_values > MAX_VALUES {
            return Err(reader.error(Problem::TooManyValues(MAX_VALUES)));
        }
        Ok(())
    }
}

/// Takes the object that an earlier piece of a singular message has left.
fn take_object(fields: &mut Map<String, Value>, field: &Field) -> Option<Map<String, Value>> {
    match fields
        .get_mut(field.name)
        .filter(|_| field.presence != Presence::Repeated)?
        .take()
    {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
