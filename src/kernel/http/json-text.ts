/** JSON that is already serialized, for example by a thread; it goes into a response unchanged. */
export class JsonText {
  constructor(readonly bytes: Uint8Array) {}

  /** Builds an object; values that are already JSON are inserted unchanged. */
  static hash(values: Readonly<Record<string, unknown>>): JsonText {
    return JsonText.joined(
      '{',
      Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [`${JSON.stringify(key)}:`, value]),
      '}',
    );
  }

  /** Builds a list of values that are already JSON. */
  static list(items: readonly JsonText[]): JsonText {
    return JsonText.joined(
      '[',
      items.map((item) => ['', item]),
      ']',
    );
  }

  private static joined(
    open: string,
    parts: readonly (readonly [string, unknown])[],
    close: string,
  ): JsonText {
    const pieces: Uint8Array[] = [Buffer.from(open)];
    for (const [index, [before, value]] of parts.entries()) {
      const start = (index > 0 ? ',' : '') + before;
      if (value instanceof JsonText) pieces.push(Buffer.from(start), value.bytes);
      else pieces.push(Buffer.from(start + JSON.stringify(value)));
    }
    return new JsonText(Buffer.concat([...pieces, Buffer.from(close)]));
  }

  /** The parsed value, for code that examines it instead of sending it. */
  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.bytes).toString('utf8'));
  }
}
