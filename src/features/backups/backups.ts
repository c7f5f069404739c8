import { PassThrough, Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ObjectNotFound, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { BackupProblem, TargetProblem } from './backup-problem.js';
import type { ProgressPart } from './backup-progress.js';
import { Decrypt, deriveKeys, Encrypt, macOf, newSalt, type BackupKeys } from './cipher.js';
import { checkManifest, checkProgress } from './manifest/check-manifest.js';
import type { Manifest, StoredFile } from './manifest/manifest.js';
import { CheckedContent } from './objects/checked-content.js';

const MANIFEST = 'manifest.json';
const PROGRESS = 'progress/';
/** Names sort by time. */
const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{6}$/;

const timeOf = (name: string): number =>
  Date.parse(name.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})\d{3}Z.*$/, '$1-$2-$3T$4:$5:$6Z'));

const MAX_MANIFEST = 512 * 1024 * 1024;

/** A text with its authentication; both are null without a passphrase. */
interface Sealed {
  readonly salt: string | null;
  readonly mac: string | null;
  readonly manifest: string;
}

/** The backups of a target: reads and writes their files. */
export class Backups {
  private readonly keys = new Map<string, BackupKeys>();
  private readonly salt: string | null;

  constructor(
    private readonly target: ObjectStorage,
    private readonly passphrase: string | undefined,
  ) {
    this.salt = passphrase === undefined ? null : newSalt();
  }

  /** Returns the names of complete backups, oldest first. */
  async names(): Promise<string[]> {
    return (await this.survey()).complete;
  }

  /** Returns the names of backups that were started before a time and have no manifest. */
  async unfinished(before: number): Promise<string[]> {
    return (await this.survey()).unfinished.filter((name) => timeOf(name) < before);
  }

  /** Returns the names of unfinished backups that were started after the newest complete one, oldest first. */
  async interrupted(): Promise<string[]> {
    const { complete, unfinished } = await this.survey();
    const newest = complete.at(-1) ?? '';
    return unfinished.filter((name) => name > newest);
  }

  /** Whether there is a complete backup of this name. */
  async isComplete(name: string): Promise<boolean> {
    try {
      await this.target.head(`${name}/${MANIFEST}`);
      return true;
    } catch (error) {
      if (error instanceof ObjectNotFound) return false;
      throw error;
    }
  }

  /** Reads a manifest. @throws BackupProblem if it is missing or damaged, or needs another passphrase */
  async manifest(name: string): Promise<Manifest> {
    if (!NAME.test(name)) throw new BackupProblem(`There is no backup ${name}`);
    return checkManifest(parsed(await this.unsealed(name, MANIFEST), name), name);
  }

  /** Writes the manifest: from now on the backup is complete and listed. */
  async finish(manifest: Manifest): Promise<void> {
    await this.seal(`${manifest.name}/${MANIFEST}`, manifest);
    // The backup is complete, whether or not these can be removed now.
    await this.remove(`${manifest.name}/${PROGRESS.slice(0, -1)}`).catch(() => undefined);
  }

  /** Saves a part of what an unfinished backup has copied; its key. */
  async writeProgress(name: string, part: number, progress: ProgressPart): Promise<string> {
    const key = `${name}/${PROGRESS}${part}.json`;
    await this.seal(key, progress);
    return key;
  }

  /** What an unfinished backup has copied. @throws BackupProblem as `manifest` does */
  async progress(name: string): Promise<ProgressPart[]> {
    const parts: ProgressPart[] = [];
    for await (const { key } of this.target.list(`${name}/${PROGRESS}`))
      parts.push(checkProgress(parsed(await this.unsealed(name, key.slice(name.length + 1)), name), name));
    return parts;
  }

