import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import type { ReadRows } from '#kernel/http/paging/page.js';
import { countCommits, readCommits, type Commit } from '../git/commit-log.js';
import { isFilePath, trimSlashes } from '../git/build-commit.js';
import { resolveCommit } from '../git/resolve.js';
import { LITERAL_PATHS } from '../git/tree-entries.js';
import { projectRepository } from '../repository-ref.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';
import type { ListCommitsParams } from './commits.params.js';
import { orFewer } from './or-fewer.js';

/** The commit that a request names, with its repository. */
export interface FoundCommit {
  readonly repository: OpenRepository;
  readonly id: string;
}

/** An empty list of commits. */
export const NONE: ReadRows<Commit> = { rows: [], total: 0 };

/** Finds the commits that requests name in the repository of a project. */
@Injectable()
export class CommitReadingService {
  constructor(private readonly repositories: RepositoriesService) {}

  /** Finds the commit of a branch, tag or id. @throws 404 `kind` */
  async resolve(project: ProjectSubject, name: string, kind = 'Commit'): Promise<FoundCommit> {
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const id = repository && (await resolveCommit(repository.path, name));
    if (!repository || id === null) throw notFound(kind);
    return { repository, id };
  }

  /** Does the same for an optional name; by default uses the default branch. */
  resolveOrDefault(project: ProjectSubject, name: string | undefined, kind: string): Promise<FoundCommit> {
    return this.resolve(project, name === undefined || name === '' ? 'HEAD' : name, kind);
  }

  /** Opens the repository of a project; null if nothing was pushed to it yet. */
  open(project: ProjectSubject): Promise<OpenRepository | null> {
    return this.repositories.openOrNull(projectRepository(project.id));
  }

  /** Returns a page of the log. @throws 404 if the ref does not exist; 400 if the messages exceed the limit of a response */
  async list(
    repository: OpenRepository,
    params: ListCommitsParams,
    limit: number,
    offset: number,
  ): Promise<ReadRows<Commit>> {
    const start = params.ref_name === undefined || params.ref_name === '' ? 'HEAD' : params.ref_name;
    const id = params.all ? null : await resolveCommit(repository.path, start);
    // An empty repository has no commits and no default branch yet.
    if (id === null && !params.all && start === 'HEAD') return NONE;
    if (id === null && !params.all) throw notFound('Ref');
    const path = trimSlashes(params.path);
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
      rows: await readCommits(repository.path, page, options).catch(orFewer),
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

/** Formats a time so that git takes it literally: it misinterprets dates in the far future. */
const seconds = (time: Date): string => `@${Math.max(0, Math.floor(time.getTime() / 1000))} +0000`;
