import type { CompileContext } from './compile-context.js';
import { ConfigRefused } from './problems.js';

/** Repository access that the compiler requests from its thread; bytes are cheap to pass between threads. */
export interface CompileHelp extends Readonly<Record<string, (...args: never[]) => Promise<unknown>>> {
  /** Reads a file of the commit; null if it does not exist or is too large. */
  readonly readFile: (path: string) => Promise<Uint8Array | null>;
  /** Lists changed paths, each followed by a NUL; for `''`, since the previous commit. Null if unknown. */
  readonly changedFiles: (compareTo: string) => Promise<Uint8Array | null>;
  readonly allFiles: () => Promise<Uint8Array | null>;
}

/** Limit of commits to compare with: each takes a git process, whose time does not count towards that of the thread. */
const MAX_COMPARED = 100;
/** Limits of files that are included, or whose content is part of a cache key, and of their bytes: for the same reason. */
const MAX_READ = 1_000;
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Returns the part of the compile context that reads the repository; requests each list at most once. */
export function contextBy(help: CompileHelp): Pick<CompileContext, 'readFile' | 'changedFiles' | 'allFiles'> {
  const changed = new Map<string, Promise<readonly string[] | null>>();
  let all: Promise<readonly string[] | null> | undefined;
  let files = 0;
  let bytes = 0;
  return {
    readFile: async (path) => {
      files += 1;
      if (files > MAX_READ || bytes > MAX_READ_BYTES)
        throw new ConfigRefused(
          `The configuration reads too many files (maximum is ${MAX_READ}, or ${MAX_READ_BYTES} bytes)`,
        );
      const found = await help.readFile(path);
      bytes += found?.length ?? 0;
      return textOf(found);
    },
    changedFiles: (compareTo = '') => {
      const known = changed.get(compareTo);
      if (known) return known;
      if (changed.size === MAX_COMPARED)
        throw new ConfigRefused(`rules:changes:compare_to has too many refs (maximum is ${MAX_COMPARED})`);
      const found = help.changedFiles(compareTo).then(pathsOf);
      changed.set(compareTo, found);
      return found;
    },
    allFiles: () => (all ??= help.allFiles().then(pathsOf)),
  };
}

const textOf = (bytes: Uint8Array | null): string | null =>
  bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const pathsOf = (bytes: Uint8Array | null): readonly string[] | null =>
  textOf(bytes)?.split('\0').slice(0, -1) ?? null;
