import { clientKeyOf } from '#kernel/rate-limit/client-key.js';

/**
 * Counts the running requests of each client: streams and answers that are read slowly cost their clients nothing, and occupy
 * slots among the concurrent requests. One client may have three quarters of them.
 */
export class ClientRequests {
  /** By client; there is an entry only while requests run. */
  private readonly counts = new Map<string, number>();
  private readonly share: number;

  constructor(maxRequests: number) {
    this.share = Math.ceil((maxRequests * 3) / 4);
  }

  /** Whether the client at an address must not begin a further request while `running` requests run. */
  isFull(address: string, running: number): boolean {
    return running >= this.share && (this.counts.get(keyOf(address)) ?? 0) >= this.share;
  }

  /** Counts a request until the returned function is called, once. */
  add(address: string): () => void {
    const key = keyOf(address);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.counts.get(key) ?? 0) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    };
  }
}

/** An IPv6 client is its network; an IPv4 address needs no parsing. */
const keyOf = (address: string): string => (address.includes(':') ? clientKeyOf(address) : address);
