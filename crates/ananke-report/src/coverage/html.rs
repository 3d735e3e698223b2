//! One offline page without a script: a table of the files, and each file with its lines marked. Everything that the user
//! wrote goes through `escaped`.

use std::collections::HashMap;

use ananke_model::coverage::{Coverage, FileCoverage};
use ananke_model::place::Sources;

use super::ranges::{in_words, share, uncovered};
use crate::count::count;
use crate::html::{escaped, policy};
use crate::page::Page;

const STYLE: &str = concat!(
    include_str!("../html/assets/style/theme.css"),
    include_str!("assets/coverage.css"),
);

/// Stretches of lines beyond these are counted in the table.
const MOST_RANGES: usize = 20;

/// Lines of a file beyond these are left out.
const MOST_LINES: usize = 20_000;

/// Characters of a line beyond these are left out.
const LONGEST_LINE: usize = 500;

/// Returns the coverage as a page; `sources` holds the texts of the files by the names that the coverage has.
pub fn coverage_html(coverage: &Coverage, sources: &Sources) -> String {
    let lines = coverage.lines();
    let title = match coverage.files.len() {
        0 => "No script was run".to_owned(),
        n => format!("{:.1}% of the lines of {}", share(lines), count(n, "file")),
    };
    let mut page = Page::default();
    page.line(format_args!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title} · ananke coverage</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1 class=\"{}\">{title}</h1>",
        escaped(&policy(STYLE, "")),
        tone(share(lines)),
    ));
    let (called, functions) = coverage.functions();
    page.line(format_args!(
        "<p class=\"sum\">{} of {} were run, {called} of {} were called</p>",
        lines.0,
        count(lines.1, "line"),
        count(functions, "function"),
    ));
    table(&mut page, coverage);
    for (number, file) in coverage.files.iter().enumerate() {
        self::file(&mut page, number, file, sources.text(&file.file));
    }
    page.lines("</main>\n</body>\n</html>\n");
    page.finish()
}

fn tone(share: f64) -> &'static str {
    match share {
        share if share >= 80.0 => "s-p",
        share if share >= 50.0 => "s-t",
        _ => "s-f",
    }
}

fn table(page: &mut Page, coverage: &Coverage) {
    page.lines(
        "<div class=\"box\"><table>\n<thead><tr><th>File</th><th class=\"share\">Lines</th>\
         <th class=\"share\">Functions</th><th>Uncovered lines</th></tr></thead>\n<tbody>\n",
    );
    for (number, file) in coverage.files.iter().enumerate() {
        let ranges = in_words(&uncovered(file), MOST_RANGES, "…");
        page.line(format_args!(
            "<tr><td><a class=\"mono foreign\" href=\"#file-{number}\">{}</a></td>{}{}<td class=\"mono\">{ranges}</td></tr>",
            escaped(&file.file),
            cell(file.n_lines()),
            cell(file.n_functions()),
        ));
    }
    page.line(format_args!(
        "</tbody>\n<tfoot><tr><th>All files</th>{}{}<td></td></tr></tfoot>\n</table></div>",
        cell(coverage.lines()),
        cell(coverage.functions()),
    ));
}

fn cell(counts: (usize, usize)) -> String {
    if counts.1 == 0 {
        return "<td class=\"share\">-</td>".to_owned();
    }
    let share = share(counts);
    format!(
        "<td class=\"share {}\"><meter min=\"0\" max=\"100\" low=\"50\" high=\"80\" optimum=\"100\" value=\"{share}\">\
         </meter>{share:.1}% <span class=\"soft\">{}/{}</span></td>",
        tone(share),
        counts.0,
        counts.1
    )
}

fn file(page: &mut Page, number: usize, file: &FileCoverage, source: Option<&str>) {
    let counts = file.n_lines();
    let is_whole = counts.0 == counts.1;
    let open = if is_whole { "" } else { " open" };
    let share = share(counts);
    page.line(format_args!(
        "<details id=\"file-{number}\"{open}>\n<summary><code class=\"foreign\">{}</code>\
         <span class=\"share {}\">{share:.1}%</span></summary>",
        escaped(&file.file),
        tone(share),
    ));
    let uncalled = file.functions.iter().filter(|one| one.hits == 0);
    let uncalled: Vec<String> = uncalled
        .map(|one| format!("{} (line {})", escaped(&one.name), one.line))
        .collect();
    if !uncalled.is_empty() {
        page.line(format_args!(
            "<p class=\"calls foreign\">never called: {}</p>",
            uncalled.join(", ")
        ));
    }
    match source {
        Some(source) => code(page, file, source),
        None => page.lines("<p class=\"calls\">its text was not read</p>\n"),
    }
    page.lines("</details>\n");
}

