import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable, type Duplex } from 'node:stream';
import type { TakenBody } from '#kernel/http/bodies/taken-body.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { spawnGit, type GitPlace } from '#core/repositories/git/processes/spawn-git.js';
import { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { SmallPushesService } from '#core/repositories/pushes/small/small-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { beginAnswer } from '../git-answer.js';
import { commandsOfPush, wholeBody, withStart } from '../packs/body-start.js';
import { finishAnswer } from '../packs/finish-answer.js';
import { protocolOf } from '../packs/git-command.js';
import { GitLimit } from '../packs/git.limit.js';
import { PackRunsService } from '../packs/pack-runs.service.js';
import { streamPack, type PackEnd } from '../packs/pack-stream.js';
import { requestBody } from '../packs/request-body.js';
import { HookChannel } from './hook-channel.js';
import { hidePath } from './hide-path.js';
import { PushReport } from './push-report.js';
import { PushRun, type PushServices } from './push-run.js';
import { wordsAfter } from './push-words.js';
import { readSmallPush } from './small/read-small-push.js';
import { smallAnswer } from './small/small-answer.js';

const TYPE = 'application/x-git-receive-pack-result';
const MEBIBYTE = 1024 * 1024;
const BYTES = { objectMode: false };

/** Of the new objects those in files of their own are left to us: we flush them all at a time before the push is accepted. */
const FLUSHED = ['-c', 'core.fsync=pack,pack-metadata,reference'];

/** A push of so few bytes is over at once, and keeps nobody waiting. Clients do not say the length of longer ones. */
const SHORT_BYTES = MEBIBYTE;

const isShort = ({ headers }: Request): boolean => Number(headers['content-length']) <= SHORT_BYTES;

/** So many bytes are held in memory: what comes with them may be a push that needs no `receive-pack`. */
const SMALL_BYTES = 256 * 1024;

const isHeld = ({ headers }: Request): boolean =>
  Number(headers['content-length']) <= SMALL_BYTES && headers['content-encoding'] === undefined;

/** One push, as it was asked for. */
interface Reception {
  readonly request: Request;
  readonly response: Response;
  readonly repository: OpenRepository;
  readonly pusher: Pusher;
  readonly notice: string | null;
  /** Of the pack, in bytes. */
  readonly maxInput: number;
  /** What has been read of the body: all of a small one, of others what comes before the pack. */
  readonly start: Buffer;
}

/** Takes pushes in. */
@Injectable()
export class PushService {
  private readonly services: PushServices;

  constructor(
    private readonly runs: PackRunsService,
    private readonly limits: GitLimit,
    private readonly settings: SettingsService,
    rules: PushRulesRegistry,
    private readonly running: RunningPushesService,
    completion: PushCompletionService,
    private readonly small: SmallPushesService,
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
    const isWhole = isHeld(request);
    await withStart(input, response, isWhole ? wholeBody() : commandsOfPush(), (start) =>
      this.runs.run(repository, response, async (place) => {
        input.refuseBroken();
        const reception = { request, response, repository, pusher, notice, maxInput, start };
        if (isWhole && (await this.takeSmall(reception))) return;
        await this.runGit(reception, place, Readable.from(isWhole ? [start] : joined(start, input), BYTES));
      }),
    );
  }

  /** Takes in a push without git's own command for it; false, and nothing has happened, where it is one for that. */
  private async takeSmall(reception: Reception): Promise<boolean> {
    const { response, repository, pusher, notice, maxInput, start } = reception;
    const push = readSmallPush(start);
    const end = push && (await this.small.take(repository, pusher, push, maxInput));
    if (!push || !end) return false;
    beginAnswer(response, TYPE);
    response.end(smallAnswer(push, end, wordsAfter(repository, notice, push.pushOptions), repository.path));
    return true;
  }

  private async runGit(reception: Reception, place: GitPlace, input: Readable): Promise<void> {
    const { response, repository, pusher, notice } = reception;
    const id = await this.running.begin(repository, pusher.userId);
    const push = new PushRun(this.services, repository, pusher, id, notice);
    const end = await this.receive(push, reception, place, input);
    await finishAnswer(response, end, repository.path, TYPE);
  }

  /** Runs git; whatever became of it, the push is over then. */
  private async receive(
    push: PushRun,
    { request, response, repository: { path }, start, maxInput }: Reception,
    place: GitPlace,
    input: Readable,
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
      const report = new PushReport(start);
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
