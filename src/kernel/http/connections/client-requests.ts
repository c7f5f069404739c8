import { clientKeyOf } from '#kernel/rate-limit/client-key.js';

/**
 * Counts the running requests of each client: streams and answers that are read slowly cost their clients nothing, and occupy
 * places among the concurrent requests. One client may have three quarters of them.
 */
export class ClientRequests {
  /** By address; there is an entry only while requests run. */
  private readonly counts = new Map<string, number>();
  private readonly share: number;

  constructor(maxRequests: number) {
    this.share = Math.ceil((maxRequests * 3) / 4);
  }

  /** Whether the client at an address must not begin a further request while `running` requests run. */
  isFull(address: string, running: number): boolean {
    if (running < this.share) return false;
    if (!address.includes(':')) return (this.counts.get(address) ?? 0) >= this.share;
    const key = clientKeyOf(address);
    let own = 0;
    for (const [other, count] of this.counts) if (clientKeyOf(other) === key) own += count;
    return own >= this.share;
  }

  /** Counts a request until the returned function is called, once. */
  add(address: string): () => void {
    this.counts.set(address, (this.counts.get(address) ?? 0) + 1);
    return () => {
      const left = (this.counts.get(address) ?? 0) - 1;
      if (left > 0) this.counts.set(address, left);
      else this.counts.delete(address);
    };
  }
}
