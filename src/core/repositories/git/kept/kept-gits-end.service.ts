import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { keptGits } from './kept-gits.js';

/** Ends the processes of git that are kept, when this process ends. */
@Injectable()
export class KeptGitsEndService implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    keptGits.endAll();
  }
}
