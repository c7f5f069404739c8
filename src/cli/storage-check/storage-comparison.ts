import type pg from 'pg';
import { join } from 'node:path';
import { leftBehind } from '#core/repositories/storages/left-behind.js';
import { showProgress } from '../framework/progress.js';
import { missingCommits } from './check-commits.js';
import { checkFolders } from './check-folders.js';
import { isForeign, isThere, repositoryProblem } from './check-repository.js';
import { rootProblem } from './check-root.js';
import {
  countRepositories,
  expectedRepositories,
  findRepository,
  type ExpectedRepository,
} from '#core/repositories/expected-repositories.js';
import type { Report } from './storage-problem.js';

const OPEN_MOVES = `select id from storage_moves where state in ('scheduled', 'started', 'replicated')`;

const LOST = 'Restore it from a backup.';

const SWEPT = 'The running service removes it within an hour.';

const FOREIGN = 'Move it elsewhere, and restore the right one from a backup.';

const REPLACED = 'Mount the right disk; if it was replaced on purpose, run storage adopt.';

/** Steps of the progress bar for the folders of one storage. */
const STEPS = 100;

/** Options of the comparison and its output. */
export interface ComparisonOptions {
  /** Whether git reads every object. */
  readonly isThorough: boolean;
  readonly asJson: boolean;
  /** Folders changed within this many milliseconds are skipped. */
  readonly graceMs: number;
}

/** Compares the repository rows with the folders on the chosen storages, in both directions. */
export class StorageComparison {
  /** Storage of every path in the database. */
  private readonly known = new Map<string, string>();
  private readonly missing = new Set<string>();
  private readonly told = new Set<string>();

  constructor(
    private readonly client: pg.Client,
    private readonly folders: ReadonlyMap<string, string>,
    private readonly chosen: ReadonlySet<string>,
    private readonly report: Report,
    private readonly how: ComparisonOptions,
  ) {}

  /** Returns the number of repositories checked. */
  async run(): Promise<number> {
    const { asJson } = this.how;
    for (const name of this.chosen) await this.lookAtRoot(name);
    const bar = showProgress('Repositories', await countRepositories(this.client), asJson);
    let checked = 0;
    for await (const repository of expectedRepositories(this.client)) {
      if (repository.storage !== null) this.known.set(repository.path, repository.storage);
      if (this.isChosen(repository)) {
        checked += 1;
        await this.look(repository);
      }
      bar.step();
    }
    bar.end();
    for (const name of this.chosen) await this.lookAround(name);
    return checked;
  }

  private async lookAtRoot(name: string): Promise<void> {
    if (!(await isThere(this.folderOf(name)))) {
      this.missing.add(name);
      return;
    }
    const problem = await rootProblem(this.client, name, this.folderOf(name));
    if (problem === null) return;
    this.report({
      storage: name,
      path: '',
      problem: `the folder ${this.folderOf(name)} ${problem}`,
      advice: REPLACED,
    });
  }

  /** Repositories on no configured storage are checked only if all storages are chosen. */
  private isChosen({ storage }: ExpectedRepository): boolean {
    if (storage !== null && this.folders.has(storage)) return this.chosen.has(storage);
    return this.chosen.size === this.folders.size;
  }

  private async look(repository: ExpectedRepository, isSecond = false): Promise<void> {
    const { label, path, storage } = repository;
    const tell = (problem: string, advice: string): void =>
      this.report({ storage: storage ?? '?', path, problem: `of ${label} ${problem}`, advice });
    if (storage === null) tell('no longer has an owner', 'Remove its row from the table repositories.');
    else if (!this.folders.has(storage))
      tell('is on a storage that is not configured', 'Add it to REPOSITORY_STORAGES.');
    else if (this.missing.has(storage)) this.tellMissing(storage);
    else if (await isThere(join(this.folderOf(storage), path))) {
      const folder = join(this.folderOf(storage), path);
      if (await isForeign(folder, repository.identity)) tell('belongs to another owner', FOREIGN);
      const problem = await repositoryProblem(folder, this.how.isThorough);
      if (problem !== null) tell(`is broken: ${problem}`, LOST);
      else await this.lookForCommits(repository, storage);
      const left = await leftBehind(folder);
      if (left.length > 0) tell(`holds what a killed process of git has left: ${left.join(', ')}`, SWEPT);
    } else if (isSecond) {
      if (!repository.isWritten) return;
      const elsewhere = await this.findElsewhere(path);
      if (elsewhere === null) tell('is missing', LOST);
      else tell(`is on ${elsewhere} instead`, 'Move its folder to where it belongs.');
    } else {
      // It may have been moved or removed since its row was read.
      const now = await findRepository(this.client, repository.id);
      if (now) await this.look(now, true);
    }
  }

  private async lookForCommits({ id, label, path }: ExpectedRepository, storage: string): Promise<void> {
    const { lost, absent } = await missingCommits(this.client, id, join(this.folderOf(storage), path));
    const tell = (shas: readonly string[], advice: string, isNote: boolean): void => {
      if (shas.length === 0) return;
      const some = `${shas.slice(0, 3).join(', ')}${shas.length > 3 ? ', ...' : ''}`;
      const problem = `of ${label} lacks ${shas.length} commit${shas.length === 1 ? '' : 's'} that the database names (${some})`;
      this.report({ storage, path, problem, advice, isNote });
    };
    tell(lost, LOST, false);
    tell(absent, 'They were lost before they could be kept, or were missing from an import.', true);
  }

  /** Reports a missing storage only once, not for each of its repositories. */
  private tellMissing(storage: string): void {
    if (this.told.has(storage)) return;
    this.told.add(storage);
    const problem = `the folder ${this.folderOf(storage)} is missing`;
    this.report({ storage, path: '', problem, advice: 'Mount it, or restore it from a backup.' });
  }

  private async findElsewhere(path: string): Promise<string | null> {
    for (const [name, folder] of this.folders) if (await isThere(join(folder, path))) return name;
    return null;
  }

  private async lookAround(name: string): Promise<void> {
    const { rows } = await this.client.query<{ id: number }>(OPEN_MOVES);
    const bar = showProgress(`Folders of ${name}`, STEPS, this.how.asJson);
    let done = 0;
    const storage = {
      name,
      folder: this.folderOf(name),
      storageOf: (path: string) => this.known.get(path),
      graceMs: this.how.graceMs,
      openMoves: new Set(rows.map(({ id }) => id)),
    };
    await checkFolders(storage, this.report, (share) => {
      for (; done < Math.floor(share * STEPS); done += 1) bar.step();
    });
    bar.end();
  }

  private folderOf(storage: string): string {
    return this.folders.get(storage) as string;
  }
}
