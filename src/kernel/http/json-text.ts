/** JSON that somebody has written already, such as a thread: it goes into an answer as it is. */
export class JsonText {
  constructor(readonly bytes: Uint8Array) {}

  /** A hash; values that are JSON already stand in it as they are. */
  static hash(values: Readonly<Record<string, unknown>>): JsonText {
    return JsonText.joined(
      '{',
      Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [`${JSON.stringify(key)}:`, value]),
      '}',
    );
  }

  /** A list of what is JSON already. */
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

  /** What it says: for whoever looks into it instead of sending it. */
  toJSON(): unknown {
    return JSON.parse(Buffer.from(this.bytes).toString('utf8'));
  }
}
