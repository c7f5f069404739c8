import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { CommitRecord, presentCommit } from '#core/repositories/commits/commit.record.js';
import { DiffRecord } from '#core/repositories/commits/diff/diff.record.js';
import { readDiff } from '#core/repositories/commits/diff/read-diff.js';
import { MERGE_REQUEST_READ } from '../../merge-request.access.js';
import { FindMergeRequestCodeParams } from '../merging/merging.params.js';
import { FindMergeRequestVersionParams, ShowMergeRequestDiffsParams } from './merge-request-code.params.js';
import { MergeRequestCodeFinder } from './merge-request-code.finder.js';
import { commitsOf, countCommitsOf, newestOf } from './merge-request-commits.js';
import {
  MergeRequestVersionDetailRecord,
  MergeRequestVersionRecord,
  presentVersion,
} from './merge-request-version.record.js';
import { orCommitNotFound } from './missing-commits.js';
import { MergeRequestVersionsQueries } from './merge-request-versions.queries.js';

/** Commits, changes and versions of a merge request. */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid')
export class MergeRequestDiffsController {
  constructor(
    private readonly reading: MergeRequestCodeFinder,
    private readonly versions: MergeRequestVersionsQueries,
    private readonly links: Links,
  ) {}

  @Get('diffs')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(DiffRecord)
  async diffs(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid, unidiff }: ShowMergeRequestDiffsParams,
    @Paged() page: Page,
  ): Promise<DiffRecord[]> {
    const code = await this.reading.open(project, caller, iid);
    if (!code) return page.slice<DiffRecord>([]);
    const { files } = await orCommitNotFound(readDiff(code.path, code.from, code.to, unidiff, code.env));
    return page.slice(files);
  }

  @Get('commits')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(CommitRecord)
  async commits(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestCodeParams,
    @Paged() page: Page,
  ): Promise<CommitRecord[]> {
    const code = await this.reading.open(project, caller, iid);
    const commits = await page.from('Commit', async (limit, offset) => ({
      rows: code ? await orCommitNotFound(commitsOf(code, limit, offset)) : [],
      total: (horizon) => (code ? orCommitNotFound(countCommitsOf(code, horizon)) : Promise.resolve(0)),
    }));
    const webBase = this.links.project(project.fullPath);
    return commits.map((commit) => presentCommit(commit, webBase));
  }

  @Get('versions')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(MergeRequestVersionRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestCodeParams,
    @Paged() page: Page,
  ): Promise<MergeRequestVersionRecord[]> {
    const id = await this.reading.find(project, caller, iid);
    return (await page.load(this.versions.list(id))).map(presentVersion);
  }

  @Get('versions/:version_id')
  @Access(MERGE_REQUEST_READ)
  @Returns(MergeRequestVersionDetailRecord)
  async version(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid, version_id: versionId, unidiff }: FindMergeRequestVersionParams,
  ): Promise<MergeRequestVersionDetailRecord> {
    const code = await this.reading.openVersion(project, caller, iid, versionId);
    if (!code) throw notFound('Merge Request Version');
    const [version, commits, { files }] = await Promise.all([
      this.versions.find(versionId),
      orCommitNotFound(newestOf(code)),
      orCommitNotFound(readDiff(code.path, code.from, code.to, unidiff, code.env)),
    ]);
    const webBase = this.links.project(project.fullPath);
    return Object.assign(presentVersion(version), {
      commits: commits.map((commit) => presentCommit(commit, webBase)),
      diffs: files,
    });
  }
}
