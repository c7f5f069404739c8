import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable, type Duplex } from 'node:stream';
import type { TakenBody } from '#kernel/http/bodies/taken-body.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { spawnGit, type GitPlace } from '#core/repositories/git/processes/spawn-git.js';
import { PushCompletion } from '#core/repositories/pushes/recovery/push-completion.js';
import { PushRules } from '#core/repositories/pushes/push-rules.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import { RunningPushes } from '#core/repositories/pushes/running-pushes.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { commandsOfPush, withStart } from '../packs/body-start.js';
import { finishAnswer } from '../packs/finish-answer.js';
import { protocolOf } from '../packs/git-command.js';
import { GitLimits } from '../packs/git-limits.js';
import { PackRuns } from '../packs/pack-runs.js';
import { streamPack, type PackEnd } from '../packs/pack-stream.js';
import { requestBody } from '../packs/request-body.js';
import { HookChannel } from './hook-channel.js';
import { hidePath } from './hide-path.js';
import { PushReport } from './push-report.js';
import { PushRun, type PushServices } from './push-run.js';

const TYPE = 'application/x-git-receive-pack-result';
const MEBIBYTE = 1024 * 1024;

/** Of the new objects those in files of their own are left to us: we flush them all at a time before the push is accepted. */
const FLUSHED = ['-c', 'core.fsync=pack,pack-metadata,reference'];

/** A push of so few bytes is over at once, and keeps nobody waiting. Clients do not say the length of longer ones. */
const SHORT_BYTES = MEBIBYTE;

const isShort = ({ headers }: Request): boolean => Number(headers['content-length']) <= SHORT_BYTES;

/** What git needs to take in one push. */
interface Reception {
  readonly request: Request;
  readonly response: Response;
  readonly repository: OpenRepository;
  readonly input: Readable;
  /** Of it what comes before the pack. */
  readonly commands: Buffer;
  readonly maxInput: number;
  readonly place: GitPlace;
}

/** Takes pushes in. */
@Injectable()
export class PushService {
  private readonly services: PushServices;

  constructor(
    private readonly runs: PackRuns,
    private readonly limits: GitLimits,
    private readonly settings: SettingsService,
    rules: PushRules,
    private readonly running: RunningPushes,
    completion: PushCompletion,
  ) {
    this.services = { rules, running, completion };
  }

  /**
   * Streams the whole answer, which ends once everything that the push causes can be seen; `notice` is shown to the user.
   * @throws 400, 413, 415, 503 while nothing has been answered
   */
  async serve(
    request: Request,
    response: Response,
    repository: OpenRepository,
    pusher: Pusher,
    notice: string | null,
  ): Promise<void> {
    const maxInput = this.maxInput(repository);
    const input = requestBody(request, 'application/x-git-receive-pack-request', {
      total: maxInput + 2 * this.limits.commandBytes,
      packets: this.limits.commandBytes,
      idleMs: this.limits.bodyIdleMs,
    });
    await withStart(input, response, commandsOfPush(), (commands) =>
      this.runs.run(repository, response, async (place) => {
        input.refuseBroken();
        const id = await this.running.begin(repository, pusher.userId);
        const push = new PushRun(this.services, repository, pusher, id, notice);
        const end = await this.receive(push, {
          ...{ request, response, repository, maxInput, place, commands },
          input: Readable.from(joined(commands, input), { objectMode: false }),
        });
        await finishAnswer(response, end, repository.path, TYPE);
      }),
    );
  }

  /** Runs git; whatever became of it, the push is over then. */
  private async receive(
    push: PushRun,
    { request, response, repository: { path }, input, commands, maxInput, place }: Reception,
  ): Promise<PackEnd> {
    try {
      const limit = ['-c', `receive.maxInputSize=${maxInput}`];
      const child = spawnGit(place, [...limit, ...FLUSHED, 'receive-pack', '--stateless-rpc', path], {
        env: protocolOf(request),
        isShort: isShort(request),
        stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      });
      const [, , , questions, answers] = child.stdio;
      new HookChannel(questions as Readable, answers as Duplex, push.onProposed).open();
      // Nobody speaks on it, but only a stream that is read tells of its end.
      (answers as Duplex).resume();
      const hide = hidePath(path);
      const report = new PushReport(commands);
      const end = await streamPack({
        child,
        input,
        response,
        contentType: TYPE,
        limits: this.limits,
        rewrite: (chunk) => report.take(hide(chunk)),
        tidiesUp: true,
        mustFinish: () => push.isAccepted,
      });
      const words = await push.end(end.code === 0 ? report.changed() : null);
      if (!response.destroyed && response.headersSent) response.write(report.release(words));
      return end;
    } finally {
      await push.end(null);
    }
  }

  /** Bytes of a pack. */
  private maxInput({ ownerType }: OpenRepository): number {
    const most = this.settings.values.receive_max_input_size * MEBIBYTE;
    return ownerType === 'Snippet' ? Math.min(most, this.limits.snippetBytes) : most;
  }
}

/** A body from its beginning on, which has been read already. */
async function* joined(start: Buffer, rest: TakenBody): AsyncGenerator<Buffer> {
  yield start;
  yield* rest as AsyncIterable<Buffer>;
}
