import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Member } from '../support/installation.js';
import { MovingInstallation, type EndedMove, type MovingProject } from '../support/moving-installation.js';
import { makeSmallDisk } from '../support/small-disk.js';

/** A defect of a repository: `spoil` causes it, and the reason of the failed move must describe it. */
interface Damage {
  readonly name: string;
  readonly spoil: (path: string) => void;
  readonly reason: RegExp;
}

const DAMAGES: readonly Damage[] = [
  { name: 'a byte of a pack is changed', spoil: (path) => flip(packOf(path)), reason: /\.pack is broken$/ },
  {
    name: 'a byte of an index is changed',
    spoil: (path) => flip(packOf(path, '.idx')),
    reason: /\.idx is broken$/,
  },
  {
    name: 'a loose object is changed',
    spoil: (path) => flip(looseObjectOf(path)),
    reason: /objects\/.+ is broken$/,
  },
  {
    name: 'a loose object is cut off',
    spoil: (path) => writeFileSync(looseObjectOf(path), ''),
    reason: / is broken$/,
  },
  {
    name: 'a loose object is missing',
    spoil: (path) => rmSync(looseObjectOf(path)),
    reason: /is incomplete/,
  },
  {
    name: 'a pack is missing',
    spoil: (path) => ['.pack', '.idx', '.rev'].forEach((end) => rmSync(packOf(path, end), { force: true })),
    reason: /is incomplete/,
  },
  {
    name: 'a ref cannot be read',
    spoil: (path) => writeFileSync(join(path, 'refs/heads/broken'), 'nothing of the kind\n'),
    reason: /refs\/heads\/broken/,
  },
  {
    name: 'a ref leads nowhere',
    spoil: (path) => writeFileSync(join(path, 'refs/heads/nowhere'), `${'1'.repeat(40)}\n`),
    reason: /refs\/heads\/nowhere|is incomplete/,
  },
  {
    name: 'HEAD is damaged',
    spoil: (path) => writeFileSync(join(path, 'HEAD'), '\0\0\0'),
    reason: /HEAD of /,
  },
];

function packOf(path: string, end = '.pack'): string {
  const folder = join(path, 'objects/pack');
  return join(folder, readdirSync(folder).find((name) => name.endsWith(end)) ?? `none${end}`);
}

function looseObjectOf(path: string): string {
  const folder = readdirSync(join(path, 'objects')).find((name) => /^[0-9a-f]{2}$/.test(name)) ?? 'none';
  return join(path, 'objects', folder, readdirSync(join(path, 'objects', folder))[0] ?? 'none');
}

/** Changes one bit in the middle of a file. */
function flip(file: string): void {
  const content = readFileSync(file);
  const middle = content.length >> 1;
  content.writeUInt8(content.readUInt8(middle) ^ 4, middle);
  writeFileSync(file, content);
}

/** Paths of all files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    // The file that makes a folder the root of a storage stays.
    .filter((path) => !statSync(path).isDirectory() && !path.endsWith('/.forgeplane-storage'))
    .sort();

/** Digest over all files of a folder. */
function digestOfFiles(folder: string): string {
  const hash = createHash('sha256');
  for (const path of filesIn(folder)) hash.update(`${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

describe('storage moves with failing disks', () => {
  let moving: MovingInstallation;
  let product: Member;
  let damaged: MovingProject[];
  let others: MovingProject[];
  let failed: EndedMove[];
  const digests: string[] = [];
  let remove: () => void = () => undefined;
  beforeAll(async () => {
    moving = await MovingInstallation.create();
    const storages = ['default=a', 'second=b', 'small=c', 'file=d', 'half=e'];
    product = await moving.start('all', {
      REPOSITORY_STORAGES: storages.map((storage) => storage.replace('=', `=${moving.folder}/`)).join(','),
    });
    await moving.arrange(product);
    await moving.work.commit({ 'big.txt': randomBytes(2_000_000).toString('base64') }, 'Third');
    damaged = await moving.projects(product, 'damaged', DAMAGES.length);
    others = await moving.projects(product, 'good', 3);
    await moving.idle();
    for (const [number, { spoil }] of DAMAGES.entries()) {
      const path = moving.place('a', damaged[number] as MovingProject);
      cpSync(path, `${path}.kept`, { recursive: true });
      spoil(path);
      digests.push(digestOfFiles(path));
    }
    await moving.scheduleAll(product.client, damaged);
    failed = await moving.ended(damaged);
  });
  afterAll(async () => {
    remove();
    await moving.close();
  });

  it.each(DAMAGES.map(({ name, reason }, number) => ({ name, number, reason })))(
    'fail when $name: the source is unchanged, and the next move finishes after the repair',
    async ({ number, reason }) => {
      const project = damaged[number] as MovingProject;
      const path = moving.place('a', project);
      expect(failed[number]).toMatchObject({ state: 'failed', error_message: expect.stringMatching(reason) });
      expect(digestOfFiles(path)).toBe(digests[number]);
      expect(existsSync(moving.place('b', project))).toBe(false);
      rmSync(path, { recursive: true });
      cpSync(`${path}.kept`, path, { recursive: true });
      rmSync(`${path}.kept`, { recursive: true });
      expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'default'));
      await moving.schedule(product.client, project);
      expect(await moving.ended([project])).toMatchObject([{ state: 'finished', error_message: null }]);
      expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'second'));
      await moving.use(product, project);
      expect(moving.remains()).toEqual([]);
    },
  );

  /** A move to that storage fails, and leaves nothing there; after `mend` it finishes. */
  async function failThenMove(
    project: MovingProject,
    storage: string,
    folder: string,
    reason: RegExp,
    mend: () => void,
  ): Promise<void> {
    await moving.schedule(product.client, project, storage);
    const [move] = await moving.ended([project]);
    expect(move).toMatchObject({ state: 'failed', error_message: expect.stringMatching(reason) });
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'default'));
    mend();
    expect(existsSync(folder) ? filesIn(folder) : []).toEqual([]);
    await moving.schedule(product.client, project, storage);
    expect(await moving.ended([project])).toMatchObject([{ state: 'finished', error_message: null }]);
    const owner = { storage, readOnly: false };
    expect(await moving.look(project)).toEqual({ owner, copies: {} });
    await moving.use(product, project);
    // Back, so that it can be compared.
    await moving.schedule(product.client, project, 'second');
    expect(await moving.ended([project])).toMatchObject([{ state: 'finished' }]);
    expect(filesIn(folder)).toEqual([]);
  }

  it('fail when the destination is full, and finish once there is space', async () => {
    const folder = join(moving.folder, 'c');
    const disk = makeSmallDisk(folder, product.pid);
    remove = disk.remove;
    await failThenMove(others[0] as MovingProject, 'small', folder, /(ENOSPC|EFBIG): /, disk.grow);
  });

  it('fail when a file is in the place of the storage folder', async () => {
    const folder = join(moving.folder, 'd');
    writeFileSync(folder, '');
    await failThenMove(others[1] as MovingProject, 'file', folder, /(EEXIST|ENOTDIR): /, () =>
      rmSync(folder),
    );
  });

  it('fail when the complete copy cannot be moved into place', async () => {
    const folder = join(moving.folder, 'e');
    mkdirSync(folder);
    writeFileSync(join(folder, '@hashed'), '');
    const mend = (): void => rmSync(join(folder, '@hashed'));
    await failThenMove(others[2] as MovingProject, 'half', folder, /(EEXIST|ENOTDIR): /, mend);
  });
});
