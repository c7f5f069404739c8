/** Values of one JSON body of the API. */
export const MAX_JSON_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS = new Set(Buffer.from(',[{'));

/** Values in JSON, up to a number at which it is not counted further: each costs many times its text in memory once it is parsed. */
export function countValues(json: Buffer, enough: number): number {
  let count = 1;
  let inText = false;
  for (let index = 0; index < json.length && count < enough; index += 1) {
    const byte = json[index] as number;
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if (SEPARATORS.has(byte)) count += 1;
  }
  return count;
}
