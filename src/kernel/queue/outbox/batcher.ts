interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (value: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** Groups calls that come while one statement is under way into the next statement: no added delay when idle, few statements when busy. */
export class Batcher<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private busy = false;

  /** `flush` answers one result for each item, in the same order. */
  constructor(
    private readonly flush: (items: In[]) => Promise<Out[]>,
    private readonly limit = 200,
  ) {}

  /** Result for this item. */
  add(item: In): Promise<Out> {
    return new Promise<Out>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.busy) {
        this.busy = true;
        setImmediate(() => void this.drain());
      }
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.limit);
      try {
        const results = await this.flush(batch.map((entry) => entry.item));
        batch.forEach((entry, index) => entry.resolve(results[index] as Out));
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.busy = false;
  }
}
