import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { PoolBusy } from '#kernel/processes/fair-pool.js';
import { LARGE_BYTES } from '#kernel/http/answers/large-answers.js';
import { logger } from '#kernel/log/logger.js';
import { RepositoryDamaged } from '#core/repositories/git/damage/repository-damaged.js';
import { git } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { streamGit } from '#core/repositories/git/stream-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import type { GitService } from '../access/git-access.policy.js';
import { TEXTS } from '../access/git-texts.js';
import { beginAnswer, unavailable } from '../git-answer.js';
import { PushAdvertisement } from '../push/push-advertisement.js';
import { COMMANDS, packet, protocolOf } from './git-command.js';

/** Larger than the capabilities of any version of git. */
const MAX_KEPT = 4_096;

/** Responses up to this are read completely: a short call costs less than a stream. */
const MAX_SHORT = LARGE_BYTES;
/** Limit of remembered repositories with longer responses. */
const MAX_LONG = 1_000;

/** Advertises refs and capabilities, the first step of all clients. */
@Injectable()
export class AdvertisementService {
  /**
   * Capabilities in protocol 2 do not depend on the repository: all of them are served by the same git with
   * the same settings.
   */
  private capabilities: Buffer | null = null;
  private readonly long = new LRUCache<string, true>({ max: MAX_LONG });
  private readonly forPushes = new PushAdvertisement();

  /** Sends the complete response. @throws 503 */
  async send(
    request: Request,
    response: Response,
    service: GitService,
    repository: OpenRepository,
  ): Promise<void> {
    const env = protocolOf(request);
    const isStatic = service === 'pull' && env['GIT_PROTOCOL'] === 'version=2';
    const head = packet(`# service=git-${COMMANDS[service]}\n`);
    const type = `application/x-git-${COMMANDS[service]}-advertisement`;
    if (isStatic && this.capabilities) {
      beginAnswer(response, type);
      response.end(Buffer.concat([head, FLUSH, this.capabilities]));
      return;
    }
    const args = [COMMANDS[service], '--stateless-rpc', '--http-backend-info-refs', repository.path];
    const isForPush = service === 'push' && env['GIT_PROTOCOL'] !== 'version=1';
    const known = isForPush ? await this.forPushes.of(repository.path) : null;
    const short = known ?? (await this.short(response, repository.path, args, env));
    if (short) {
      beginAnswer(response, type);
      response.end(Buffer.concat([head, FLUSH, short]));
    } else {
      await this.stream(response, repository.path, args, env, () => {
        beginAnswer(response, type);
        response.write(Buffer.concat([head, FLUSH]));
      });
    }
    if (isStatic && short && short.length < MAX_KEPT) this.capabilities = short;
    if (isForPush && short && !known) this.forPushes.learn(short);
  }

  /** Returns the complete output of git, by the starter; null if it is long. */
  private async short(
    response: Response,
    path: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Buffer | null> {
    if (this.long.has(path)) return null;
    try {
      return await git(path, args, { env, maxBytes: MAX_SHORT, kind: 'stream' });
    } catch (error) {
      if (!(error instanceof GitFailure) || error.reason !== 'too-large') throw refusalOf(error, response);
      this.long.set(path, true);
      return null;
    }
  }

  /** Streams the output of git, whose length depends on the number of refs. */
  private async stream(
    response: Response,
    path: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    begin: () => void,
  ): Promise<void> {
    const stream = await streamGit(path, args, { env }).catch((error: unknown) => {
      throw refusalOf(error, response);
    });
    begin();
    await pipeline(stream, response);
  }
}

/** Returns the error to send instead. */
function refusalOf(error: unknown, response: Response): Error {
  if (error instanceof PoolBusy) return unavailable(TEXTS.busy, 10);
  if (error instanceof RepositoryDamaged) return error;
  if (!response.destroyed) logger.error({ error }, 'git did not advertise a repository');
  return unavailable(TEXTS.unavailable);
}

const FLUSH = Buffer.from('0000', 'latin1');
