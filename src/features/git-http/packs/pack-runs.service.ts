import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { PoolBusy } from '#kernel/processes/fair-pool.js';
import { inGitSlot, type GitSlot } from '#core/repositories/git/processes/spawn-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { TEXTS } from '../access/git-texts.js';
import { unavailable } from '../git-answer.js';

/** Time for running packs when a process stops; clients retry elsewhere. */
const FAREWELL_MS = 15_000;

/** Packs being sent or received by this process. */
@Injectable()
export class PackRunsService implements BeforeApplicationShutdown {
  private readonly responses = new Set<Response>();

  /** Runs `work` in a git slot; not for a client that left while waiting. @throws 503 */
  run(repository: OpenRepository, response: Response, work: (slot: GitSlot) => Promise<void>): Promise<void> {
    return this.follow(response, async () => {
      await this.inSlot(repository, response, work);
    });
  }

  /** Runs `work`; cuts the response off when this process must stop. */
  async follow(response: Response, work: () => Promise<void>): Promise<void> {
    this.responses.add(response);
    try {
      await work();
    } finally {
      this.responses.delete(response);
    }
  }

  /**
   * Like `run`, for a response that is already tracked: returns the result of `work`, or null if the client
   * has left. @throws 503
   */
  async inSlot<T>(
    repository: OpenRepository,
    response: Response,
    work: (slot: GitSlot) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await inGitSlot('pack', repository.path, async (slot) =>
        response.destroyed ? null : work(slot),
      );
    } catch (error) {
      throw error instanceof PoolBusy ? unavailable(TEXTS.busy, 10) : error;
    }
  }

  beforeApplicationShutdown(): void {
    const end = (): void => this.responses.forEach((response) => response.destroy());
    setTimeout(end, FAREWELL_MS).unref();
  }
}
