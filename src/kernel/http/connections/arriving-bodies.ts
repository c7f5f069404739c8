import type { Request } from 'express';
import { clientKeyOf } from '#kernel/rate-limit/client-key.js';
import { LEAST_BYTES } from '../bodies/taken-body.js';

const LOOK_MS = 1_000;
/** Looks without `LEAST_BYTES` more, after which a client counts as silent. */
const MOST_SILENT_LOOKS = 10;

/** A request whose body may still be arriving. */
interface Arriving {
  readonly request: Request;
  readonly address: string;
  /** Answers the request if its client falls silent; undefined if the reader has its own limit, or after the first call. */
  refuse: (() => void) | undefined;
  /** The client, once it has been counted. */
  key?: string;
  /** Bytes that the connection had received when the silence began. */
  bytes: number;
  silentLooks: number;
}

/**
 * Requests whose bodies are incomplete: they cost their clients nothing, and occupy a slot among the concurrent requests. One client may
 * have a quarter of the slots in this way, all together three quarters. Bodies are only counted when that many requests run, and once
 * a second, because most of them arrive at once.
 */
export class ArrivingBodies {
  private readonly bodies = new Set<Arriving>();
  private readonly share: number;
  private readonly most: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(maxRequests: number) {
    this.share = Math.ceil(maxRequests / 4);
    this.most = Math.ceil((maxRequests * 3) / 4);
  }

  /** Whether the client at an address must not begin a further body while `running` requests run. */
  isFull(address: string, running: number): boolean {
    if (running < this.share) return false;
    const key = clientKeyOf(address);
    let [own, all] = [0, 0];
    for (const body of this.bodies) {
      if (body.request.complete) {
        this.bodies.delete(body);
        continue;
      }
      all += 1;
      if ((body.key ??= clientKeyOf(body.address)) === key) own += 1;
    }
    return own >= this.share || all >= this.most;
  }

  /** Counts the body of a request until the returned function is called. `refuse` is called once if its client is silent. */
  add(request: Request, address: string, refuse?: () => void): () => void {
    const body: Arriving = { request, address, refuse, bytes: 0, silentLooks: 0 };
    this.bodies.add(body);
    this.timer ??= setTimeout(() => this.look(), LOOK_MS).unref();
    return () => void this.bodies.delete(body);
  }

  /** Counts checks instead of time: while the event loop is blocked, the process does not read what clients send. */
  private look(): void {
    for (const body of this.bodies) {
      if (body.request.complete) this.bodies.delete(body);
      else if (body.refuse && isSilent(body)) {
        const { refuse } = body;
        body.refuse = undefined;
        refuse();
      }
    }
    if (this.bodies.size > 0) this.timer?.refresh();
    else this.timer = undefined;
  }
}

/** Whether nothing worth mentioning has arrived for too long. With unread bytes, the reader is slow, not the client. */
function isSilent(body: Arriving): boolean {
  const { request } = body;
  const { bytesRead } = request.socket;
  if (request.readableLength > 0 || bytesRead - body.bytes >= LEAST_BYTES) {
    body.bytes = bytesRead;
    body.silentLooks = 0;
    return false;
  }
  body.silentLooks += 1;
  return body.silentLooks > MOST_SILENT_LOOKS;
}
