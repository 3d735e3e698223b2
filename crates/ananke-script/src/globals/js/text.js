// `TextEncoder` and `TextDecoder`, for UTF-8.
(_, native) => {
  const bytesOf = (input) => {
    if (input === undefined) return new Uint8Array(0);
    if (input instanceof ArrayBuffer) return new Uint8Array(input);
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    throw new TypeError("bytes are decoded: an ArrayBuffer, a typed array or a DataView");
  };
  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(input = "") {
      return native.encode(String(input).toWellFormed());
    }
    encodeInto(input, into) {
      let read = 0;
      let written = 0;
      for (const letter of String(input).toWellFormed()) {
        const bytes = native.encode(letter);
        if (written + bytes.length > into.length) break;
        into.set(bytes, written);
        written += bytes.length;
        read += letter.length;
      }
      return { read, written };
    }
  }
  class TextDecoder {
    #rest = [];
    #isBegun = false;
    constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
      if (!["utf-8", "utf8", "unicode-1-1-utf-8"].includes(String(label).trim().toLowerCase())) {
        throw new RangeError(`the encoding "${label}" is not known here: texts are UTF-8`);
      }
      Object.defineProperties(this, { fatal: { value: !!fatal }, ignoreBOM: { value: !!ignoreBOM } });
    }
    get encoding() {
      return "utf-8";
    }
    decode(input, { stream = false } = {}) {
      const bytes = [...this.#rest, ...Array.from(bytesOf(input))];
      const [decoded, rest] = native.decode(bytes, this.fatal, stream);
      if (decoded === null) {
        this.#rest = [];
        throw new TypeError("the bytes are not UTF-8");
      }
      this.#rest = rest;
      const hasMark = !this.#isBegun && !this.ignoreBOM && decoded.startsWith("\ufeff");
      this.#isBegun = stream && (this.#isBegun || decoded.length > 0);
      return hasMark ? decoded.slice(1) : decoded;
    }
  }
  return { TextEncoder, TextDecoder, bytesOf };
}
