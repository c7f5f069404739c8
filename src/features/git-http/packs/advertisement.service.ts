import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { logger } from '#kernel/log/logger.js';
import { spawnGit } from '#core/repositories/git/git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import type { GitService } from '../access/git-access.js';
import { TEXTS } from '../access/git-texts.js';
import { beginAnswer, Unavailable } from '../git-answer.js';
import { COMMANDS, packet, protocolOf } from './git-command.js';
import { GitLimits } from './git-limits.js';
import { PackSlots } from './pack-slots.js';

/** Larger than the capabilities of any version of git. */
const MAX_KEPT = 4_096;

/** Answers what a repository has and can: the first step of everything that clients do. */
@Injectable()
export class Advertisement {
  private readonly slots: PackSlots;
  /** What git can in protocol 2 says nothing of a repository, and all of ours are served by one git with the same settings. */
  private capabilities: Buffer | null = null;

  constructor(private readonly limits: GitLimits) {
    this.slots = new PackSlots(limits);
  }

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
    const release = await this.slots.take(String(repository.id));
    try {
      const kept = await this.run(response, service, repository.path, env, () => {
        beginAnswer(response, type);
        response.write(Buffer.concat([head, FLUSH]));
      });
      if (isStatic && kept.length < MAX_KEPT) this.capabilities = kept;
    } finally {
      release();
    }
  }

  /** Streams what git says, which is as long as there are refs; returns the beginning of it. */
  private run(
    response: Response,
    service: GitService,
    path: string,
    env: Readonly<Record<string, string>>,
    begin: () => void,
  ): Promise<Buffer> {
    const args = [COMMANDS[service], '--stateless-rpc', '--http-backend-info-refs', path];
    const child = spawnGit(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const giveUp = (): void => {
      if (response.headersSent) response.destroy();
      else child.kill('SIGKILL');
    };
    const timer = setTimeout(giveUp, this.limits.idleMs);
    const onGone = (): void => {
      child.kill('SIGKILL');
      // Only a stream that is read tells of its end.
      child.stdout?.resume();
    };
    response.once('close', onGone);
    // Whoever left while waiting for a place does not leave again.
    if (response.destroyed) onGone();
    const kept: Buffer[] = [];
    let size = 0;
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text.slice(0, MAX_KEPT)));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (response.destroyed) return;
      if (!response.headersSent) begin();
      size += chunk.length;
      if (size < MAX_KEPT) kept.push(chunk);
      if (response.write(chunk)) return;
      child.stdout?.pause();
      response.once('drain', () => child.stdout?.resume());
    });
    return new Promise<Buffer>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) {
          // What nobody listened to may not be all of it.
          const isWhole = !response.destroyed && size < MAX_KEPT;
          response.end();
          resolve(isWhole ? Buffer.concat(kept) : Buffer.alloc(MAX_KEPT));
          return;
        }
        if (!response.destroyed) logger.error({ code, stderr }, 'git did not advertise a repository');
        reject(Unavailable(TEXTS.unavailable));
      });
    }).finally(() => {
      clearTimeout(timer);
      response.off('close', onGone);
    });
  }
}

const FLUSH = Buffer.from('0000', 'latin1');
