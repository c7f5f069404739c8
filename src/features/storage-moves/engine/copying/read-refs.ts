import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readHead } from '#core/repositories/git/branches.js';
import { git } from '#core/repositories/git/git.js';
import { MoveFailure } from '../run/move-failure.js';

/** A ref; `target` if it is symbolic. */
export interface Ref {
  readonly name: string;
  readonly id: string;
  readonly target: string;
}

/** All refs of a repository, sorted by name, and HEAD: `ref: <name>` or an id. */
export interface Refs {
  readonly head: string;
  readonly refs: readonly Ref[];
}

const FORMAT = '%(objectname) %(refname) %(symref)';

/**
 * Reads all refs, including hidden ones. @throws MoveFailure if some are unreadable, which git would silently
 * omit
 */
export async function readRefs(path: string, signal: AbortSignal): Promise<Refs> {
  const head = await readHead(path);
  if (!/^(ref: refs\/[^ \t\r\n]+|[0-9a-f]{40})$/.test(head))
    throw new MoveFailure(`HEAD of ${path} cannot be read`);
  const output = await git(path, ['for-each-ref', `--format=${FORMAT}`], {
    signal,
    maxBytes: 512 * 1024 * 1024,
    timeoutMs: 300_000,
    kind: 'long',
  });
  const refs = output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', name = '', target = ''] = line.split(' ');
      return { id, name, target };
    });
  await refuseBrokenRefs(path, new Set(refs.map(({ name }) => name)));
  return { head, refs };
}

/** Computes SHA-256 over the sorted lines `<ref> <id>` and HEAD. */
export function digestOf({ head, refs }: Refs): string {
  const hash = createHash('sha256');
  for (const { name, id, target } of refs) hash.update(`${name} ${target === '' ? id : `ref: ${target}`}\n`);
  return hash.update(`HEAD ${head}\n`).digest('hex');
}

/** Computes the digest of the present refs of a repository. */
export const digestAt = async (path: string, signal: AbortSignal): Promise<string> =>
  digestOf(await readRefs(path, signal));

async function refuseBrokenRefs(path: string, known: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(join(path, 'refs'), { recursive: true, withFileTypes: true })) {
    const name = relative(path, join(entry.parentPath, entry.name));
    if (entry.isDirectory() || name.endsWith('.lock') || known.has(name)) continue;
    throw new MoveFailure(`The ref ${name} of ${path} cannot be read`);
  }
}
