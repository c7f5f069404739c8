/** Why the embedded PostgreSQL cannot be started, in words for whoever starts it. (This folder needs no other one: see test/support/load-typescript.mjs.) */
export class EmbeddedProblem extends Error {}

/** What a program has said, in one line. */
export function inOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' | ');
}
