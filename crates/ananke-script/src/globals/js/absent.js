// Names that exist where these scripts run in production, and have no counterpart in a test.
() => {
  const absent = (name) =>
    ({
      [name]: function () {
        throw new Error(`${name} is not available in tests; keep it behind a function that a test can replace with t.mock`);
      },
    })[name];
  return { Studio: absent("Studio"), Query: absent("Query"), FS: absent("FS"), Store: absent("Store") };
}
