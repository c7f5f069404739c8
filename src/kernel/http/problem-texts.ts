/**
 * Yields the texts of an error's message, however deeply its attributes are nested: `{"a":{"b":["is
 * invalid"]}}` has the text "is invalid" for "a[b]".
 */
export function* problemTexts(message: unknown, at = ''): Generator<readonly [name: string, text: string]> {
  if (typeof message !== 'object' || message === null) {
    yield [at, String(message)];
    return;
  }
  for (const [key, inner] of Object.entries(message)) {
    const inside = at === '' ? key : `${at}[${key}]`;
    yield* problemTexts(inner, Array.isArray(message) ? at : inside);
  }
}

/** The same in one line: "name is too long, path has already been taken". */
export const problemsAsText = (message: unknown): string =>
  [...problemTexts(message)].map(([name, text]) => (name === '' ? text : `${name} ${text}`)).join(', ');
