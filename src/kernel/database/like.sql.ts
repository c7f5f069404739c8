/** Escapes the wildcards of LIKE in a text. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** LIKE pattern that finds a text anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`;

/** LIKE pattern that finds values starting with a text. */
export const startingWith = (text: string): string => `${literal(text)}%`;
