import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { PoolBusy } from '#kernel/processes/fair-pool.js';
import { inGitPlace, type GitPlace } from '#core/repositories/git/processes/spawn-git.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { TEXTS } from '../access/git-texts.js';
import { Unavailable } from '../git-answer.js';

/** A process that stops lets packs go on for so long; clients begin anew elsewhere. */
const FAREWELL_MS = 15_000;

/** Packs that are being made or taken in by this process. */
@Injectable()
export class PackRuns implements BeforeApplicationShutdown {
  private readonly responses = new Set<Response>();

  /** Works while it has a place for git; not at all for a client that has gone away while it waited. @throws 503 */
  async run(
    repository: OpenRepository,
    response: Response,
    work: (place: GitPlace) => Promise<void>,
  ): Promise<void> {
    this.responses.add(response);
    try {
      await inGitPlace('pack', repository.path, async (place) => {
        if (!response.destroyed) await work(place);
      });
    } catch (error) {
      throw error instanceof PoolBusy ? Unavailable(TEXTS.busy, 10) : error;
    } finally {
      this.responses.delete(response);
    }
  }

  beforeApplicationShutdown(): void {
    const end = (): void => this.responses.forEach((response) => response.destroy());
    setTimeout(end, FAREWELL_MS).unref();
  }
}
