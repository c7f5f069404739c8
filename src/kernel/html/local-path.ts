/** Limit of the path to return to; cookies hold 4 KB. */
const MAX_LENGTH = 3500;

/**
 * Whether a browser that follows the text stays on this site: one slash, then printable ASCII without
 * backslashes. Two slashes start another host, and browsers read a backslash as a slash and drop tabs and
 * line breaks.
 */
export const isLocalPath = (text: unknown): text is string =>
  typeof text === 'string' &&
  text.length <= MAX_LENGTH &&
  /^\/(?!\/)[\x21-\x7e]*$/.test(text) &&
  !text.includes('\\');
