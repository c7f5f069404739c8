import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { spawnGit, type GitSlot } from '#core/repositories/git/processes/spawn-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { wholeBody, withStart } from './body-start.js';
import { finishAnswer } from './finish-answer.js';
import { protocolOf } from './git-command.js';
import { GitLimit } from './git.limit.js';
import { insertNotice } from './notice.js';
import { PackRunsService } from './pack-runs.service.js';
import { streamPack } from './pack-stream.js';
import { requestBody } from './request-body.js';
import { sameFetch } from './shared/same-fetch.js';
import { sendPack } from './shared/send-pack.js';
import { SharedPacksService, type Joined } from './shared/shared-packs.service.js';

const TYPE = 'application/x-git-upload-pack-result';

/** A request that was read completely. */
interface Fetch {
  readonly protocol: Readonly<Record<string, string>>;
  readonly negotiation: Buffer;
  readonly response: Response;
  readonly repository: OpenRepository;
  readonly notice: string | null;
}

/** Serves clones and fetches. */
@Injectable()
export class FetchService {
  constructor(
    private readonly runs: PackRunsService,
    private readonly limits: GitLimit,
    private readonly packs: SharedPacksService,
  ) {}

  /**
   * Streams the complete response; `notice` is shown to the user, `confirm` checks their rights once the request
   * is complete. @throws 400, 413, 415, 503 before anything was sent, and the errors of `confirm`
   */
  serve(
    request: Request,
    response: Response,
    repository: OpenRepository,
    notice: string | null,
    confirm: () => Promise<unknown>,
  ): Promise<void> {
    const { fetchBytes, bodyIdleMs: idleMs } = this.limits;
    const input = requestBody(request, 'application/x-git-upload-pack-request', {
      total: fetchBytes,
      packets: fetchBytes,
      idleMs,
    });
    // Read the request completely first: a process never waits for its client to send it.
    return withStart(input, response, wholeBody(), async (negotiation) => {
      await confirm();
      const protocol = protocolOf(request);
      const fetch = { protocol, negotiation, response, repository, notice };
      const key = this.packs.isOn ? await sameFetch(repository.path, protocol, negotiation) : null;
      if (key === null) await this.alone(fetch);
      else await this.runs.follow(response, () => this.together(key, fetch));
    });
  }

  /** Serves equal concurrent requests with the same bytes. */
  private async together(key: string, fetch: Fetch): Promise<void> {
    const joined = this.packs.join(key);
    if (joined) {
      await this.send(joined, fetch);
      return;
    }
    const begun = await this.runs.inSlot(fetch.repository, fetch.response, async (slot) => {
      // Another request may have started it while this one waited.
      const late = this.packs.join(key);
      const own = late ?? this.packs.begin(key, { child: start(slot, fetch), slot }, fetch.negotiation);
      const sending = this.send(own, fetch);
      // Errors are handled below.
      sending.catch(() => undefined);
      // Hold the slot while git runs, not while clients read.
      if (!late) await own.pack.over;
      return { sending };
    });
    await begun?.sending;
  }

  private async send({ pack, reader }: Joined, { response, repository, notice }: Fetch): Promise<void> {
    await sendPack(pack, reader, {
      response,
      contentType: TYPE,
      limits: this.limits,
      rewrite: notice === null ? undefined : insertNotice(notice),
    });
    await finishAnswer(response, pack.result, repository.path, TYPE);
  }

  private alone(fetch: Fetch): Promise<void> {
    const { negotiation, response, repository, notice } = fetch;
    return this.runs.run(repository, response, async (slot) => {
      const end = await streamPack({
        child: start(slot, fetch),
        slot,
        input: Readable.from([negotiation]),
        response,
        contentType: TYPE,
        limits: this.limits,
        rewrite: notice === null ? undefined : insertNotice(notice),
      });
      await finishAnswer(response, end, repository.path, TYPE);
    });
  }
}

const start = (slot: GitSlot, { repository, protocol }: Fetch): ChildProcess =>
  spawnGit(slot, ['upload-pack', '--stateless-rpc', '--strict', repository.path], { env: protocol });
