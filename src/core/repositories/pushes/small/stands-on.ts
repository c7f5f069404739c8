import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { readLooseObject } from '../../objects/loose-object.js';
import { findInTree, FOLDER, type Entry } from '../../objects/raw-tree.js';
import type { BroughtCommits } from '../brought-commits.js';
import type { RefChange } from '../ref-change.js';

const SUBMODULE = '160000';
const FILES: ReadonlySet<string> = new Set(['100644', '100755', '120000']);
const ALL = { has: () => true };

/**
 * Returns whether everything that the new commits of a branch refer to certainly exists: each entry of their
 * trees is new and checked, or is in the tree of the previous commit, which a ref reaches (so git considers
 * it complete too). False if only git can decide: for packed objects, or ones that return from elsewhere.
 * `unpack-objects --strict` has already checked the new objects: their format, and the types of what they
 * name.
 */
export async function standsOnKnown(
  repositoryPath: string,
  folder: string,
  change: RefChange,
  brought: BroughtCommits,
): Promise<boolean> {
  const line = brought.lineOf(change);
  const objects = join(repositoryPath, 'objects');
  const base = line && (await readLooseObject(objects, change.before));
  const [, tree] = /^tree ([0-9a-f]{40})\n/.exec(base?.content.toString('latin1') ?? '') ?? [];
  if (!line || base?.type !== 'commit' || tree === undefined) return false;
  const trees = new Trees(folder, objects);
  let former = tree;
  for (const commit of line.toReversed()) {
    if (!(await trees.isWhole(commit.tree, former))) return false;
    former = commit.tree;
  }
  return true;
}

class Trees {
  /**
   * Trees known to be complete: a tree that occurs many times, in trees that occur many times, is read once.
   */
  private readonly whole = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly objects: string,
  ) {}

  /** `former`: the previous object at this path, which is complete; null for none. */
  async isWhole(id: string, former: string | null): Promise<boolean> {
    if (id === former || this.whole.has(id)) return true;
    const entries = await entriesOf(this.folder, id);
    if (!entries) return false;
    const before = await this.formerEntries(former);
    const own = [...before.values()].filter(({ mode }) => mode !== SUBMODULE);
    const known = new Set(own.map((entry) => entry.id));
    for (const [name, entry] of entries) {
      if (known.has(entry.id) || entry.mode === SUBMODULE) continue;
      if (!(await this.isNew(entry, before.get(name)))) return false;
    }
    this.whole.add(id);
    return true;
  }

  private isNew({ mode, id }: Entry, former: Entry | undefined): Promise<boolean> {
    if (mode === FOLDER) return this.isWhole(id, former?.mode === FOLDER ? former.id : null);
    return FILES.has(mode) ? isThere(join(this.folder, id.slice(0, 2), id.slice(2))) : Promise.resolve(false);
  }

  /** Empty if they cannot be read here: then nothing is known about them. */
  private async formerEntries(id: string | null): Promise<ReadonlyMap<string, Entry>> {
    if (id === null) return new Map();
    return (await entriesOf(this.folder, id)) ?? (await entriesOf(this.objects, id)) ?? new Map();
  }
}

async function entriesOf(objects: string, id: string): Promise<ReadonlyMap<string, Entry> | null> {
  const object = await readLooseObject(objects, id);
  return object?.type === 'tree' ? findInTree(object.content, ALL) : null;
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