fn code(page: &mut Page, file: &FileCoverage, source: &str) {
    let hits: HashMap<u32, u64> = file.lines.iter().copied().collect();
    page.lines("<div class=\"code\"><table>\n");
    for (number, line) in (1_u32..).zip(source.lines()).take(MOST_LINES) {
        let (class, times) = match hits.get(&number) {
            None => ("", String::new()),
            Some(0) => (" class=\"missed\"", "0".to_owned()),
            Some(n) => (" class=\"run\"", format!("{n}×")),
        };
        let shown = match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("{}…", line.split_at(end).0),
            None => line.to_owned(),
        };
        page.line(format_args!(
            "<tr{class}><td class=\"no\">{number}</td><td class=\"hits\">{times}</td><td class=\"foreign\">{}</td></tr>",
            escaped(&shown)
        ));
    }
    page.lines("</table></div>\n");
    if let Some(more @ 1..) = source.lines().count().checked_sub(MOST_LINES) {
        page.line(format_args!(
            "<p class=\"calls\">{}</p>",
            count(more, "more line")
        ));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::{HOSTILE, coverage};

    #[test]
    fn lines_are_marked() {
        let mut sources = Sources::default();
        sources.insert(
            "expense/src/tools.ts",
            "export function sum(a, b) {\n  return a < b ? a : b;\n}\n",
        );
        let page = coverage_html(&coverage(), &sources);
        let (_, body) = page.split_once("<main>").unwrap();
        assert_snapshot!(body, @r##"

        <h1 class="s-t">55.6% of the lines of 3 files</h1>
        <p class="sum">5 of 9 lines were run, 2 of 3 functions were called</p>
        <div class="box"><table>
        <thead><tr><th>File</th><th class="share">Lines</th><th class="share">Functions</th><th>Uncovered lines</th></tr></thead>
        <tbody>
        <tr><td><a class="mono foreign" href="#file-0">expense/src/setup.ts</a></td><td class="share s-f"><meter min="0" max="100" low="50" high="80" optimum="100" value="42.9"></meter>42.9% <span class="soft">3/7</span></td><td class="share s-t"><meter min="0" max="100" low="50" high="80" optimum="100" value="50"></meter>50.0% <span class="soft">1/2</span></td><td class="mono">3-8</td></tr>
        <tr><td><a class="mono foreign" href="#file-1">expense/src/tools.ts</a></td><td class="share s-p"><meter min="0" max="100" low="50" high="80" optimum="100" value="100"></meter>100.0% <span class="soft">2/2</span></td><td class="share s-p"><meter min="0" max="100" low="50" high="80" optimum="100" value="100"></meter>100.0% <span class="soft">1/1</span></td><td class="mono"></td></tr>
        <tr><td><a class="mono foreign" href="#file-2">expense/src/types.ts</a></td><td class="share">-</td><td class="share">-</td><td class="mono"></td></tr>
        </tbody>
        <tfoot><tr><th>All files</th><td class="share s-t"><meter min="0" max="100" low="50" high="80" optimum="100" value="55.6"></meter>55.6% <span class="soft">5/9</span></td><td class="share s-t"><meter min="0" max="100" low="50" high="80" optimum="100" value="66.7"></meter>66.7% <span class="soft">2/3</span></td><td></td></tr></tfoot>
        </table></div>
        <details id="file-0" open>
        <summary><code class="foreign">expense/src/setup.ts</code><span class="share s-f">42.9%</span></summary>
        <p class="calls foreign">never called: (anonymous) (line 3)</p>
        <p class="calls">its text was not read</p>
        </details>
        <details id="file-1">
        <summary><code class="foreign">expense/src/tools.ts</code><span class="share s-p">100.0%</span></summary>
        <div class="code"><table>
        <tr class="run"><td class="no">1</td><td class="hits">1×</td><td class="foreign">export function sum(a, b) {</td></tr>
        <tr class="run"><td class="no">2</td><td class="hits">10×</td><td class="foreign">  return a &lt; b ? a : b;</td></tr>
        <tr><td class="no">3</td><td class="hits"></td><td class="foreign">}</td></tr>
        </table></div>
        </details>
        <details id="file-2">
        <summary><code class="foreign">expense/src/types.ts</code><span class="share s-p">100.0%</span></summary>
        <p class="calls">its text was not read</p>
        </details>
        </main>
        </body>
        </html>
        "##);
    }

    #[test]
    fn nothing_foreign_is_markup() {
        let mut hostile = coverage();
        hostile.files[0].file = HOSTILE.to_owned();
        hostile.files[0].functions[1].name = HOSTILE.to_owned();
        let mut sources = Sources::default();
        sources.insert(HOSTILE, HOSTILE);
        let page = coverage_html(&hostile, &sources);
        assert!(!page.contains("<img") && !page.contains("</script>"));
        assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'));
        assert!(page.contains("default-src 'none'") || page.contains("default-src &#39;none&#39;"));
    }

    #[test]
    fn nothing_to_show_is_said() {
        assert!(
            coverage_html(&Coverage::default(), &Sources::default()).contains("No script was run")
        );
    }
}
