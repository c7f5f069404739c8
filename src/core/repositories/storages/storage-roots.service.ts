import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { StoragesService } from '../storages.service.js';
import { AdoptStorage } from './adopt-storage.use-case.js';
import { RepositoryUnavailable } from './repository-unavailable.js';
import { askStorage } from './storage-answers.js';
import { readStorageFile } from './storage-file.js';

/** How long the last result is reused. */
const FRESH_MS = 1_000;
const LOG_EVERY_MS = 60_000;

const FIND = 'select identity from repository_storages where name = $1 and adopted_at is not null';

interface Verdict {
  readonly at: number;
  readonly problem: Promise<string | null>;
}

/**
 * Recognizes the root of a storage by its identity file: nothing must be written to an unmounted or wrong
 * disk.
 */
@Injectable()
export class StorageRootsService {
  private readonly logger = new Logger('RepositoryStorages');
  private readonly verdicts = new Map<string, Verdict>();
  private readonly identities = new Map<string, string>();
  private readonly logged = new Map<string, number>();

  constructor(
    private readonly database: ReadDatabase,
    private readonly storages: StoragesService,
    private readonly adoption: AdoptStorage,
  ) {}

  /**
   * Returns the problem of a storage's root, or null; an unused storage has none. `now`: without the cache.
   * @throws errors of the database
   */
  problem(storage: string, now = false): Promise<string | null> {
    const known = this.verdicts.get(storage);
    if (known && !now && performance.now() - known.at < FRESH_MS) return known.problem;
    const problem = this.look(storage);
    this.verdicts.set(storage, { at: performance.now(), problem });
    problem.catch(() => this.verdicts.delete(storage));
    return problem;
  }

  /** Asserts the same before reading or removing. @throws 503 if it is not the expected storage */
  async require(storage: string, now = false): Promise<void> {
    this.refuse(storage, await this.problem(storage, now));
  }

  /** Asserts the same before creating something; adopts an unused storage. @throws as `require` */
  async requireForNew(storage: string): Promise<void> {
    this.refuse(storage, await this.problemForNew(storage));
  }

  /** Returns why nothing can be created on a storage, or null. @throws errors of the database */
  async problemForNew(storage: string): Promise<string | null> {
    const problem = await this.problem(storage, true);
    if (problem !== null || this.identities.has(storage)) return problem;
    try {
      return (await this.adoption.adopt(storage, true)) ?? (await this.problem(storage, true));
    } catch (error) {
      const { syscall, path, message } = error as NodeJS.ErrnoException;
      if (syscall === undefined || path === undefined) throw error;
      return message;
    }
  }

  private async look(storage: string): Promise<string | null> {
    const folder = this.storages.folder(storage);
    let found: string | null;
    try {
      found = await askStorage(storage, () => readStorageFile(folder));
    } catch (error) {
      return error instanceof RepositoryUnavailable ? `${folder} does not respond` : (error as Error).message;
    }
    if (found !== null && found === this.identities.get(storage)) return null;
    const row = await this.database.one<{ identity: string }>(FIND, [storage]);
    // A storage that already contains recorded repositories, like all that are older than identities, is
    // adopted.
    if (!row) return this.adoption.adopt(storage, false);
    // Another process may have adopted it between the two reads: its file is written before the row.
    if (found !== row.identity) found = await readStorageFile(folder).catch(() => null);
    if (found === row.identity) {
      this.identities.set(storage, found);
      return null;
    }
    this.identities.delete(storage);
    return found === null
      ? `${folder} is not the root of the storage: it carries no identity`
      : `${folder} carries the identity of another storage`;
  }

  private refuse(storage: string, problem: string | null): void {
    if (problem === null) return;
    const last = this.logged.get(storage);
    if (last === undefined || performance.now() - last >= LOG_EVERY_MS) {
      this.logged.set(storage, performance.now());
      this.logger.error(`The storage ${storage} is not available: ${problem}`);
    }
    throw new RepositoryUnavailable();
  }
}
