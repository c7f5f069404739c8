import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { GitLimits } from './git-limits.js';
import { PackSlots } from './pack-slots.js';

/** Packs that are being made or taken in by this process. */
@Injectable()
export class PackRuns {
  private readonly slots: PackSlots;

  constructor(limits: GitLimits) {
    this.slots = new PackSlots(limits);
  }

  /** Works while it has a slot; not at all for a client that has gone away while it waited. @throws 503 */
  async run(repository: OpenRepository, response: Response, work: () => Promise<void>): Promise<void> {
    const release = await this.slots.take(String(repository.id));
    try {
      if (!response.destroyed) await work();
    } finally {
      release();
    }
  }
}
