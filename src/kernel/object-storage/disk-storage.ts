import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { close, createReadStream, fstat, open as openDescriptor, type Stats } from 'node:fs';
import { mkdir, open, opendir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { flushUpTo, makeFolder } from '#kernel/disk/durable.js';
import { LeftOvers } from '#kernel/disk/left-overs.js';
import { LocalFile } from '#kernel/disk/local-file.js';
import { Meter } from './meter.js';
import { isDiskRefusal } from '#kernel/disk/disk-refusal.js';
import { countStoreError } from '#kernel/log/metrics.js';
import { checkKey, checkPrefix } from './object-key.js';
import {
  ObjectNotFound,
  ObjectStorage,
  RangeNotSatisfiable,
  type ListedObject,
  type ObjectInfo,
  type PutOptions,
  type StoredObject,
  type Whole,
} from './object-storage.js';
import { ObjectHome } from './object-home.js';
import { SmallObjects } from './small-objects.js';

/** Folder of unfinished uploads; keys cannot start with a dot. */
const TEMPORARY = '.tmp';
const STALE_MS = 24 * 60 * 60 * 1000;
const READ_BUFFER = 512 * 1024;

const openFile = promisify(openDescriptor);
const statFile = promisify(fstat);
const closeFile = promisify(close);

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Stores objects as files below one folder. */
export class DiskStorage extends ObjectStorage {
  private readonly root: string;
  private readonly home: ObjectHome;
  private readonly small = new SmallObjects();
  private readonly leftOvers = new LeftOvers(new Logger('ObjectStorage'));

  constructor(root: string) {
    super();
    this.root = resolve(root);
    this.home = new ObjectHome(this.root);
  }

  /** Opens the store of this installation, which notices that its disk is unmounted. */
  static async open(root: string): Promise<DiskStorage> {
    const storage = new DiskStorage(root);
    await storage.removeStale();
    await storage.home.remember();
    return storage;
  }

  override async put(
    key: string,
    content: Readable | Buffer,
    options: PutOptions = {},
  ): Promise<StoredObject> {
    const target = this.path(key);
    const meter = new Meter(options.maxBytes);
    const temporary = await this.writeTemporary(meter.pass(content));
    try {
      await this.moveIntoPlace(temporary, target);
      this.home.used();
      this.small.forget(key);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return meter.result();
  }

  override async get(key: string): Promise<Readable> {
    const { fd } = await this.openFile(key);
    return createReadStream('', { fd, highWaterMark: READ_BUFFER });
  }

  override async range(key: string, start: number, end: number): Promise<Readable> {
    const { fd, stats } = await this.openFile(key);
    if (start >= stats.size || end < start) {
      await closeFile(fd);
      throw new RangeNotSatisfiable(key);
    }
    return createReadStream('', { fd, start, end, highWaterMark: READ_BUFFER });
  }

  override async head(key: string): Promise<ObjectInfo> {
    try {
      const stats = await stat(this.path(key));
      if (!stats.isFile()) throw new ObjectNotFound(key);
      return { size: stats.size, modifiedAt: stats.mtime };
    } catch (error) {
      throw await this.asNotFound(key, error);
    }
  }

  override async delete(key: string): Promise<void> {
    const path = this.path(key);
    this.small.forget(key);
    try {
      await unlink(path);
    } catch (error) {
      if (!missing(error)) throw error;
      await this.home.require();
      return;
    }
    await this.pruneFolders(dirname(path));
  }

  override async *list(prefix = ''): AsyncIterable<ListedObject> {
    yield* this.walk(join(this.root, checkPrefix(prefix)));
  }

  override async checkWritable(): Promise<void> {
    const meter = new Meter();
    await rm(await this.writeTemporary(meter.pass(Buffer.from('ok'))));
  }

  override async openLocal(key: string, start: number, length: number, whole?: Whole): Promise<LocalFile> {
    const isSmall = whole !== undefined && SmallObjects.isSmall(length);
    const known = isSmall ? this.small.find(key, whole.sha256) : undefined;
    if (known?.length === length) return LocalFile.of(known);
    const file = await this.openFromDisk(key, start, length);
    // The whole file has been read; one shorter than it should be is not cached.
    if (isSmall && file.known?.length === length) this.small.keep(key, whole.sha256, file.known);
    return file;
  }

  private async openFromDisk(key: string, start: number, length: number): Promise<LocalFile> {
    try {
      const file = await LocalFile.open(this.path(key), start, length);
      this.home.used();
      if (length === 0 || file.rest > 0) return file;
      file.close();
    } catch (error) {
      throw await this.asNotFound(key, error);
    }
    // Its content is missing.
    throw new ObjectNotFound(key);
  }

  override async localPath(key: string): Promise<string> {
    await this.head(key);
    return this.path(key);
  }

  override signedUrl(): Promise<null> {
    return Promise.resolve(null);
  }

  override close(): void {
    this.small.clear();
  }

  override async removeStale(now = Date.now()): Promise<void> {
    const folder = join(this.root, TEMPORARY);
    await makeFolder(folder);
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name);
      const stats = await stat(path).catch(() => undefined);
      if (stats && now - stats.mtimeMs > STALE_MS) await this.leftOvers.remove(path);
    }
  }

  private path(key: string): string {
    return join(this.root, checkKey(key));
  }

  private async openFile(key: string): Promise<{ fd: number; stats: Stats }> {
    let fd: number;
    try {
      fd = await openFile(this.path(key), 'r');
    } catch (error) {
      throw await this.asNotFound(key, error);
    }
    this.home.used();
    const stats = await statFile(fd);
    if (stats.isFile()) return { fd, stats };
    await closeFile(fd);
    throw new ObjectNotFound(key);
  }

  /** An object that is missing with all others is not known to be. */
  private async asNotFound(key: string, error: unknown): Promise<unknown> {
    if (!missing(error)) return error;
    await this.home.require();
    return new ObjectNotFound(key);
  }

  private async writeTemporary(chunks: AsyncIterable<Buffer>): Promise<string> {
    // What is written here would be hidden by the mount.
    await this.home.require();
    const path = join(this.root, TEMPORARY, randomBytes(12).toString('hex'));
    await makeFolder(dirname(path));
    const file = await open(path, 'wx', 0o600);
    try {
      try {
        for await (const chunk of chunks) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isDiskRefusal(error)) countStoreError();
      await rm(path, { force: true });
      throw error;
    }
    return path;
  }

  /**
   * The folder may be pruned by a concurrent delete while it is created, or between mkdir and rename: retries
   * once.
   */
  private async moveIntoPlace(temporary: string, target: string): Promise<void> {
    const folder = dirname(target);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(temporary, target);
        break;
      } catch (error) {
        if (attempt === 20 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    // All of them: another write may have created them without having flushed them yet. They are missing if
    // the object has already been deleted.
    await flushUpTo(this.root, folder).catch((error: unknown) => {
      if (!missing(error)) throw error;
    });
  }

  private async pruneFolders(folder: string): Promise<void> {
    for (let current = folder; current.startsWith(this.root + sep); current = dirname(current)) {
      // Not empty, or already removed by a concurrent delete.
      const removed = await rmdir(current).then(
        () => true,
        () => false,
      );
      if (!removed) return;
    }
  }

  private async *walk(folder: string): AsyncIterable<ListedObject> {
    const entries = await opendir(folder).catch(async (error: unknown) => {
      if (!missing(error)) throw error;
      await this.home.require();
      return undefined;
    });
    if (!entries) return;
    for await (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) yield* this.walk(path);
      else if (entry.isFile()) {
        const stats = await stat(path).catch(() => undefined);
        const key = relative(this.root, path).split(sep).join('/');
        if (stats) yield { key, size: stats.size, modifiedAt: stats.mtime };
      }
    }
  }
}

function missing(error: unknown): boolean {
  return MISSING.has((error as NodeJS.ErrnoException).code ?? '');
}
