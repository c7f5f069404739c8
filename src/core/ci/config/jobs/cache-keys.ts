import { createHash } from 'node:crypto';
import type { JobCache } from '../../jobs/definition/job-definition.js';
import type { CompileContext } from '../compile-context.js';
import type { KeyFiles, WantedCache } from '../keywords/cache.js';

/** Finds the keys of caches that depend on the content of files; each set of files is read once. */
export class CacheKeys {
  private readonly known = new Map<string, Promise<string>>();

  constructor(private readonly readFile: CompileContext['readFile']) {}

  /** The caches with their keys. */
  of(caches: readonly WantedCache[]): Promise<readonly JobCache[]> {
    return Promise.all(
      caches.map(async ({ key, ...cache }) => ({
        ...cache,
        key: typeof key === 'string' ? key : await this.keyOf(key),
      })),
    );
  }

  private async keyOf({ files, prefix }: KeyFiles): Promise<string> {
    const id = files.join('\0');
    const digest = this.known.get(id) ?? this.digest(files);
    this.known.set(id, digest);
    return prefix === null ? await digest : `${prefix}-${await digest}`;
  }

  /** Files that are not there count for nothing; without any the key is as if none were asked for. */
  private async digest(files: readonly string[]): Promise<string> {
    const hash = createHash('sha256');
    let any = false;
    for (const file of files) {
      const text = await this.readFile(file);
      any ||= text !== null;
      if (text !== null) hash.update(`${file}\0${text}\0`);
    }
    return any ? hash.digest('hex').slice(0, 40) : 'default';
  }
}
