import { gunzipSync } from 'node:zlib';

/** Limits of uncompressed bytes of a dotenv report, and of its variables. */
const MAX_BYTES = 5 * 1024;
const MAX_VARIABLES = 150;

/** Limit of compressed bytes: larger ones cannot be small when uncompressed. */
export const MAX_PACKED_BYTES = 64 * 1024;

const LINE = /^\s*([A-Za-z0-9_]{1,255})\s*=(.*)$/;

/** Thrown if the report is invalid; the message says why. */
export class InvalidDotenv extends Error {}

/**
 * Parses the variables of a gzipped dotenv report; the last of duplicate names wins. @throws InvalidDotenv
 */
export function parseDotenv(packed: Buffer): ReadonlyMap<string, string> {
  const text = unpack(packed);
  const variables = new Map<string, string>();
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue;
    const [, key, value] = LINE.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new InvalidDotenv('Invalid Format');
    variables.set(key, value.trim());
  }
  if (variables.size > MAX_VARIABLES)
    throw new InvalidDotenv(`Dotenv files cannot have more than ${MAX_VARIABLES} variables`);
  return variables;
}

function unpack(packed: Buffer): string {
  let bytes: Buffer;
  try {
    bytes = gunzipSync(packed, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? new InvalidDotenv(`Dotenv Artifact Too Big. Maximum Allowable Size: ${MAX_BYTES}`)
      : new InvalidDotenv('Invalid Format');
  }
  const text = bytes.toString();
  if (text.includes('\0') || text.includes('\ufffd')) throw new InvalidDotenv('Invalid Format');
  return text;
}
