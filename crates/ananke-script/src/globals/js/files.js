// `fs`: files below the folders that were granted.
(_, native) => {
  const path = (given) => {
    if (typeof given !== "string" || given === "") throw new TypeError("fs needs a path");
    return given;
  };
  return {
    fs: {
      readText: (file) => native.readText(path(file)),
      readJson(file) {
        const text = native.readText(path(file));
        try {
          return JSON.parse(text);
        } catch (error) {
          throw new SyntaxError(`${file} is not JSON: ${error.message}`);
        }
      },
      exists: (file) => native.exists(path(file)),
      list: (folder) => native.list(path(folder)),
      writeText: (file, text) => native.writeText(path(file), String(text)),
      remove: (file) => native.remove(path(file)),
    },
  };
}
