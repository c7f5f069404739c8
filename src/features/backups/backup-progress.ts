import type { Backups } from './backups.js';
import type { ObjectEntry, RepositoryEntry } from './manifest/manifest.js';

/** An interrupted backup loses at most the work of this time. */
const SAVE_EVERY_MS = 10_000;

/** Repositories and objects that an unfinished backup has copied: one of several files. */
export interface ProgressPart {
  /** Whether the backup was to copy everything, so that nothing here builds on an earlier one. */
  readonly isFull: boolean;
  readonly repositories: readonly RepositoryEntry[];
  readonly objects: readonly ObjectEntry[];
}

/** Saves what a running backup has copied, so that the next one can continue if this one is interrupted. */
export class BackupProgress {
  private repositories: RepositoryEntry[] = [];
  private objects: ObjectEntry[] = [];
  private readonly keys = new Set<string>();
  private parts = 0;
  private savedAt = performance.now();

  constructor(
    private readonly backups: Backups,
    private readonly name: string,
    private readonly isFull: boolean,
  ) {}

  /** A repository has been copied. */
  async addRepository(entry: RepositoryEntry): Promise<void> {
    this.repositories.push(entry);
    await this.saveIfDue();
  }

  /** An object has been copied. */
  async addObject(entry: ObjectEntry): Promise<void> {
    this.objects.push(entry);
    await this.saveIfDue();
  }

  /** Writes down what has been copied since the last call. */
  async save(): Promise<void> {
    this.savedAt = performance.now();
    const { isFull, repositories, objects } = this;
    if (repositories.length + objects.length === 0) return;
    this.parts += 1;
    this.keys.add(await this.backups.writeProgress(this.name, this.parts, { isFull, repositories, objects }));
    for (const { packs } of repositories) for (const { key } of packs) this.keys.add(key);
    for (const { file } of objects) this.keys.add(file.key);
    this.repositories = [];
    this.objects = [];
  }

  /** Keys of all files that a later backup needs to continue this one. */
  get savedKeys(): ReadonlySet<string> {
    return this.keys;
  }

  private async saveIfDue(): Promise<void> {
    if (performance.now() - this.savedAt >= SAVE_EVERY_MS) await this.save();
  }
}
