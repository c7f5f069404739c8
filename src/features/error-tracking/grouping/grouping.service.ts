import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { eventFacts, UNREADABLE, type EventFacts } from './facts/event-facts.js';
import { gatherEvents, type FactualEvent } from './gather-events.js';
import { GroupErrorEventsJob } from './group-events.job.js';
import { storeGroups } from './store-groups.js';
import { isAnyWaiting, takeWaiting, type WaitingEvent } from './waiting-events.js';

/** Characters parsed between two yields to the event loop (a few milliseconds). */
const CHARACTERS_IN_A_ROW = 524_288;

/** Delay before looking again for events that are locked now. */
const LOCKED_DELAY_MS = 1_000;

/** Returns the facts of an event. */
export type ReadFacts = (event: WaitingEvent) => EventFacts;

/** From the intake, or from the payload. */
const readFacts: ReadFacts = ({ facts, payload, level }) => facts ?? eventFacts(payload ?? '', level);

/** For an event whose facts the database rejects: uses none of them. */
export const believeNothing: ReadFacts = () => UNREADABLE;

/** Number of grouped events, and whether more can be grouped at once. */
export interface Grouped {
  readonly events: number;
  readonly hasMore: boolean;
}

/** Adds waiting events to their errors: a whole batch or nothing, in a fixed number of statements. */
@Injectable()
export class GroupingService {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Groups the oldest unlocked events, at most `limit`. */
  group(limit: number, read: ReadFacts = readFacts): Promise<Grouped> {
    return this.transactions.run(async (tx) => {
      const { events, hasMore } = await takeWaiting(tx, limit);
      if (events.length > 0) await storeGroups(tx, gatherEvents(await factual(events, read)));
      if (!hasMore && (await isAnyWaiting(tx))) await this.lookAgainLater(tx);
      return { events: events.length, hasMore };
    });
  }

  /**
   * Remaining events have just arrived, or are locked by a transaction that need not group them: without this
   * no job would look for them.
   */
  private async lookAgainLater(tx: Tx): Promise<void> {
    await this.jobs.enqueue(tx, GroupErrorEventsJob, {}, { delayMs: LOCKED_DELAY_MS });
  }
}

async function factual(events: readonly WaitingEvent[], read: ReadFacts): Promise<FactualEvent[]> {
  const done: FactualEvent[] = [];
  let characters = 0;
  for (const event of events) {
    const { payload, ...known } = event;
    done.push({ ...known, facts: read(event) });
    characters += payload?.length ?? 0;
    if (characters < CHARACTERS_IN_A_ROW) continue;
    characters = 0;
    await setImmediate();
  }
  return done;
}
