/** Older positions of the primary prove nothing that is still of use. */
const MAX_ASKED = 10;

/** A position of the primary's write-ahead log, in bytes, and when the question for it was sent. */
interface Asked {
  readonly at: number;
  readonly position: number;
}

/**
 * How much of the primary's data a replica is known to have. What was committed before the position of the primary was read lies before that
 * position, so a replica that has replayed it has all of that: no clocks of servers are compared, and an idle primary counts as caught up with.
 */
export class Freshness {
  private asked: Asked[] = [];
  private provenAt = -Infinity;
  private since = Infinity;

  /** Notes a position of the primary; `at` is when it was requested. */
  noteAsked(at: number, position: number): void {
    this.since = Math.min(this.since, at);
    this.asked.push({ at, position });
    if (this.asked.length > MAX_ASKED) this.asked.shift();
  }

  /** Notes the position that the replica has replayed. */
  noteReplayed(position: number): void {
    const last = this.asked.findLast((one) => one.position <= position);
    if (!last) return;
    this.provenAt = last.at;
    this.asked = this.asked.filter(({ at }) => at >= last.at);
  }

  /** Forgets everything: the positions may be those of another history. */
  clear(): void {
    this.asked = [];
    this.provenAt = -Infinity;
    this.since = Infinity;
  }

  /** Milliseconds for which the replica may have been behind while it was watched. */
  watchedBehindAt(now: number): number {
    return Math.max(0, now - Math.max(this.provenAt, this.since));
  }

  /** Milliseconds by which the replica is behind at most; Infinity if unknown. */
  behindAt(now: number): number {
    return now - this.provenAt;
  }
}

/**
 * The position that a replica reaches by replaying everything before the given one. Behind the end of a page it is that end: the header of the
 * next page (40 bytes at most) belongs to no record yet, and no record lies within it.
 */
export function replayable(position: number, pageBytes: number): number {
  const intoPage = position % pageBytes;
  return intoPage <= MAX_HEADER ? position - intoPage : position;
}

const MAX_HEADER = 40;
