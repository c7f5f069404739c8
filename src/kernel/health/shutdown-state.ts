import { Injectable } from '@nestjs/common';

/** Whether this process is shutting down: it finishes its current work and is not ready for more. */
@Injectable()
export class ShutdownState {
  private readonly controller = new AbortController();

  /** Aborted when the shutdown begins; for streams and waits that would delay it. */
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
