import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { spawnGit } from '#core/repositories/git/git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { finishAnswer } from './finish-answer.js';
import { firstBytes } from './first-bytes.js';
import { protocolOf } from './git-command.js';
import { GitLimits } from './git-limits.js';
import { insertNotice } from './notice.js';
import { PackRuns } from './pack-runs.js';
import { streamPack } from './pack-stream.js';
import { requestBody } from './request-body.js';

/** Serves clones and fetches. */
@Injectable()
export class FetchService {
  constructor(
    private readonly runs: PackRuns,
    private readonly limits: GitLimits,
  ) {}

  /** Streams the whole answer; `notice` is shown to the user. @throws 400, 413, 415, 503 while nothing has been answered */
  async serve(
    request: Request,
    response: Response,
    repository: OpenRepository,
    notice: string | null,
  ): Promise<void> {
    const { fetchBytes, idleMs } = this.limits;
    const input = requestBody(request, 'application/x-git-upload-pack-request', {
      total: fetchBytes,
      packets: fetchBytes,
      idleMs,
    });
    if (!(await firstBytes(input, response, idleMs))) return;
    await this.runs.run(repository, response, async () => {
      input.refuseBroken();
      const args = ['upload-pack', '--stateless-rpc', '--strict', repository.path];
      const child = spawnGit(repository.path, args, { env: protocolOf(request) });
      const end = await streamPack({
        child,
        input,
        response,
        contentType: 'application/x-git-upload-pack-result',
        limits: this.limits,
        rewrite: notice === null ? undefined : insertNotice(notice),
      });
      await finishAnswer(response, end, repository.path, 'application/x-git-upload-pack-result');
    });
  }
}
