import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import type { ReadRows } from '#kernel/http/paging/page.js';
import { countCommits, readCommits, type Commit } from '../git/commit-log.js';
import { isFilePath } from '../git/build-commit.js';
import { resolveCommit } from '../git/resolve.js';
import { LITERAL_PATHS } from '../git/tree-entries.js';
import { projectRepository } from '../repository-ref.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';
import type { ListCommitsParams } from './commits.params.js';

/** A commit that a request names, and where it lies. */
export interface FoundCommit {
  readonly repository: OpenRepository;
  readonly id: string;
}

/** A list without commits. */
export const NONE: ReadRows<Commit> = { rows: [], total: 0 };

/** Finds what requests name in the repository of a project. */
@Injectable()
export class CommitReadingService {
  constructor(private readonly repositories: RepositoriesService) {}

  /** The commit behind a branch, tag or id. @throws 404 `kind` */
  async resolve(project: ProjectSubject, name: string, kind = 'Commit'): Promise<FoundCommit> {
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const id = repository && (await resolveCommit(repository.path, name));
    if (!repository || id === null) throw notFound(kind);
    return { repository, id };
  }

  /** The same for a name that may be missing and then means the default branch. */
  resolveOrDefault(project: ProjectSubject, name: string | undefined, kind: string): Promise<FoundCommit> {
    return this.resolve(project, name === undefined || name === '' ? 'HEAD' : name, kind);
  }

  /** The repository of a project, or null while nothing has been pushed to it. */
  open(project: ProjectSubject): Promise<OpenRepository | null> {
    return this.repositories.openOrNull(projectRepository(project.id));
  }

  /** One page of the log. @throws 404 for a ref that is not there */
  async list(
    repository: OpenRepository,
    params: ListCommitsParams,
    limit: number,
    offset: number,
  ): Promise<ReadRows<Commit>> {
    const start = params.ref_name === undefined || params.ref_name === '' ? 'HEAD' : params.ref_name;
    const id = params.all ? null : await resolveCommit(repository.path, start);
    // An empty repository has no commit, and no default branch yet.
    if (id === null && !params.all && start === 'HEAD') return NONE;
    if (id === null && !params.all) throw notFound('Ref');
    const path = (params.path ?? '').replace(/^\/+|\/+$/g, '');
    if (path !== '' && !isFilePath(path)) return NONE;
    const args = [
      ...filters(params),
      ...(id === null ? ['--branches', '--tags'] : [id]),
      '--',
      ...(path === '' ? [] : [path]),
    ];
    const options = { env: LITERAL_PATHS };
    const page = [`--max-count=${limit}`, `--skip=${offset}`, ...args];
    return {
      rows: await readCommits(repository.path, page, options),
      total: (horizon) => countCommits(repository.path, args, horizon, options),
    };
  }
}

function filters({ since, until, author, first_parent: first, order }: ListCommitsParams): string[] {
  return [
    ...(since ? [`--since=${seconds(since)}`] : []),
    ...(until ? [`--until=${seconds(until)}`] : []),
    ...(author ? ['--fixed-strings', '--regexp-ignore-case', `--author=${author}`] : []),
    ...(first ? ['--first-parent'] : []),
    ...(order === 'topo' ? ['--topo-order'] : []),
  ];
}

/** A time as git takes it literally: it guesses what a date in the far future may mean. */
const seconds = (time: Date): string => `@${Math.max(0, Math.floor(time.getTime() / 1000))} +0000`;
