import { Injectable } from '@nestjs/common';
import { Announcements } from '../announcements.js';
import { Lookout } from '../lookout.js';
import { QueueDriver } from '../drivers/queue-driver.js';
import { QueueOptions } from '../queue-options.js';

/** Announces jobs to this process if it can take them, otherwise to the other processes. */
@Injectable()
export class Wakes {
  constructor(
    private readonly driver: QueueDriver,
    private readonly lookout: Lookout,
    private readonly announcements: Announcements,
    private readonly options: QueueOptions,
  ) {}

  /** Announces a job that is due after `delayMs`. Never throws. */
  wake(delayMs = 0): void {
    if (delayMs <= 0) {
      if (!this.lookout.wake()) this.announcements.send(0);
    } else if (this.driver.takes()) this.lookout.expect(delayMs);
    // Polling finds a job that is due later than that.
    else if (delayMs <= this.options.pollMs) this.announcements.send(delayMs);
  }
}
