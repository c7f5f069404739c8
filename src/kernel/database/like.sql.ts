/** Text in which the wildcards of LIKE mean themselves. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Pattern of LIKE that finds a text anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`;

/** Pattern of LIKE that finds what begins with a text. */
export const startingWith = (text: string): string => `${literal(text)}%`;
