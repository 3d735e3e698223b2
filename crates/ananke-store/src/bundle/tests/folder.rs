//! The folder of all bundles: names, what is newest, what is deleted.

use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;

use super::{error_in_words, sample, write};
use crate::bundle::writer::is_at;
use crate::{Bundle, BundleWriter, Head, latest, list, new_run_id, prune};

fn head(second: i64) -> Head {
    let mut head = sample::head();
    head.run.run_id = new_run_id(sample::START_MS + second * 1_000, 7);
    head
}

fn finished(folder: &Path, second: i64) -> PathBuf {
    write(folder, &head(second), &[], Some(&sample::summary()))
}

fn names(paths: &[PathBuf]) -> String {
    let names: Vec<&str> = paths
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap())
        .collect();
    names.join("\n")
}

#[test]
fn a_new_folder_is_hidden_from_version_control() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join(".ananke/runs");
    finished(&folder, 0);
    assert_eq!(
        fs::read_to_string(folder.join(".gitignore")).unwrap(),
        "*\n"
    );
    // A folder that was there is the user's.
    let own = root.path().join("own");
    fs::create_dir(&own).unwrap();
    finished(&own, 0);
    assert!(!own.join(".gitignore").exists());
}

#[test]
fn the_usual_folder_is_hidden_although_it_was_there() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join(".ananke/runs");
    fs::create_dir_all(&folder).unwrap();
    finished(&folder, 0);
    let ignored = folder.join(".gitignore");
    assert_eq!(fs::read_to_string(&ignored).unwrap(), "*\n");
    fs::write(&ignored, "own words").unwrap();
    finished(&folder, 1);
    assert_eq!(fs::read_to_string(&ignored).unwrap(), "own words");
}

#[test]
fn runs_with_the_same_id_get_folders_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let writers: Vec<BundleWriter> = (0..3)
        .map(|_| BundleWriter::create(folder.path(), &sample::head(), &[]).unwrap())
        .collect();
    let ids: Vec<&str> = writers.iter().map(BundleWriter::run_id).collect();
    assert_snapshot!(ids.join("\n"), @"
    20261115-115353-7f3a2b1c
    20261115-115353-7f3a2b1d
    20261115-115353-7f3a2b1e
    ");
    for writer in &writers {
        let bundle = Bundle::read(writer.path()).unwrap();
        assert_eq!(bundle.head.run.run_id, writer.run_id());
        assert!(writer.path().ends_with(writer.run_id()));
    }
}

#[test]
fn many_runs_at_once_never_share_a_bundle() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("runs");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let folder = &folder;
            scope.spawn(move || {
                for number in 0..5 {
                    let results = [sample::plain(&format!("{thread}-{number}"))];
                    let path = write(folder, &sample::head(), &results, Some(&sample::summary()));
                    assert_eq!(Bundle::read(&path).unwrap().results, results);
                }
            });
        }
    });
    assert_eq!(list(&folder).len(), 40);
}

#[test]
fn runs_that_tidy_up_leave_the_others_alone() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("runs");
    std::thread::scope(|scope| {
        for _ in 0..6 {
            let folder = &folder;
            scope.spawn(move || {
                for _ in 0..10 {
                    let mut writer = BundleWriter::create(folder, &sample::head(), &[]).unwrap();
                    prune(folder, 1).unwrap();
                    writer.test(&sample::plain("one")).unwrap();
                    writer.flush().unwrap();
                    assert_eq!(Bundle::read(writer.path()).unwrap().recorded().len(), 1);
                    writer.finish(&sample::summary()).unwrap();
                }
            });
        }
    });
    prune(&folder, 1).unwrap();
    assert_eq!(list(&folder).len(), 1);
}

#[test]
fn a_name_that_was_taken_again_is_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let first = fs::File::create_new(&path).unwrap();
    assert!(is_at(&first, &path));
    fs::remove_file(&path).unwrap();
    assert!(!is_at(&first, &path));
    let second = fs::File::create_new(&path).unwrap();
    assert!(is_at(&second, &path));
    assert!(!is_at(&first, &path));
}

#[test]
fn the_newest_run_that_is_over() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(latest(folder.path()), None);
    assert_eq!(latest(&folder.path().join("gone")), None);
    let old = finished(folder.path(), 1);
    assert_eq!(latest(folder.path()), Some(old.clone()));
    let going_on = BundleWriter::create(folder.path(), &head(9), &[]).unwrap();
    assert_eq!(latest(folder.path()), Some(old));
    let cut = going_on.path().to_owned();
    drop(going_on);
    assert_eq!(latest(folder.path()), Some(cut));
}

