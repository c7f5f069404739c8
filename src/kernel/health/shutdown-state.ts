import { Injectable } from '@nestjs/common';

/** Whether this process is on its way out: it finishes what runs and is not ready for more. */
@Injectable()
export class ShutdownState {
  private readonly controller = new AbortController();

  /** Aborted when the process begins to stop; for streams and waits that would hold it up. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopping(): boolean {
    return this.controller.signal.aborted;
  }

  /** Called once by the handler of SIGTERM and SIGINT, before anything is closed. */
  begin(): void {
    this.controller.abort();
  }
}
