//! JUnit XML, in the dialect of Jenkins' xUnit plugin (`junit-10.xsd`), which is the strictest one in use: attributes and
//! elements that it does not know, such as `file` on a test case, are not written.

mod report;
#[cfg(test)]
mod tests;

pub(crate) use report::JunitReport;
