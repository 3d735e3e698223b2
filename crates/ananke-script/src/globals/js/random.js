// `crypto`: random values only.
(_, native) => {
  return {
    crypto: {
      randomUUID() {
        return native.uuid();
      },
      getRandomValues(array) {
        const isWhole = ArrayBuffer.isView(array) && !/^(Float|DataView)/.test(array.constructor.name);
        if (!isWhole) throw new DOMException("getRandomValues fills a typed array of whole numbers", "TypeMismatchError");
        if (array.byteLength > 65536) throw new DOMException("more than 65536 bytes were asked for", "QuotaExceededError");
        new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(native.bytes(array.byteLength));
        return array;
      },
    },
  };
}
