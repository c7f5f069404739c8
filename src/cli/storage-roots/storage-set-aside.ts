import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gitText } from '#core/repositories/git/git.js';
import { readOwner } from '#core/repositories/storages/bare-repository.js';
import { SET_ASIDE_FOLDER } from '#core/repositories/storages/set-aside.js';
import { commandConfig } from '../framework/context.js';
import { CommandError, type CommandResult } from '../framework/output.js';

/** What to show or remove. */
export interface SetAsideOptions {
  /** The name of a folder, or its path as the list shows it. */
  readonly remove?: string;
}

interface Kept {
  readonly storage: string;
  readonly name: string;
  readonly path: string;
}

/**
 * Lists the folders set aside to make room for new repositories, with size and branches, or deletes one of
 * them for good.
 */
export async function storageSetAside({ remove }: SetAsideOptions): Promise<CommandResult> {
  const kept = await allKept();
  if (remove === undefined) {
    const shown = await Promise.all(kept.map(describe));
    const lines = shown.map(
      ({ path, kilobytes, identity, branches }) =>
        `${path}  ${kilobytes} KiB, identity ${identity ?? 'none'}, branches ${branches.join(' ') || 'none'}`,
    );
    return { json: { kept: shown }, lines: [...lines, `${kept.length} set aside.`] };
  }
  const found = kept.filter(({ name, path }) => name === remove || path === remove);
  if (found.length === 0) throw new CommandError(`Nothing named ${remove} is set aside`);
  for (const { path } of found) await rm(path, { recursive: true });
  return { json: { removed: found }, lines: found.map(({ path }) => `Removed ${path}`) };
}

async function allKept(): Promise<Kept[]> {
  const found: Kept[] = [];
  for (const [storage, root] of commandConfig().repositoryStorages) {
    const folder = join(root, SET_ASIDE_FOLDER);
    // If nothing was set aside, the folder does not exist.
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort()) found.push({ storage, name, path: join(folder, name) });
  }
  return found;
}

const BRANCHES = ['for-each-ref', '--count=10', '--format=%(refname:short)', 'refs/heads/'];

/** Unreadable folders are listed all the same. */
async function describe(
  kept: Kept,
): Promise<Kept & { identity: string | null; kilobytes: number; branches: string[] }> {
  const identity = await readOwner(kept.path).catch(() => null);
  const branches = await gitText(kept.path, BRANCHES).catch(() => '');
  const objects = await gitText(kept.path, ['count-objects', '-v']).catch(() => '');
  const sizes = [...objects.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size));
  return {
    ...kept,
    identity,
    kilobytes: sizes.reduce((sum, size) => sum + size, 0),
    branches: branches.split('\n').filter((name) => name !== ''),
  };
}
