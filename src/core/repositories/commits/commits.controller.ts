import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { findCommit } from '../git/commit-log.js';
import { REPOSITORY_READ } from '../repository-access.js';
import { CommitDetailRecord, ListedCommitRecord, presentListedCommit } from './commit-detail.record.js';
import { readCommitDetails } from './commit-details.js';
import { CommitPresenter } from './commit.presenter.js';
import { CommitReadingService, NONE } from './commit-reading.service.js';
import { DiffRecord } from './diff/diff.record.js';
import { EMPTY_TREE, readDiff } from './diff/read-diff.js';
import { ListCommitsParams, ShowCommitParams, ShowDiffParams } from './commits.params.js';

/** Commits of a project. */
@Controller('api/v4/projects/:id/repository/commits')
export class CommitsController {
  constructor(
    private readonly reading: CommitReadingService,
    private readonly presenting: CommitPresenter,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(REPOSITORY_READ)
  @ReturnsList(ListedCommitRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListCommitsParams,
    @Paged() page: Page,
  ): Promise<ListedCommitRecord[]> {
    const repository = await this.reading.open(project);
    const commits = await page.from('Commit', async (limit, offset) =>
      repository ? this.reading.list(repository, params, limit, offset) : NONE,
    );
    const ids = commits.map(({ id }) => id);
    const wanted = { stats: params.with_stats, trailers: params.trailers };
    const details = repository
      ? await readCommitDetails(repository.path, ids, wanted)
      : new Map<string, never>();
    const webBase = this.links.project(project.fullPath);
    return commits.map((commit) => presentListedCommit(commit, webBase, details.get(commit.id)));
  }

  @Get(':sha')
  @Access(REPOSITORY_READ)
  @Returns(CommitDetailRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { sha, stats = true }: ShowCommitParams,
  ): Promise<CommitDetailRecord> {
    return this.presenting.present(project, caller, await this.reading.resolve(project, sha), stats);
  }

  @Get(':sha/diff')
  @Access(REPOSITORY_READ)
  @ReturnsList(DiffRecord)
  async diff(
    @CurrentProject() project: ProjectSubject,
    @Params() { sha, unidiff }: ShowDiffParams,
    @Paged() page: Page,
  ): Promise<DiffRecord[]> {
    const { repository, id } = await this.reading.resolve(project, sha);
    const commit = await findCommit(repository.path, id);
    const { files } = await readDiff(repository.path, commit?.parentIds[0] ?? EMPTY_TREE, id, unidiff);
    return page.slice(files);
  }
}