#[test]
fn prune_deletes_the_oldest_that_are_over() {
    let folder = tempfile::tempdir().unwrap();
    let going_on = BundleWriter::create(folder.path(), &head(0), &[]).unwrap();
    for second in [4, 2, 3, 1] {
        finished(folder.path(), second);
    }
    assert_eq!(prune(folder.path(), 0).unwrap(), Vec::<PathBuf>::new());
    assert_eq!(prune(folder.path(), 9).unwrap(), Vec::<PathBuf>::new());
    assert_snapshot!(names(&prune(folder.path(), 2).unwrap()), @"
    20261115-115355-7f000007
    20261115-115354-7f000007
    ");
    assert_snapshot!(names(&list(folder.path())), @"
    20261115-115357-7f000007
    20261115-115356-7f000007
    20261115-115353-7f000007
    ");
    drop(going_on);
    assert_eq!(prune(folder.path(), 2).unwrap().len(), 1);
    assert_eq!(prune(&folder.path().join("gone"), 1).unwrap().len(), 0);
}

#[test]
fn prune_deletes_nothing_that_is_not_a_bundle() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("runs");
    fs::create_dir_all(folder.join("20200101-000000-00000000")).unwrap();
    fs::create_dir_all(folder.join("mine")).unwrap();
    fs::write(folder.join("mine/run.jsonl.zst"), "x").unwrap();
    fs::write(folder.join("20200101-000000-00000001"), "x").unwrap();
    let annotated = finished(&folder, 1);
    fs::write(annotated.join("notes.md"), "x").unwrap();
    finished(&folder, 2);
    let before = 5;
    assert_eq!(fs::read_dir(&folder).unwrap().count(), before);
    assert_eq!(prune(&folder, 1).unwrap(), [&*annotated]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), before);
    assert!(annotated.join("notes.md").exists());
    assert!(!annotated.join("run.jsonl.zst").exists());
}

#[cfg(unix)]
#[test]
fn prune_follows_no_links() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let (folder, elsewhere) = (root.path().join("runs"), root.path().join("elsewhere"));
    let kept = finished(&elsewhere, 1);
    finished(&folder, 9);
    symlink(&kept, folder.join("20200101-000000-00000000")).unwrap();
    let linked = folder.join("20200101-000000-00000001");
    fs::create_dir(&linked).unwrap();
    symlink(kept.join("run.jsonl.zst"), linked.join("run.jsonl.zst")).unwrap();
    assert_eq!(prune(&folder, 1).unwrap(), Vec::<PathBuf>::new());
    assert!(kept.join("run.jsonl.zst").exists());
    assert!(linked.exists());
}

#[test]
fn a_folder_that_cannot_be_made() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "earlier").unwrap();
    let error = BundleWriter::create(&file, &sample::head(), &[]).unwrap_err();
    assert_snapshot!(error_in_words(&error), @"
    error: cannot create a bundle in `…/file`
    caused by: it is a file, not a folder
    hint: choose another folder for bundles, or run with `--no-bundle`
    ");
    assert_eq!(fs::read_to_string(&file).unwrap(), "earlier");
    let error = BundleWriter::create(&file.join("runs"), &sample::head(), &[]).unwrap_err();
    assert_snapshot!(error_in_words(&error), @"
    error: cannot create a bundle in `…/runs`
    caused by: `…/file` is a file, not a folder
    hint: choose another folder for bundles, or run with `--no-bundle`
    ");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere() {
    let root = tempfile::tempdir().unwrap();
    let link = root.path().join("link");
    std::os::unix::fs::symlink("gone", &link).unwrap();
    let error = BundleWriter::create(&link, &sample::head(), &[]).unwrap_err();
    assert_snapshot!(error_in_words(&error), @"
    error: cannot create a bundle in `…/link`
    caused by: it is a link that leads nowhere, not a folder
    hint: choose another folder for bundles, or run with `--no-bundle`
    ");
    let error = BundleWriter::create(&link.join("runs"), &sample::head(), &[]).unwrap_err();
    assert_snapshot!(error_in_words(&error), @"
    error: cannot create a bundle in `…/runs`
    caused by: `…/link` is a link that leads nowhere, not a folder
    hint: choose another folder for bundles, or run with `--no-bundle`
    ");
    // One that leads to a folder is as good as the folder.
    fs::create_dir(root.path().join("gone")).unwrap();
    finished(&link, 0);
    assert_eq!(list(&link).len(), 1);
}

#[test]
fn an_id_that_is_none_makes_no_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("runs");
    let mut head = sample::head();
    head.run.run_id = "../elsewhere".to_owned();
    let error = BundleWriter::create(&folder, &head, &[]).unwrap_err();
    assert_snapshot!(error_in_words(&error), @"
    error: cannot create a bundle in `…/runs`
    caused by: `../elsewhere` is no run id
    hint: choose another folder for bundles, or run with `--no-bundle`
    ");
    assert!(!root.path().join("elsewhere").exists());
}
