import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { git, gitText } from '../git/git.js';
import { peel } from '../git/resolve.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';
import type { RepositoryRef } from '../repository-ref.js';
import { inspectTree, type InspectedTree } from './inspect-tree.js';
import { SnippetSizesService } from './snippet-sizes.service.js';

/** Measurements of a repository. */
export interface Measured {
  readonly repository: OpenRepository;
  readonly sizeBytes: number;
  /** Commits of the default branch; 0 except for the code of projects. */
  readonly commitCount: number;
  /** Whether it has so many loose objects or packs that reading becomes slow. */
  readonly isUntidy: boolean;
  /** Only for the code of projects. */
  readonly tree: InspectedTree | null;
}

const FIND = `select owner_type as "ownerType", owner_id as "ownerId", kind from repositories where id = $1`;

const STORE = `update repositories set size_bytes = $2 where id = $1`;

/** Writes only if something differs, because all requests read the row of the project. */
const DESCRIBE = `update projects set languages = $2, readme_path = $3
  where id = $1 and (languages, readme_path) is distinct from ($2::jsonb, $3::text)`;

const statistics = (columns: readonly string[]): string =>
  `insert into project_statistics (project_id, ${columns.join(', ')})
   select id, ${columns.map((_, index) => `$${index + 2}`).join(', ')} from projects where id = $1
   on conflict (project_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const WIKI_SIZE = statistics(['wiki_size']);
const CODE_SIZE = statistics(['repository_size', 'commit_count']);

/** Measures repositories for the records and statistics of their projects. */
@Injectable()
export class RepositoryMeasuringService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
    private readonly snippets: SnippetSizesService,
  ) {}

  /** Returns the repository of an id; null if it no longer exists. */
  async find(id: number): Promise<OpenRepository | null> {
    const ref = await this.database.one<RepositoryRef>(FIND, [id]);
    return ref ? this.repositories.openOrNull({ ...ref }) : null;
  }

  /** Returns whether a repository is recorded. */
  async exists(id: number): Promise<boolean> {
    return (await this.database.one(FIND, [id])) !== null;
  }

  /** Measures a repository with git. */
  async measure(repository: OpenRepository): Promise<Measured> {
    const objects = await countObjects(repository);
    if (repository.ownerType !== 'Project' || repository.kind !== 'code')
      return { repository, ...objects, commitCount: 0, tree: null };
    const commitCount = await commitsOf(repository);
    return { repository, ...objects, commitCount, tree: await inspectTree(repository.path) };
  }

  /** Stores the measurements: of the project first, as the end of a push locks it before its repository. */
  async store(tx: Tx, { repository, sizeBytes, commitCount, tree }: Measured): Promise<void> {
    const { id, ownerType, ownerId, kind } = repository;
    if (ownerType === 'Project') {
      if (tree) await tx.query(DESCRIBE, [ownerId, JSON.stringify(tree.languages), tree.readmePath]);
      if (kind === 'wiki') await tx.query(WIKI_SIZE, [ownerId, sizeBytes]);
      else await tx.query(CODE_SIZE, [ownerId, sizeBytes, commitCount]);
    }
    const snippetIn = ownerType === 'Snippet' ? await this.snippets.prepare(tx, ownerId) : null;
    await tx.query(STORE, [id, sizeBytes]);
    if (snippetIn !== null) await this.snippets.sum(tx, [snippetIn]);
  }
}

const MAX_LOOSE = 3_000;
const MAX_PACKS = 30;

/** Returns the size of all objects, packed and loose, and whether the repository needs maintenance. */
async function countObjects({ path }: OpenRepository): Promise<Pick<Measured, 'sizeBytes' | 'isUntidy'>> {
  const text = await gitText(path, ['count-objects', '-v']);
  const figure = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    sizeBytes: 1024 * (figure('size') + figure('size-pack')),
    isUntidy: figure('count') > MAX_LOOSE || figure('packs') > MAX_PACKS,
  };
}

/** Counts the commits of the default branch. */
async function commitsOf({ path }: OpenRepository): Promise<number> {
  const head = await peel(path, 'HEAD');
  if (head === null) return 0;
  const output = await git(path, ['rev-list', '--count', head, '--'], { timeoutMs: 120_000 });
  return Number(output.toString('utf8').trim());
}
