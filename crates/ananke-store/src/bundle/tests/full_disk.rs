//! Disks that are full, and when bytes are put on them.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::super::frame_log::Disk;
use super::super::writer::Records;
use super::{error_in_words, in_words, read_bytes, sample};

/// A disk with room for `room` bytes, which takes what fits of the write that is too large.
#[derive(Default)]
struct SmallDisk {
    room: usize,
    shared: Rc<RefCell<Shared>>,
}

#[derive(Default)]
struct Shared {
    bytes: Vec<u8>,
    n_writes: usize,
    n_syncs: usize,
}

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut shared = self.shared.borrow_mut();
        let room = self.room.saturating_sub(shared.bytes.len());
        if room == 0 {
            return Err(io::Error::new(
                io::ErrorKind::StorageFull,
                "No space left on device",
            ));
        }
        let n_taken = bytes.len().min(room);
        shared.bytes.extend_from_slice(&bytes[..n_taken]);
        shared.n_writes += 1;
        Ok(n_taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Disk for SmallDisk {
    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.shared
            .borrow_mut()
            .bytes
            .truncate(usize::try_from(len).unwrap());
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.shared.borrow_mut().n_syncs += 1;
        Ok(())
    }
}

fn records(room: usize) -> (Records<SmallDisk>, Rc<RefCell<Shared>>) {
    let shared = Rc::default();
    let disk = SmallDisk {
        room,
        shared: Rc::clone(&shared),
    };
    let records = Records::new(disk, Path::new("/runs/run.jsonl.zst").to_owned(), 1 << 30);
    (records.unwrap(), shared)
}

#[test]
fn a_full_disk_keeps_what_was_whole() {
    let (mut records, shared) = records(2_500);
    records.begin(&sample::head(), &sample::sources()).unwrap();
    let mut errors = Vec::new();
    for number in 0..20 {
        let result = records.test(&sample::plain(&format!("t{number}")));
        if let Err(error) = result.and_then(|()| records.flush(Instant::now())) {
            errors.push(error_in_words(&error));
        }
    }
    errors.push(error_in_words(
        &records.finish(&sample::summary()).unwrap_err(),
    ));
    assert_snapshot!(errors[0], @"
    error: cannot write the bundle `…/run.jsonl.zst`
    caused by: No space left on device
    hint: it keeps the first 2 tests; make room, or run with `--no-bundle`
    ");
    assert!(errors.iter().all(|error| *error == errors[0]));
    assert_snapshot!(in_words(read_bytes(&shared.borrow().bytes)), @"[passed passed] cut: it has no `end` record");
}

#[test]
fn a_disk_of_any_size_is_left_with_a_bundle() {
    let mut most = 0;
    for room in (0..4_000).step_by(41) {
        let (mut records, shared) = records(room);
        let results: Vec<_> = (0..4).map(|n| sample::plain(&format!("t{n}"))).collect();
        let begun = records.begin(&sample::head(), &[]);
        for result in &results {
            let written = records
                .test(result)
                .and_then(|()| records.flush(Instant::now()));
            assert!(begun.is_ok() || written.is_err());
        }
        if begun.is_err() {
            assert!(shared.borrow().bytes.is_empty(), "room for {room}");
            continue;
        }
        let bundle = read_bytes(&shared.borrow().bytes).unwrap();
        assert_eq!(
            bundle.recorded(),
            &results[..bundle.recorded().len()],
            "room for {room}"
        );
        most = most.max(bundle.recorded().len());
        if most == 4 {
            return;
        }
    }
    panic!("4000 bytes were not enough for 4 small tests");
}

#[test]
fn a_frame_is_one_write() {
    let (mut records, shared) = records(usize::MAX);
    records.begin(&sample::head(), &sample::sources()).unwrap();
    assert_eq!(shared.borrow().n_writes, 1);
    records.test(&sample::plain("one")).unwrap();
    records.test(&sample::plain("two")).unwrap();
    assert_eq!(shared.borrow().n_writes, 1);
    records.flush(Instant::now()).unwrap();
    assert_eq!(shared.borrow().n_writes, 2);
    records.flush(Instant::now()).unwrap();
    assert_eq!(shared.borrow().n_writes, 2);
}

#[test]
fn bytes_are_put_on_the_disk_twice_a_second_and_at_the_end() {
    let (mut records, shared) = records(usize::MAX);
    let start = Instant::now();
    records.begin(&sample::head(), &[]).unwrap();
    for ms in [10, 100, 400, 700, 900, 1_100, 1_300, 1_900] {
        records.test(&sample::plain("one")).unwrap();
        records.flush(start + Duration::from_millis(ms)).unwrap();
    }
    // At 700, 1300 and 1900 ms: the first is half a second after the file was made, give or take.
    assert_eq!(shared.borrow().n_syncs, 3);
    records.finish(&sample::summary()).unwrap();
    assert_eq!(shared.borrow().n_syncs, 4);
}
