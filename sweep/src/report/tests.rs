//! Tests of the page.

use serde::{Deserialize, Serialize};

use super::{command, escaped, page, quoted, seconds};
use crate::{Bar, Error, Machine, PlotOf, Results};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    scheme: String,
    prove_s: Option<f64>,
    proof_bytes: u64,
    kind: String,
    reason: Option<String>,
}

impl crate::Row for Row {
    const TITLE: &'static str = "Cost & more";
    const NOTES: &'static [&'static str] = &["a < b"];
    const COLUMNS: &'static str = "scheme,prove_s,proof_bytes,kind,reason";
    const PLOTS: &'static [PlotOf<Self>] = &[];
    type Case = String;
    type Settings = ();

    fn is_of(&self, case: &String) -> bool {
        self.scheme == *case
    }

    fn seconds(_: &String, (): &()) -> f64 {
        1.0
    }

    fn measure(_: &String, (): &()) -> Result<Self, Error> {
        unreachable!("nothing is measured here")
    }

    fn outcome(&self) -> String {
        self.scheme.clone()
    }

    fn bar(&self) -> Option<Bar> {
        let prove = self.prove_s?;
        let parts = vec![("filling", prove / 4.0), ("committing", 3.0 * prove / 4.0)];
        Some(Bar { name: self.scheme.clone(), parts })
    }
}

fn row(scheme: &str, prove_s: Option<f64>) -> Row {
    let (scheme, kind) = (scheme.to_owned(), "fast".to_owned());
    Row { scheme, prove_s, proof_bytes: 2048, kind, reason: None }
}

fn results(rows: impl IntoIterator<Item = Row>) -> Results<Row> {
    let mut results = Results::new(Machine::this(), None);
    for row in rows {
        let case = row.scheme.clone();
        results.put(&case, row, None, |_| false);
    }
    results
}

#[test]
fn what_all_rows_have_is_said_once() {
    let rows = [row("one", Some(0.5)), row("two", None), row("three", Some(2.0))];
    let text = page(&results(rows), "muster sweep", &["<svg/>".to_owned()]).expect("plain data");
    assert!(text.contains("<h1>Cost &amp; more</h1>") && text.contains("<pre>muster sweep</pre>"));
    assert!(text.contains("The same in all rows: proof 2.00 KiB, kind fast, machine 0."));
    assert_eq!(text.matches("<button>").count(), 2, "scheme and prove differ");
    assert!(text.contains(
        "<th class=\"word\"><button>scheme</button></th><th><button>prove</button></th>"
    ));
    assert!(text.contains("<td data-value=\"0.5\">500 ms</td>"));
    assert!(
        text.contains("<td class=\"word\" data-value=\"two\">two</td><td data-value=\"\"></td>")
    );
    // The longest bar is as wide as the page, and the others in proportion.
    assert_eq!(text.matches("class=\"bar\"").count(), 2);
    assert!(text.contains("width:75.00%") && text.contains("width:6.25%"));
    assert!(
        text.contains("title=\"committing: 1.50 s\"") && text.contains("<figure><svg/></figure>")
    );
    assert!(text.contains("<p class=\"faint\">a &lt; b</p>"));
    for part in ["{title}", "{rows}", "{bars}", "{notes}", "{head}", "{constant}", "://"] {
        assert!(!text.contains(part), "{part}");
    }
}

#[test]
fn one_row_needs_no_plot_and_none_no_bar() {
    let svg = ["<svg/>".to_owned()];
    let one = page(&results([row("one", Some(0.5))]), "", &svg).expect("plain data");
    assert!(!one.contains("<svg") && one.contains("class=\"bar\""));
    let none = page(&results([]), "", &svg).expect("plain data");
    assert!(!none.contains("<svg") && !none.contains("class=\"bar\""));
}

/// Names are of files and of strangers: none is taken for a part of the page.
#[test]
fn what_rows_say_is_text() {
    let hostile = "</td><script>alert('{rows}')</script>";
    let rows = [row(hostile, Some(1.0)), row("two", Some(2.0))];
    let text = page(&results(rows), hostile, &[]).expect("plain data");
    assert_eq!(text.matches("<script>").count(), 1);
    assert_eq!(escaped("<&>\"'"), "&lt;&amp;&gt;&quot;&#39;");
    assert_eq!(
        text.matches("alert(&#39;{rows}&#39;)").count(),
        4,
        "in the command, in a cell and its value, and at a bar"
    );
}

#[test]
fn times_and_commands() {
    assert_eq!(seconds(0.000_004_2), "4.2 µs");
    assert_eq!(seconds(0.123), "123 ms");
    assert_eq!(seconds(12.34), "12.3 s");
    assert_eq!(quoted("8/16"), "8/16");
    assert_eq!(quoted("it's"), "'it'\\''s'");
    assert_eq!(quoted(""), "''");
    assert!(!command().starts_with('/'));
}