  /** Writes a file, compressed, and encrypted if there is a passphrase. @throws TargetProblem, and errors of the content */
  async write(key: string, content: Readable): Promise<StoredFile> {
    const steps: Transform[] = [createGzip({ level: 3 })];
    if (this.salt !== null) steps.push(new Encrypt(this.keysOf(this.salt).file, key));
    const output = new PassThrough();
    const flowing = pipeline([content, ...steps, output]);
    // An error of either stream must end the other.
    flowing.catch((error: unknown) => output.destroy(error as Error));
    try {
      const { size, sha256 } = await this.target.put(key, output);
      await flowing;
      return { key, size, sha256, salt: this.salt };
    } catch (error) {
      output.destroy();
      content.destroy();
      await flowing.catch((reason: unknown) => {
        if (codeOf(reason) !== 'ERR_STREAM_PREMATURE_CLOSE') throw reason;
      });
      // The content came to its end, or was cut off: it is the target that has failed.
      throw new TargetProblem(`${key} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Passes the content of a file on; fails at its end unless all bytes are those that were written. */
  async read(file: StoredFile, into: (content: Readable) => Promise<unknown>): Promise<void> {
    const stored = await this.stored(file);
    const checked = new CheckedContent(file, () => damaged(file));
    const steps: Transform[] = [checked];
    if (file.salt !== null) steps.push(new Decrypt(this.keysOf(file.salt).file, file.key));
    const output = new Gate(checked, file);
    const flowing = pipeline([stored, ...steps, createGunzip(), output]);
    try {
      await Promise.all([flowing, into(output)]);
    } catch (error) {
      output.destroy();
      await flowing.catch(() => undefined);
      // What cannot be unpacked is met before the digest of the whole file is known.
      throw codeOf(error)?.startsWith('Z_') === true ? damaged(file) : error;
    }
  }

  /** Removes the files of an unfinished or old backup, its manifest first. */
  async remove(name: string, kept: ReadonlySet<string> = new Set()): Promise<void> {
    await this.target.delete(`${name}/${MANIFEST}`);
    for await (const { key } of this.target.list(`${name}/`))
      if (!kept.has(key)) await this.target.delete(key);
  }

  private async stored({ key }: StoredFile): Promise<Readable> {
    try {
      return await this.target.get(key);
    } catch (error) {
      throw error instanceof ObjectNotFound ? new BackupProblem(`${key} is missing`) : error;
    }
  }

  /** Lists all files once, and returns the names of all backups, oldest first. */
  private async survey(): Promise<{ readonly complete: string[]; readonly unfinished: string[] }> {
    const started = new Set<string>();
    const withManifest = new Set<string>();
    for await (const { key } of this.target.list()) {
      const [name = '', file] = key.split('/');
      if (!NAME.test(name)) continue;
      started.add(name);
      if (file === MANIFEST) withManifest.add(name);
    }
    const unfinished = [...started].filter((name) => !withManifest.has(name));
    return { complete: [...withManifest].sort(), unfinished: unfinished.sort() };
  }

  private async seal(key: string, content: Manifest | ProgressPart): Promise<void> {
    const text = JSON.stringify(content);
    const mac = this.salt === null ? null : macOf(this.keysOf(this.salt), text);
    const sealed: Sealed = { salt: this.salt, mac, manifest: text };
    await this.target.put(key, Buffer.from(JSON.stringify(sealed)));
  }

  private async unsealed(name: string, file: string): Promise<string> {
    const sealed = parsed(await this.text(`${name}/${file}`), name) as Partial<Sealed> | null;
    const { salt = null, mac, manifest } = sealed ?? {};
    if (typeof manifest !== 'string' || (salt !== null && typeof salt !== 'string'))
      throw new BackupProblem(`${name} is damaged: it has no manifest`);
    if (salt !== null && macOf(this.keysOf(salt), manifest) !== mac)
      throw new BackupProblem(`${name} is damaged, or the passphrase is another one`);
    if (salt === null && this.passphrase !== undefined)
      throw new BackupProblem(`${name} is not encrypted: leave the passphrase out`);
    return manifest;
  }

  private async text(key: string): Promise<string> {
    try {
      const { size } = await this.target.head(key);
      if (size > MAX_MANIFEST) throw new BackupProblem(`${key} is too large to be a manifest`);
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of (await this.target.get(key)) as AsyncIterable<Buffer>) {
        length += piece.length;
        if (length > size) throw new BackupProblem(`${key} is damaged: it is longer than the target says`);
        pieces.push(piece);
      }
      return Buffer.concat(pieces).toString();
    } catch (error) {
      throw error instanceof ObjectNotFound
        ? new BackupProblem(`There is no backup ${key.split('/')[0]}`)
        : error;
    }
  }

  private keysOf(salt: string): BackupKeys {
    if (this.passphrase === undefined)
      throw new BackupProblem('The backup is encrypted: give its passphrase in BACKUP_PASSPHRASE');
    let keys = this.keys.get(salt);
    if (!keys) this.keys.set(salt, (keys = deriveKeys(this.passphrase, salt)));
    return keys;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const damaged = ({ key }: StoredFile): BackupProblem =>
  new BackupProblem(`${key} is damaged: its digest is another one`);

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupProblem(`${name} is damaged: its manifest cannot be read`);
  }
}

/** Lets content end only when its file is known to be whole: gunzip ends before what follows its content has been read. */
class Gate extends Transform {
  constructor(
    private readonly checked: CheckedContent,
    private readonly file: StoredFile,
  ) {
    super();
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, data);
  }

  override _flush(done: TransformCallback): void {
    done(this.checked.isWhole ? null : damaged(this.file));
  }
}
