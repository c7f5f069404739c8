import { createHash } from 'node:crypto';
import type { JobCache } from '../../jobs/definition/job-definition.js';
import type { CompileContext } from '../compile-context.js';
import type { KeyFiles, WantedCache } from '../keywords/cache.js';

/** Computes cache keys that depend on the content of files; reads each set of files once. */
export class CacheKeys {
  private readonly known = new Map<string, Promise<string>>();

  constructor(private readonly readFile: CompileContext['readFile']) {}

  /** Returns the caches with their final keys. */
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

  /** Missing files are ignored; if all are missing, the default key applies. */
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
