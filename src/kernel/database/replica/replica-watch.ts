import { logger } from '#kernel/log/logger.js';
import { redactText } from '#kernel/log/redaction.js';
import { requestContext } from '#kernel/log/request-context.js';
import { within } from '#kernel/time/within.js';
import type { ReadDatabase } from '../reads/read-database.js';
import { Freshness, replayable } from './freshness.js';
import type { RecentWriters } from './recent-writers.js';
import { mismatchOf, PRIMARY_POSITION_SQL, type PrimaryPosition } from './replica-position.sql.js';
import type { ReplicaServer } from './replica-server.js';

/** Time between two looks, for an answer of the primary, and after which one without an answer ends running reads. */
const LOOK_MS = 1_000;
/** A look is news for as long as the next one may take. */
const NEWS_MS = 3 * LOOK_MS;
/** A replica that is this far behind is not used. */
const MOST_BEHIND_MS = 5_000;
/** For how long it is checked after its last use. */
const UNUSED_MS = 5_000;
/** Longest time between two looks at a replica that is gone. */
const MOST_WAIT_MS = 30_000;
const TIDY_MS = 60_000;
const CHECK_MS = 250;

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** The error of a read that waits no longer for a replica. */
export class ReplicaGone extends Error {}

/** Knows whether the replica may be used: looks at it each second while reads ask for it, and less often while it is gone. */
export class ReplicaWatch {
  private readonly freshness = new Freshness();
  private readonly running = new Set<(error: Error) => void>();
  private problem: string | null = 'it has not been asked yet';
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private isClosed = false;
  private failures = 0;
  private wantedAt = -Infinity;
  private askedAt = -Infinity;
  private seenAt = -Infinity;
  private behindMs = 0;
  private tidiedAt = -Infinity;

  constructor(
    private readonly primary: ReadDatabase,
    private readonly server: ReplicaServer,
    private readonly writers: RecentWriters,
  ) {}

  /** Whether to read from it now; does not wait for a look. */
  isUsable(): boolean {
    this.want();
    return this.problem === null && this.isFresh;
  }

  /** Returns how many milliseconds it was behind at the last check, and starts a new check. @throws Error that says why it is not used */
  async check(): Promise<number> {
    this.want();
    // Probes wait for no replica that is silent.
    if (!this.isNews && this.looking) await within(CHECK_MS, this.looking, () => undefined);
    if (this.problem !== null) throw new Error(this.problem);
    if (this.behindMs >= MOST_BEHIND_MS) throw new Error(`it is ${inSeconds(this.behindMs)} s behind`);
    return this.behindMs;
  }

  /** Returns the result of a read of the replica. @throws ReplicaGone when it is found to be gone in the meantime */
  async whileThere<T>(read: Promise<T>): Promise<T> {
    let leave: ((error: Error) => void) | undefined;
    const gone = new Promise<never>((_, reject) => {
      leave = reject;
      this.running.add(reject);
    });
    try {
      return await Promise.race([read, gone]);
    } finally {
      if (leave) this.running.delete(leave);
    }
  }

  /** Leaves it alone until the next look, after a read has met with its end. Others that end with it add nothing. */
  lost(error: unknown): void {
    if (this.problem !== null) return;
    this.fail(error);
    this.plan();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private get isNews(): boolean {
    return performance.now() - this.seenAt < NEWS_MS;
  }

  private get isFresh(): boolean {
    const now = performance.now();
    return this.isNews && this.freshness.behindAt(now) < MOST_BEHIND_MS;
  }

  private get isWanted(): boolean {
    return this.running.size > 0 || performance.now() - this.wantedAt < UNUSED_MS;
  }

  private want(): void {
    this.wantedAt = performance.now();
    if (this.timer === undefined && !this.isClosed) this.begin();
  }

  private begin(): void {
    if (this.looking) return;
    // It belongs to no request.
    this.looking = requestContext
      .exit(() => this.look())
      .finally(() => {
        this.looking = undefined;
        this.plan();
      });
  }

  /** Plans the next look. */
  private plan(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isClosed || !(this.isWanted || this.failures > 0)) return;
    const waitMs = Math.min(LOOK_MS * 2 ** Math.max(0, this.failures - 1), MOST_WAIT_MS);
    this.timer = requestContext.exit(() => setTimeout(() => this.goOn(), waitMs).unref());
  }

  private goOn(): void {
    this.timer = undefined;
    if (this.isWanted) this.begin();
  }

  private async look(): Promise<void> {
    this.tidy();
    const asked = performance.now();
    // Nothing was measured since then, so a missing proof that the replica follows means nothing.
    if (asked - this.askedAt > NEWS_MS) this.freshness.clear();
    this.askedAt = asked;
    const primary = await this.askPrimary();
    if (!primary) {
      this.problem = 'the primary does not tell its position';
      // It may come back as another server, with another history.
      this.freshness.clear();
      return;
    }
    this.freshness.noteAsked(asked, replayable(primary.position, primary.pageBytes));
    try {
      const replica = await this.server.position();
      const mismatch = mismatchOf(replica, primary);
      if (mismatch !== null) throw new ReplicaGone(mismatch);
      this.freshness.noteReplayed(replica.position ?? 0);
      this.seenAt = performance.now();
      this.behindMs = this.freshness.watchedBehindAt(this.seenAt);
      if (this.failures > 0) logger.info('The replica of the database is used again');
      this.problem = null;
      this.failures = 0;
    } catch (error) {
      this.fail(error);
      this.freshness.clear();
      this.server.cut();
    }
  }

  private tidy(): void {
    const now = performance.now();
    if (now - this.tidiedAt < TIDY_MS) return;
    this.tidiedAt = now;
    void this.writers.tidy();
  }

  private askPrimary(): Promise<PrimaryPosition | null> {
    return within<PrimaryPosition | null>(
      LOOK_MS,
      this.primary.one<PrimaryPosition>(PRIMARY_POSITION_SQL, []).catch(() => null),
      () => null,
    );
  }

  private fail(error: unknown): void {
    this.problem = redactText(error instanceof Error ? error.message : 'it failed', 200);
    if (this.failures === 0) logger.warn(`The replica of the database is not used: ${this.problem}`);
    this.failures += 1;
    for (const leave of this.running) leave(new ReplicaGone(this.problem));
  }
}
