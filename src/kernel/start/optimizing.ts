import { setFlagsFromString } from 'node:v8';

/** The compilers of what runs often. V8 13 (Node 24) has two, and what only the first has made would stay as that made it if the second came later. */
const COMPILERS = Number.parseInt(process.versions.v8, 10) < 13 ? ['opt'] : ['opt', 'maglev'];

/**
 * Whether V8 makes fast what runs often. While a process starts it must not: most of that runs once, and making it fast, on other threads, is a quarter
 * of the whole CPU of a start (measured), taken from the database that starts beside us. V8 asks these options whenever it decides.
 */
export function setOptimizing(isOptimizing: boolean): void {
  for (const compiler of COMPILERS) setFlagsFromString(isOptimizing ? `--${compiler}` : `--no-${compiler}`);
}
