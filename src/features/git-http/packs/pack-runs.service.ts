import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { PoolBusy } from '#kernel/processes/fair-pool.js';
import { inGitPlace, type GitPlace } from '#core/repositories/git/processes/spawn-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { TEXTS } from '../access/git-texts.js';
import { unavailable } from '../git-answer.js';

/** A process that stops lets packs go on for so long; clients begin anew elsewhere. */
const FAREWELL_MS = 15_000;

/** Packs that are being made or taken in by this process. */
@Injectable()
export class PackRunsService implements BeforeApplicationShutdown {
  private readonly responses = new Set<Response>();

  /** Works while it has a place for git; not at all for a client that has gone away while it waited. @throws 503 */
  run(
    repository: OpenRepository,
    response: Response,
    work: (place: GitPlace) => Promise<void>,
  ): Promise<void> {
    return this.follow(response, async () => {
      await this.inPlace(repository, response, work);
    });
  }

  /** An answer that is cut when this process has to stop. */
  async follow(response: Response, work: () => Promise<void>): Promise<void> {
    this.responses.add(response);
    try {
      await work();
    } finally {
      this.responses.delete(response);
    }
  }

  /** As `run`, for an answer that is followed already: what `work` gives, or null for a client that has gone. @throws 503 */
  async inPlace<T>(
    repository: OpenRepository,
    response: Response,
    work: (place: GitPlace) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await inGitPlace('pack', repository.path, async (place) =>
        response.destroyed ? null : work(place),
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
