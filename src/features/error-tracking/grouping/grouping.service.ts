import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { eventFacts, UNREADABLE, type EventFacts } from './facts/event-facts.js';
import { gatherEvents, type FactualEvent } from './gather-events.js';
import { GroupErrorEventsJob } from './group-events.job.js';
import { storeGroups } from './store-groups.js';
import { isAnyWaiting, takeWaiting, type WaitingEvent } from './waiting-events.js';

/** So many characters are parsed in a row (some milliseconds); then others have their turn. */
const CHARACTERS_IN_A_ROW = 524_288;

/** Pause before events are looked for again that others have locked now. */
const LOCKED_DELAY_MS = 1_000;

/** How it is found out what an event says. */
export type ReadFacts = (event: WaitingEvent) => EventFacts;

/** What the intake has found, or what the payload says. */
const readFacts: ReadFacts = ({ facts, payload, level }) => facts ?? eventFacts(payload ?? '', level);

/** For an event whose facts the database refuses: nothing of it is believed. */
export const believeNothing: ReadFacts = () => UNREADABLE;

/** How many events were grouped, and whether there are more to be grouped at once. */
export interface Grouped {
  readonly events: number;
  readonly hasMore: boolean;
}

/** Adds waiting events to their errors: all of a batch or nothing, in a fixed number of statements. */
@Injectable()
export class GroupingService {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  /** Groups the oldest events that nobody else is at, `limit` at most. */
  group(limit: number, read: ReadFacts = readFacts): Promise<Grouped> {
    return this.transactions.run(async (tx) => {
      const { events, hasMore } = await takeWaiting(tx, limit);
      if (events.length > 0) await storeGroups(tx, gatherEvents(await factual(events, read)));
      if (!hasMore && (await isAnyWaiting(tx))) await this.lookAgainLater(tx);
      return { events: events.length, hasMore };
    });
  }

  /** What is left has come just now, or is locked by somebody who need not group it: then nobody else would look for it. */
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
