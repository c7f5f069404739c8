import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { keptGits } from './kept-gits.js';

/** Sets this process's share of the kept git processes, and ends them at shutdown. */
@Injectable()
export class KeptGitsService implements OnApplicationShutdown {
  constructor({ API_PROCESSES = 1 }: Config) {
    keptGits.share(API_PROCESSES);
  }

  onApplicationShutdown(): void {
    keptGits.endAll();
  }
}
