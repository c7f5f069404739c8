import { Readable } from 'node:stream';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { sendFile, type FileBody } from '#kernel/http/answers/file-answer.js';
import { ReturnsFile } from '#kernel/http/answers/returns.js';
import { streamGit } from '#core/repositories/git/stream-git.js';
import { MERGE_REQUEST_READ } from '../../merge-request.access.js';
import { FindMergeRequestCodeParams } from '../merging/merging.params.js';
import { MergeRequestCodeFinder } from './merge-request-code.finder.js';
import { orCommitNotFound } from './missing-commits.js';

/** Larger than any useful patch; the response is cut off there. */
const MAX_BYTES = 1024 ** 3;

const ARGS = ['diff-tree', '-r', '-M', '-p', '--no-ext-diff', '--no-textconv'];

/** The changes of a merge request in git's formats, for programs that apply or show patches. */
@Controller('api/v4/projects/:id/merge_requests/:merge_request_iid')
export class MergeRequestRawDiffsController {
  constructor(private readonly reading: MergeRequestCodeFinder) {}

  @Get('raw_diffs')
  @Access(MERGE_REQUEST_READ)
  @ReturnsFile('The patch', { type: 'text/plain' })
  async rawDiffs(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestCodeParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const code = await this.reading.open(project, caller, iid);
    return sendFile(response, {
      name: `${project.path}-${iid}.diff`,
      type: 'text/plain; charset=utf-8',
      open: async () =>
        code
          ? orCommitNotFound(
              streamGit(code.path, [...ARGS, code.from, code.to, '--'], {
                env: code.env,
                maxBytes: MAX_BYTES,
              }),
            )
          : Readable.from([]),
    });
  }
}
