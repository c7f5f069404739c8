import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isHiddenFromPushes } from '#core/repositories/git/git-environment.js';
import { hasObjects } from '#core/repositories/objects/has-objects.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { readRefFiles } from '#core/repositories/refs/ref-files.js';
import { packet } from '../packs/git-command.js';
import { packetsOf } from '../packs/packet-walk.js';

const FLUSH = '0000';

/**
 * The advertisement of `receive-pack` without a process: refs from their files, capabilities from an earlier
 * advertisement of another repository.
 */
export class PushAdvertisement {
  /** The same for all repositories with the object format of this service. */
  private capabilities: string | null = null;

  /** Remembers the capabilities. */
  learn(advertised: Buffer): void {
    const [first = ''] = packetsOf(advertised).map((line) => line.toString('latin1'));
    const [, words = ''] = first.split('\0');
    if (words.includes('object-format=sha1')) this.capabilities = words.trimEnd();
  }

  /**
   * Returns the complete advertisement; null if git must be asked, as for a repository that is empty, has
   * many refs, or is damaged.
   */
  async of(path: string): Promise<Buffer | null> {
    if (this.capabilities === null) return null;
    const [refs, isWhole] = await Promise.all([
      readRefFiles(path, isHiddenFromPushes),
      lacks(path, 'shallow'),
    ]);
    if (!isWhole || !refs || refs.size === 0 || ![...refs.keys()].every(isUsual)) return null;
    if (!(await hasObjects(path, refs.values()))) return null;
    const lines = [...refs]
      .map(([name, id]) => ({ name: Buffer.from(name), id }))
      .sort((one, other) => one.name.compare(other.name))
      .map(
        ({ name, id }, index) => `${id} ${name.toString()}${index === 0 ? `\0${this.capabilities}` : ''}\n`,
      );
    return Buffer.concat([...lines.map(packet), Buffer.from(FLUSH)]);
  }
}

const isUsual = (name: string): boolean => isValidRefName(name.slice('refs/'.length));

const lacks = (path: string, name: string): Promise<boolean> =>
  access(join(path, name)).then(
    () => false,
    () => true,
  );
