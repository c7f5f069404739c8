import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable, type Duplex } from 'node:stream';
import type { TakenBody } from '#kernel/http/bodies/taken-body.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { spawnGit, type GitSlot } from '#core/repositories/git/processes/spawn-git.js';
import { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
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
import type { PushingUser } from './pusher-for.js';
import { PushRun, type PushServices } from './push-run.js';
import { wordsAfter } from './push-texts.js';
import { readSmallPush } from './small/read-small-push.js';
import { smallAnswer } from './small/small-answer.js';

const TYPE = 'application/x-git-receive-pack-result';
const MEBIBYTE = 1024 * 1024;
const BYTES = { objectMode: false };

/** New loose objects are flushed by this service, all at once before the push is accepted. */
const FLUSHED = ['-c', 'core.fsync=pack,pack-metadata,reference'];

/** A push up to this size is short, and blocks no other push. For longer ones clients do not send the length. */
const SHORT_BYTES = MEBIBYTE;

const isShort = ({ headers }: Request): boolean => Number(headers['content-length']) <= SHORT_BYTES;

/** Bytes held in memory: a body up to this may be a push that needs no `receive-pack`. */
const SMALL_BYTES = 256 * 1024;

const isHeld = ({ headers }: Request): boolean =>
  Number(headers['content-length']) <= SMALL_BYTES && headers['content-encoding'] === undefined;

/** A push request. */
interface Reception {
  readonly request: Request;
  readonly response: Response;
  readonly repository: OpenRepository;
  readonly user: PushingUser;
  readonly notice: string | null;
  /** Limit of the pack, in bytes. */
  readonly maxInput: number;
  /** Bytes read from the body: a small one completely, of others the part before the pack. */
  readonly start: Buffer;
}

/** Receives pushes. */
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
   * Streams the complete response, which ends when all effects of the push are visible; `notice` is shown to
   * the user.
   * @throws 400, 413, 415, 503 before anything was sent
   */
  async serve(
    request: Request,
    response: Response,
    repository: OpenRepository,
    user: PushingUser,
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
      this.runs.run(repository, response, async (slot) => {
        input.refuseBroken();
        const reception = { request, response, repository, user, notice, maxInput, start };
        if (isWhole && (await this.takeSmall(reception))) return;
        await this.runGit(reception, slot, Readable.from(isWhole ? [start] : joined(start, input), BYTES));
      }),
    );
  }

  /** Receives a push without `receive-pack`; false, without any change, if that is needed. */
  private async takeSmall(reception: Reception): Promise<boolean> {
    const { response, repository, user, notice, maxInput, start } = reception;
    const push = readSmallPush(start);
    const end = push && (await this.small.take(repository, await user.now(), push, maxInput));
    if (!push || !end) return false;
    beginAnswer(response, TYPE);
    response.end(smallAnswer(push, end, wordsAfter(repository, notice, push.pushOptions), repository.path));
    return true;
  }

  private async runGit(reception: Reception, slot: GitSlot, input: Readable): Promise<void> {
    const { response, repository, user, notice } = reception;
    const id = await this.running.begin(repository, user.id);
    const push = new PushRun(this.services, repository, user, id, notice);
    const end = await this.receive(push, reception, slot, input);
    await finishAnswer(response, end, repository.path, TYPE);
  }

  /** Runs git; the push has ended afterwards, with any result. */
  private async receive(
    push: PushRun,
    { request, response, repository: { path }, start, maxInput }: Reception,
    slot: GitSlot,
    input: Readable,
  ): Promise<PackEnd> {
    try {
      const limit = ['-c', `receive.maxInputSize=${maxInput}`];
      const child = spawnGit(slot, [...limit, ...FLUSHED, 'receive-pack', '--stateless-rpc', path], {
        env: protocolOf(request),
        isShort: isShort(request),
        stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      });
      const [, , , questions, answers] = child.stdio;
      new HookChannel(questions as Readable, answers as Duplex, push.onProposed).open();
      // Nothing is sent on it, but only a stream that is read reports its end.
      (answers as Duplex).resume();
      const hide = hidePath(path);
      const report = new PushReport(start);
      const end = await streamPack({
        child,
        slot,
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

  /** Limit of bytes of a pack. */
  private maxInput({ ownerType }: OpenRepository): number {
    const most = this.settings.values.receive_max_input_size * MEBIBYTE;
    return ownerType === 'Snippet' ? Math.min(most, this.limits.snippetBytes) : most;
  }
}

/** Yields a partly read body from its start. */
async function* joined(start: Buffer, rest: TakenBody): AsyncGenerator<Buffer> {
  yield start;
  yield* rest as AsyncIterable<Buffer>;
}
