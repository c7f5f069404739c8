/** Where a declaration ends at the latest. */
const DECLARATION_BYTES = 200;

const DECLARED = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** Encodings with two bytes for each character, which text whose beginning is readable does not have. */
const WIDE = /^(?:utf-?16|unicode|ucs-?2|csunicode|iso-10646)/i;

/**
 * Decodes an XML document: by its byte order mark or its zeros, else as it declares. Read as UTF-8, a report in UTF-16, as programs of
 * Windows write them, would have no tests at all.
 */
export function reportText(bytes: Buffer): string {
  const label = wideEncoding(bytes) ?? declaredEncoding(bytes);
  try {
    if (label !== null) return new TextDecoder(label).decode(bytes);
  } catch {
    // Unknown encodings, and what has none, are read as UTF-8.
  }
  return bytes.toString('utf8');
}

function wideEncoding(bytes: Buffer): string | null {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? 'utf-16be' : null;
}

function declaredEncoding(bytes: Buffer): string | null {
  const declared = DECLARED.exec(bytes.toString('latin1', 0, DECLARATION_BYTES))?.[1] ?? null;
  return declared === null || WIDE.test(declared) ? null : declared;
}
