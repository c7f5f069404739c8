import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { spawnGit } from '#core/repositories/git/processes/spawn-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { wholeBody, withStart } from './body-start.js';
import { finishAnswer } from './finish-answer.js';
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
  serve(
    request: Request,
    response: Response,
    repository: OpenRepository,
    notice: string | null,
  ): Promise<void> {
    const { fetchBytes, bodyIdleMs: idleMs } = this.limits;
    const input = requestBody(request, 'application/x-git-upload-pack-request', {
      total: fetchBytes,
      packets: fetchBytes,
      idleMs,
    });
    // What is asked for is read whole first: a process never waits for its client to say it.
    return withStart(input, response, wholeBody(), (negotiation) =>
      this.runs.run(repository, response, async (place) => {
        const args = ['upload-pack', '--stateless-rpc', '--strict', repository.path];
        const end = await streamPack({
          child: spawnGit(place, args, { env: protocolOf(request) }),
          input: Readable.from([negotiation]),
          response,
          contentType: 'application/x-git-upload-pack-result',
          limits: this.limits,
          rewrite: notice === null ? undefined : insertNotice(notice),
        });
        await finishAnswer(response, end, repository.path, 'application/x-git-upload-pack-result');
      }),
    );
  }
}
