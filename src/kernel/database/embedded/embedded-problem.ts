/** Error of starting the embedded PostgreSQL, worded for operators. (This folder imports no other one: see test/support/load-typescript.mjs.) */
export class EmbeddedProblem extends Error {}

/** Joins the output of a program into one line. */
export function inOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' | ');
}
