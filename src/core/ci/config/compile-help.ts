import type { CompileContext } from './compile-context.js';

/** What the compiler, in its thread, asks of the repository: bytes, which are quickly handed over. */
export interface CompileHelp extends Readonly<Record<string, (...args: never[]) => Promise<unknown>>> {
  /** A file of the commit; null where there is none, or one beyond all limits. */
  readonly readFile: (path: string) => Promise<Uint8Array | null>;
  /** Paths, each with a NUL behind it; `''`: since the commit before. Null where nobody knows. */
  readonly changedFiles: (compareTo: string) => Promise<Uint8Array | null>;
  readonly allFiles: () => Promise<Uint8Array | null>;
}

/** The part of the context of a configuration that the repository answers: each list is asked for once at most. */
export function contextBy(help: CompileHelp): Pick<CompileContext, 'readFile' | 'changedFiles' | 'allFiles'> {
  const changed = new Map<string, Promise<readonly string[] | null>>();
  let all: Promise<readonly string[] | null> | undefined;
  return {
    readFile: async (path) => textOf(await help.readFile(path)),
    changedFiles: (compareTo = '') => {
      const found = changed.get(compareTo) ?? help.changedFiles(compareTo).then(pathsOf);
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
