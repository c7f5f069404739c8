import type pg from 'pg';
import type { NamedRead } from './lane-query.js';
import { ReadLane, type Detour } from './read-lane.js';

const LANES = 2;
/** Limit of lanes left to reads that block them. */
const MAX_LEFT = 2;
const LOOK_MS = 125;
/** A lane that has answered nothing between this many checks is blocked: 250 ms, or a little more. */
const VAIN_LOOKS = 2;

/**
 * The pipelined connections for short reads. One on which a read blocks those behind it is left to them, and
 * others get a fresh one; once it has answered all of them, it is closed.
 */
export class ReadLanes {
  private readonly lanes: ReadLane[];
  private readonly left = new Set<ReadLane>();
  /** Lane of the open turn; null before its first read. */
  private chosen: number | null = null;
  /** Lane of the turn before. */
  private last = 0;
  private watch: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly options: pg.ClientConfig,
    private readonly detour: Detour,
  ) {
    this.lanes = Array.from({ length: LANES }, () => this.fresh());
  }

  query<Row extends object>(read: NamedRead, finished?: () => void): Promise<Row[]> {
    this.watch ??= setTimeout(() => this.look(), LOOK_MS).unref();
    this.chosen ??= this.choose();
    return (this.lanes[this.chosen] as ReadLane).query<Row>(read, finished);
  }

  /** Begins a turn: its reads share a lane, chosen at the first of them. */
  turn(): void {
    this.chosen = null;
  }

  /** Sends the gathered reads now. */
  flush(): void {
    for (const lane of this.lanes) lane.flush();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.watch);
    await Promise.all([...this.lanes, ...this.left].map((lane) => lane.close()));
  }

  /** The first idle lane, so that few callers keep one backend of PostgreSQL warm; busy ones by turns. */
  private choose(): number {
    const idle = this.lanes.findIndex((lane) => lane.isIdle);
    this.last = idle >= 0 ? idle : (this.last + 1) % LANES;
    return this.last;
  }

  private fresh(): ReadLane {
    return new ReadLane(this.options, this.detour);
  }

  /**
   * Runs after pending input: after a pause of the process, unread answers must not be taken for missing
   * ones.
   */
  private look(): void {
    setImmediate(() => {
      this.watch = undefined;
      if (this.isClosed) return;
      for (const lane of this.left) if (lane.isIdle) this.retire(lane);
      for (const [index, lane] of this.lanes.entries())
        if (lane.look() >= VAIN_LOOKS && this.left.size < MAX_LEFT) this.leave(index, lane);
      const isBusy = this.left.size > 0 || this.lanes.some((lane) => !lane.isIdle);
      if (isBusy) this.watch ??= setTimeout(() => this.look(), LOOK_MS).unref();
    });
  }

  private leave(index: number, lane: ReadLane): void {
    lane.flush();
    this.left.add(lane);
    this.lanes[index] = this.fresh();
  }

  private retire(lane: ReadLane): void {
    this.left.delete(lane);
    lane.close().catch(() => undefined);
  }
}
