import type { ToldEvent } from './drawn-event.js';

/** An event that was accepted. */
export interface KeptEvent extends ToldEvent {
  readonly id: string;
  /** Number of the request that brought it. */
  readonly turn: number;
  /** As the service says, once it was seen. */
  time: number;
  /** The error as the service numbers it, once it was seen. */
  errorId: number;
  /** Whether it was removed by its age. */
  isGone: boolean;
}

/** An error as a list of what has happened to it. */
export interface ModelError {
  readonly id: number;
  readonly key: string;
  status: string;
  readonly events: KeptEvent[];
}

/** All errors of a project, kept as lists of events that are evaluated anew with each question. */
export class ErrorModel {
  readonly events: KeptEvent[] = [];
  errors: ModelError[] = [];
  private readonly ids = new Set<string>();
  private settled = 0;

  get knownIds(): string[] {
    return this.events.filter(({ isGone }) => !isGone).map(({ id }) => id);
  }

  /** Accepts an event, unless one with this id is there. */
  accept(id: string, told: ToldEvent, turn: number): void {
    if (this.ids.has(id)) return;
    this.ids.add(id);
    this.events.push({ ...told, id, turn, time: 0, errorId: 0, isGone: false });
  }

  /** The events that no error has yet. */
  get fresh(): readonly KeptEvent[] {
    return this.events.slice(this.settled);
  }

  /** Gives the fresh events to their errors; `closed` are errors that were resolved after the events came. */
  settle(closed: ReadonlySet<number>): void {
    for (const event of this.fresh) {
      const found = this.errors.find(({ key }) => key === event.key);
      if (found) found.events.push(event);
      else this.errors.push({ id: event.errorId, key: event.key, status: 'unresolved', events: [event] });
      if (found?.status === 'resolved' && !closed.has(found.id)) found.status = 'unresolved';
    }
    this.settled = this.events.length;
  }

  /** Removes events by age, and the errors that are left without any; the counts of others stay. */
  age(old: readonly KeptEvent[]): void {
    for (const event of old) {
      event.isGone = true;
      this.ids.delete(event.id);
    }
    this.errors = this.errors.filter(({ events }) => events.some(({ isGone }) => !isGone));
  }
}

/** The events that an error may show as its last: the later request, and any of the same one, at the same time. */
export function lastOf({ events }: ModelError): KeptEvent[] {
  const latest = Math.max(...events.map(({ time }) => time));
  const tied = events.filter(({ time }) => time === latest);
  const turn = Math.max(...tied.map((event) => event.turn));
  return tied.filter((event) => event.turn === turn);
}

/** The numbers of an error. */
export const numbersOf = ({ events }: ModelError): object => ({
  events_count: events.length,
  users_count: new Set(events.flatMap(({ user }) => user ?? [])).size,
  first_seen_at: new Date(Math.min(...events.map(({ time }) => time))).toISOString(),
  last_seen_at: new Date(Math.max(...events.map(({ time }) => time))).toISOString(),
});

/** What an error takes from its last event. */
export const shownOf = (event: ToldEvent): object => ({
  name: event.name,
  description: event.description,
  actor: event.actor,
  level: event.level,
  platform: event.platform,
  environment: event.environment,
  release: event.release,
});
