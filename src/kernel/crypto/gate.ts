import { HttpError } from '#kernel/http/errors.js';

/** Too much work is waiting already: answered with 503 and Retry-After. */
export class GateFull extends HttpError {
  constructor() {
    super(503, { message: '503 Service Unavailable' }, { 'Retry-After': '5' });
  }
}

/** Lets a few pieces of work run at a time and a bounded number wait, first come first served. */
export class Gate {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly width: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws GateFull when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.width) this.running += 1;
    else {
      if (this.waiting.length >= this.maxWaiting) throw new GateFull();
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      this.handOver();
    }
  }

  /** The slot goes to the caller that has waited longest, so that no other can slip in between. */
  private handOver(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
