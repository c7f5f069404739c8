import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type ProjectCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Deprecated } from '#kernel/http/answers/deprecation.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { NO_DIFF, readDiff } from '#core/repositories/commits/diff/read-diff.js';
import { MergeRequestDetailPresenter } from '../../records/merge-request-detail.presenter.js';
import { MERGE_REQUEST_READ } from '../../merge-request.access.js';
import { MergeRequestChangesRecord } from './merge-request-changes.record.js';
import { MergeRequestCodeFinder } from './merge-request-code.finder.js';
import { ShowMergeRequestChangesParams } from './merge-request-code.params.js';
import { orCommitNotFound } from './missing-commits.js';

/** A merge request together with its changes, as in v4. */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid')
export class MergeRequestChangesController {
  constructor(
    private readonly details: MergeRequestDetailPresenter,
    private readonly reading: MergeRequestCodeFinder,
  ) {}

  @Get('changes')
  @Access(MERGE_REQUEST_READ)
  @Deprecated({ since: '2022-11-22', sunset: '2028-05-22' })
  @Returns(MergeRequestChangesRecord)
  async changes(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: ShowMergeRequestChangesParams,
  ): Promise<MergeRequestChangesRecord> {
    const { merge_request_iid: iid, unidiff } = params;
    const code = await this.reading.open(project, caller, iid);
    const [record, diff] = await Promise.all([
      this.details.record(caller, { merge_request_iid: iid }),
      code ? orCommitNotFound(readDiff(code.path, code.from, code.to, unidiff, code.env)) : NO_DIFF,
    ]);
    return Object.assign(record, { changes: diff.files, overflow: diff.isCut });
  }
}
