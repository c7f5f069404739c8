import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { GitLimits } from './git-limits.js';
import { PackSlots } from './pack-slots.js';

/** A process that stops lets packs go on for so long; clients begin anew elsewhere. */
const FAREWELL_MS = 15_000;

/** Packs that are being made or taken in by this process. */
@Injectable()
export class PackRuns implements BeforeApplicationShutdown {
  private readonly slots: PackSlots;
  private readonly responses = new Set<Response>();

  constructor(limits: GitLimits) {
    this.slots = new PackSlots(limits);
  }

  /** Works while it has a slot; not at all for a client that has gone away while it waited. @throws 503 */
  async run(repository: OpenRepository, response: Response, work: () => Promise<void>): Promise<void> {
    const release = await this.slots.take(String(repository.id));
    this.responses.add(response);
    try {
      if (!response.destroyed) await work();
    } finally {
      this.responses.delete(response);
      release();
    }
  }

  beforeApplicationShutdown(): void {
    const end = (): void => this.responses.forEach((response) => response.destroy());
    setTimeout(end, FAREWELL_MS).unref();
  }
}
