import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_FOLDERS } from '#core/repositories/repository-ref.js';
import { SET_ASIDE_FOLDER } from '#core/repositories/storages/set-aside.js';
import { MOVES_FOLDER as MOVES } from '#features/storage-moves/engine/run/move-run.js';
import { ASIDE } from '#features/storage-moves/engine/cleanup/set-aside.js';
import type { Report } from './storage-problem.js';

/** A storage, and what belongs there. */
export interface CheckedStorage {
  readonly name: string;
  readonly folder: string;
  /**
   * Name of the storage where the database says that the repository of a path is; undefined for an unknown
   * path.
   */
  readonly storageOf: (path: string) => string | undefined;
  /** Ids of the unfinished moves. */
  readonly openMoves: ReadonlySet<number>;
  /** Folders changed within this many milliseconds may belong to an operation in progress. */
  readonly graceMs: number;
}

/** Compares everything on a storage with what should be there; `onFolder` receives the progress, 0 to 1. */
export async function checkFolders(
  storage: CheckedStorage,
  report: Report,
  onFolder: (share: number) => void,
): Promise<void> {
  const known = Object.values(OWNER_FOLDERS);
  const { name, folder } = storage;
  for (const entry of await names(folder)) {
    if (entry === MOVES) await checkMoves(storage, report);
    else if (entry === SET_ASIDE_FOLDER) await checkSetAside(storage, report);
    else if (!known.includes(entry) && !entry.startsWith('.'))
      report({
        storage: name,
        path: entry,
        problem: 'does not belong to the service',
        advice: 'Move it elsewhere.',
      });
  }
  for (const [index, top] of known.entries()) {
    const firsts = await names(join(folder, top));
    for (const [at, first] of firsts.entries()) {
      for (const second of await names(join(folder, top, first)))
        await checkLeaves(storage, `${top}/${first}/${second}`, report);
      onFolder((index + (at + 1) / firsts.length) / known.length);
    }
  }
}

async function checkLeaves(storage: CheckedStorage, parent: string, report: Report): Promise<void> {
  for (const entry of await names(join(storage.folder, parent))) {
    const path = `${parent}/${entry}`;
    const lies = storage.storageOf(path);
    if (lies === storage.name || !(await isSettled(storage, path))) continue;
    report({ storage: storage.name, path, ...judge(entry, lies) });
  }
}

function judge(entry: string, lies: string | undefined): { problem: string; advice: string } {
  if (lies !== undefined)
    return {
      problem: `is a copy of a repository that is on ${lies}`,
      advice: `Check that ${lies} has everything in it, then remove this copy.`,
    };
  if (/^[0-9a-f]{64}(\.wiki)?\.git$/.test(entry))
    return {
      problem: 'has no owner in the database',
      advice:
        'Its owner has been removed, or the database is older than the storage: keep a copy, then remove it.',
    };
  return { problem: 'is left over from something that was interrupted', advice: 'Remove it.' };
}

async function checkMoves(storage: CheckedStorage, report: Report): Promise<void> {
  const { name, folder, openMoves } = storage;
  for (const entry of await names(join(folder, MOVES))) {
    const isKept = entry.startsWith('kept-');
    const move = Number(/^(?:kept-)?(\d{1,15})-/.exec(entry)?.[1] ?? 0);
    const isGoingOn = !isKept && (openMoves.has(move) || !(await isSettled(storage, `${MOVES}/${entry}`)));
    if (isGoingOn) continue;
    report({ storage: name, path: `${MOVES}/${entry}`, ...judgeOfMove(entry, move, isKept) });
  }
}

async function checkSetAside({ name, folder }: CheckedStorage, report: Report): Promise<void> {
  const problem = 'was set aside for another repository';
  const advice = 'List it with storage set-aside; once it is no longer needed, remove it with --remove.';
  for (const entry of await names(join(folder, SET_ASIDE_FOLDER)))
    report({ storage: name, path: `${SET_ASIDE_FOLDER}/${entry}`, problem, advice, isNote: true });
}

function judgeOfMove(entry: string, move: number, isKept: boolean): { problem: string; advice: string } {
  if (isKept)
    return {
      problem: `was kept by move ${move}, because it changed after it was copied`,
      advice: 'Fetch what is missing from it into the repository, then remove it.',
    };
  if (entry.includes(ASIDE))
    return {
      problem: `is a repository that move ${move} set aside and could not compare with its copy`,
      advice: 'Check that the repository has everything in it, then remove it.',
    };
  return { problem: 'is left over from a move that has ended', advice: 'Remove it.' };
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

async function isSettled({ folder, graceMs }: CheckedStorage, path: string): Promise<boolean> {
  const entry = await stat(join(folder, path)).catch(() => null);
  return entry !== null && Date.now() - entry.ctimeMs >= graceMs;
}
