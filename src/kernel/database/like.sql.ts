/** Escapes the wildcards of LIKE in a text. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** LIKE pattern that finds a text anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`;
