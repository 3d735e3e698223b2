//! What was run is counted over all files.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Scripts;
use crate::dispatch::{RunOptions, run};
use crate::testing::options;

#[tokio::test]
async fn lines_are_counted_over_all_files() {
    let module =
        "export function used() {\n  return 1;\n}\nexport function unused() {\n  return 2;\n}\n";
    let test = "import { used } from './sum';\nfunction TestA(t) { t.assert.Equal(used(), 1) }\n";
    let scripts = Scripts::new(&[("sum.ts", module), ("a_test.ts", test), ("b_test.ts", test)]);
    for coverage in [true, false] {
        let how = RunOptions {
            coverage,
            cwd: scripts.project.path(""),
            ..options()
        };
        let (sender, _events) = mpsc::channel(1000);
        let outcome = run(scripts.plan.clone(), how, sender, CancellationToken::new()).await;
        assert_eq!(outcome.summary.passed, 2);
        let Some(counted) = outcome.coverage else {
            assert!(!coverage);
            continue;
        };
        let files = counted.files.iter().map(|file| file.file.as_str());
        assert_eq!(files.collect::<Vec<_>>(), ["sum.ts"]);
        let functions = counted.files[0].functions.iter();
        let functions = functions.map(|one| (one.name.as_str(), one.hits));
        assert_eq!(functions.collect::<Vec<_>>(), [("used", 2), ("unused", 0)]);
    }
}
