"""Checks a JUnit report: `check.py SCHEMA REPORT`.

`xmlschema` validates it against the schema, `junitparser` reads it. What the parser understood is printed; what the schema
does not allow ends the program with 1.
"""

import sys

import xmlschema
from junitparser import JUnitXml
from junitparser.xunit2 import JUnitXml as Xunit2


def described(result) -> str:
    first = (result.message or "").split("\n")[0]
    return f"{type(result).__name__.lower()} {result.type}: {first}"


def main() -> None:
    schema_path, report_path = sys.argv[1:]
    errors = list(xmlschema.XMLSchema(schema_path).iter_errors(report_path))
    for error in errors:
        print(f"{error.path}: {error.reason}", file=sys.stderr)
    if errors:
        sys.exit(1)
    report = JUnitXml.fromfile(report_path)
    print(f"{report.tests} tests, {report.failures} failures, {report.errors} errors")
    for suite in Xunit2.fromfile(report_path):
        print(f"suite {suite.name}: {suite.tests} tests, {suite.failures} failures, {suite.errors} errors, {suite.skipped} skipped")
        for case in suite:
            print(f"  {case.classname} | {case.name}")
            for result in case.result:
                print(f"    {described(result)}")
            for rerun in case.flaky_failures() + case.flaky_errors() + case.rerun_failures() + case.rerun_errors():
                print(f"    {described(rerun)}")
            if case.system_out:
                print(f"    {len(case.system_out.splitlines())} lines of output")


main()
