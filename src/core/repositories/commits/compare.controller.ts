import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { badRequest, invalid, notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { findCommit } from '../git/commit-log.js';
import { resolveCommits } from '../git/resolve.js';
import { REPOSITORY_READ } from '../repository-access.js';
import { CommitReadingService } from './commit-reading.service.js';
import { CommitRecord, presentCommit } from './commit.record.js';
import {
  CompareRecord,
  CompareRefsParams,
  ContributorRecord,
  FindMergeBaseParams,
  ListContributorsParams,
} from './compare.record.js';
import { compare, findMergeBase } from './comparing.js';
import { readContributors, sortContributors } from './contributors.js';

/** Comparisons and merge bases of commits, and contributors of a project. */
@Controller('api/v4/projects/:id/repository')
export class CompareController {
  constructor(
    private readonly reading: CommitReadingService,
    private readonly links: Links,
  ) {}

  @Get('compare')
  @Access(REPOSITORY_READ)
  @Returns(CompareRecord)
  async compare(
    @CurrentProject() project: ProjectSubject,
    @Params() params: CompareRefsParams,
  ): Promise<CompareRecord> {
    const { straight = false, unidiff = false, from_project_id: other = project.id } = params;
    if (other !== project.id) throw invalid({ from_project_id: ['does not have a valid value'] });
    const { repository, id: from } = await this.reading.resolve(project, params.from, 'Ref');
    const { id: to } = await this.reading.resolve(project, params.to, 'Ref');
    const { commits, files, isCut } = await compare(repository.path, from, to, { straight, unidiff });
    const webBase = this.links.project(project.fullPath);
    const records = commits.map((commit) => presentCommit(commit, webBase));
    return {
      commit: records.at(-1) ?? null,
      commits: records,
      diffs: files,
      compare_timeout: isCut,
      compare_same_ref: from === to,
      web_url: `${webBase}/-/compare/${from}${straight ? '..' : '...'}${to}`,
    };
  }

  @Get('merge_base')
  @Access(REPOSITORY_READ)
  @Returns(CommitRecord)
  async mergeBase(
    @CurrentProject() project: ProjectSubject,
    @Params() { refs }: FindMergeBaseParams,
  ): Promise<CommitRecord> {
    if (refs.length < 2) throw badRequest('Provide at least 2 refs');
    const repository = await this.reading.open(project);
    const ids = repository ? await resolveCommits(repository.path, refs) : refs.map(() => null);
    const unknown = refs.filter((_ref, index) => ids[index] === null);
    if (unknown.length > 0 || !repository)
      throw badRequest(`Could not find ref${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`);
    const id = await findMergeBase(repository.path, ids as string[]);
    const commit = id === null ? null : await findCommit(repository.path, id);
    if (!commit) throw notFound('Merge Base');
    return presentCommit(commit, this.links.project(project.fullPath));
  }

  @Get('contributors')
  @Access(REPOSITORY_READ)
  @ReturnsList(ContributorRecord)
  async contributors(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListContributorsParams,
    @Paged() page: Page,
  ): Promise<ContributorRecord[]> {
    const { repository, id } = await this.reading.resolveOrDefault(project, params.ref, 'Repository');
    return page.slice(sortContributors(await readContributors(repository.path, id), params));
  }
}
