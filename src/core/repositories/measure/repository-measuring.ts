import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { git, gitText } from '../git/git.js';
import { Repositories, type OpenRepository } from '../repositories.service.js';
import type { OwnerType, RepositoryKind, RepositoryRef } from '../repository-ref.js';

/** What there is to know of the size of a repository. */
export interface Measured {
  readonly repository: RepositoryRef;
  readonly sizeBytes: number;
  readonly commitCount: number;
}

const FIND = 'select owner_type, owner_id, kind from repositories where id = $1';

const STORE = `update repositories set size_bytes = $2 where id = $1`;

const statistics = (columns: readonly string[]): string =>
  `insert into project_statistics (project_id, ${columns.join(', ')})
   select id, ${columns.map((_, index) => `$${index + 2}`).join(', ')} from projects where id = $1
   on conflict (project_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** Measures repositories for the statistics of their projects. */
@Injectable()
export class RepositoryMeasuring {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: Repositories,
  ) {}

  /** Asks git; null for a repository that is gone. */
  async measure(id: number): Promise<Measured | null> {
    const row = await this.database.one<{ owner_type: OwnerType; owner_id: number; kind: RepositoryKind }>(
      FIND,
      [id],
    );
    const repository =
      row &&
      (await this.repositories.openOrNull({
        ownerType: row.owner_type,
        ownerId: row.owner_id,
        kind: row.kind,
      }));
    if (!repository) return null;
    return { repository, sizeBytes: await sizeOf(repository), commitCount: await commitsOf(repository) };
  }

  /** Stores what was measured. */
  async store(tx: Tx, id: number, { repository, sizeBytes, commitCount }: Measured): Promise<void> {
    await tx.query(STORE, [id, sizeBytes]);
    if (repository.ownerType !== 'Project') return;
    if (repository.kind === 'wiki')
      await tx.query(statistics(['wiki_size']), [repository.ownerId, sizeBytes]);
    else
      await tx.query(statistics(['repository_size', 'commit_count']), [
        repository.ownerId,
        sizeBytes,
        commitCount,
      ]);
  }
}

/** Bytes of all objects, packed and loose. */
async function sizeOf({ path }: OpenRepository): Promise<number> {
  const text = await gitText(path, ['count-objects', '-v']);
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return 1024 * (kilobytes('size') + kilobytes('size-pack'));
}

/** Commits that the branches reach. */
async function commitsOf({ path }: OpenRepository): Promise<number> {
  const output = await git(path, ['rev-list', '--count', '--branches'], { timeoutMs: 120_000 });
  return Number(output.toString('utf8').trim());
}
