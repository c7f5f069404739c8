import { Injectable } from '@nestjs/common';
import { Announcements } from '../announcements.js';
import { Lookout } from '../lookout.js';
import { QueueDriver } from '../drivers/queue-driver.js';
import { QueueOptions } from '../queue-options.js';

/** Tells whoever can take jobs that there are some: this process first, others where it cannot. */
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
    // What is due later is found by a look before.
    else if (delayMs <= this.options.pollMs) this.announcements.send(delayMs);
  }
}
