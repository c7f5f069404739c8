import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import { PoolBusy } from '#kernel/processes/fair-pool.js';
import { logger } from '#kernel/log/logger.js';
import { RepositoryDamaged } from '#core/repositories/git/damage/repository-damaged.js';
import { streamGit } from '#core/repositories/git/stream-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import type { GitService } from '../access/git-access.js';
import { TEXTS } from '../access/git-texts.js';
import { beginAnswer, Unavailable } from '../git-answer.js';
import { COMMANDS, packet, protocolOf } from './git-command.js';

/** Larger than the capabilities of any version of git. */
const MAX_KEPT = 4_096;

/** Answers what a repository has and can: the first step of everything that clients do. */
@Injectable()
export class Advertisement {
  /** What git can in protocol 2 says nothing of a repository, and all of ours are served by one git with the same settings. */
  private capabilities: Buffer | null = null;

  /** Writes the whole answer. @throws 503 */
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
    const kept = await this.run(response, service, repository.path, env, () => {
      beginAnswer(response, type);
      response.write(Buffer.concat([head, FLUSH]));
    });
    if (isStatic && kept) this.capabilities = kept;
  }

  /** Streams what git says, which is as long as there are refs; returns it where it is short. */
  private async run(
    response: Response,
    service: GitService,
    path: string,
    env: Readonly<Record<string, string>>,
    begin: () => void,
  ): Promise<Buffer | null> {
    const args = [COMMANDS[service], '--stateless-rpc', '--http-backend-info-refs', path];
    const stream = await streamGit(path, args, { env }).catch((error: unknown) => {
      if (error instanceof PoolBusy) throw Unavailable(TEXTS.busy, 10);
      if (error instanceof RepositoryDamaged) throw error;
      if (!response.destroyed) logger.error({ error }, 'git did not advertise a repository');
      throw Unavailable(TEXTS.unavailable);
    });
    begin();
    const kept: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size < MAX_KEPT) kept.push(chunk);
    });
    await pipeline(stream, response);
    return size < MAX_KEPT ? Buffer.concat(kept) : null;
  }
}

const FLUSH = Buffer.from('0000', 'latin1');
