import { setFlagsFromString } from 'node:v8';

/**
 * The compilers for hot code. V8 13 (Node 24) has two, and code compiled by the first alone would stay so if
 * the second were enabled later.
 */
const COMPILERS = Number.parseInt(process.versions.v8, 10) < 13 ? ['opt'] : ['opt', 'maglev'];

/**
 * Turns V8's optimization of hot code on or off. It is off while a process starts: most of that code runs
 * once, and optimizing it, on other threads, is a quarter of the whole CPU time of a start (measured), taken
 * from the database that starts alongside. V8 reads these options on each decision.
 */
export function setOptimizing(isOptimizing: boolean): void {
  for (const compiler of COMPILERS) setFlagsFromString(isOptimizing ? `--${compiler}` : `--no-${compiler}`);
}
