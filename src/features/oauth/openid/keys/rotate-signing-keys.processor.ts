import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { RotateSigningKeysJob } from './rotate-signing-keys.job.js';
import { SigningKeysService } from './signing-keys.service.js';

/** Both steps depend on the age of each key, so that a second run changes nothing. */
@Injectable()
export class RotateSigningKeysProcessor extends JobProcessor {
  readonly job = RotateSigningKeysJob;

  constructor(private readonly keys: SigningKeysService) {
    super();
  }

  async process(): Promise<void> {
    await this.keys.rotateWhenDue();
    await this.keys.prune();
  }
}
