import type { EventFacts } from './facts/event-facts.js';
import type { WaitingEvent } from './waiting-events.js';

/** A waiting event with the facts of its payload. */
export interface FactualEvent extends Omit<WaitingEvent, 'payload' | 'facts'> {
  readonly facts: EventFacts;
}

/** What a batch of events adds to an error. */
export interface EventGroup {
  readonly projectId: number;
  readonly groupKey: string;
  /** The latest event by time; the last received one of several. */
  last: FactualEvent;
  firstSeenAt: Date;
  lastReceivedAt: Date;
  readonly eventIds: number[];
  readonly userKeys: Set<string>;
  /** Number of events by the hour, in milliseconds since 1970. */
  readonly hours: Map<number, number>;
}

const HOUR_MS = 3_600_000;

const hourOf = (time: Date): number => Math.floor(time.getTime() / HOUR_MS) * HOUR_MS;

/** Groups events by error, in the order in which all writers lock errors. */
export function gatherEvents(events: readonly FactualEvent[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const event of events) {
    const key = `${event.projectId}:${event.facts.groupKey}`;
    const known = groups.get(key);
    if (known) add(known, event);
    else groups.set(key, groupOf(event));
  }
  return [...groups.values()].sort(
    (one, other) => one.projectId - other.projectId || (one.groupKey < other.groupKey ? -1 : 1),
  );
}

function groupOf(event: FactualEvent): EventGroup {
  const { projectId, occurredAt, receivedAt, facts } = event;
  return {
    projectId,
    groupKey: facts.groupKey,
    last: event,
    firstSeenAt: occurredAt,
    lastReceivedAt: receivedAt,
    eventIds: [event.id],
    userKeys: new Set(facts.userKey === null ? [] : [facts.userKey]),
    hours: new Map([[hourOf(occurredAt), 1]]),
  };
}

function add(group: EventGroup, event: FactualEvent): void {
  const { occurredAt, receivedAt, facts } = event;
  group.eventIds.push(event.id);
  if (facts.userKey !== null) group.userKeys.add(facts.userKey);
  const hour = hourOf(occurredAt);
  group.hours.set(hour, (group.hours.get(hour) ?? 0) + 1);
  if (occurredAt < group.firstSeenAt) group.firstSeenAt = occurredAt;
  if (receivedAt > group.lastReceivedAt) group.lastReceivedAt = receivedAt;
  if (occurredAt >= group.last.occurredAt) group.last = event;
}
