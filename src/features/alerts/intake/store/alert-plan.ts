import type { AlertStatus } from '../../alert-values.js';
import type { AlertChange } from '../../alerts-changed.event.js';
import type { IncomingAlert } from '../formats/incoming-alert.js';

/** One alert that has come in, and from where. */
export interface SourcedAlert {
  readonly projectId: number;
  readonly integrationId: number | null;
  readonly alert: IncomingAlert;
}

/** An alert as it is stored, as far as what comes in depends on it. */
export interface StoredAlert {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly fingerprint: string;
  readonly title: string;
  readonly status: AlertStatus;
  /** Whether it is the one that repetitions fall to. */
  readonly grouped: boolean;
  /** Whether it is the resolution of something that was not known. */
  readonly stray: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** An alert as it will be: one that is there already, or a new one. */
export interface PlannedAlert {
  /** What is there; null for a new one. */
  readonly stored: StoredAlert | null;
  readonly title: string;
  readonly grouped: boolean;
  readonly stray: boolean;
  readonly startedAt: Date;
  status: AlertStatus;
  endedAt: Date | null;
  /** Occurrences to be added; all of a new one. */
  events: number;
  change: AlertChange['kind'] | null;
}

/** One that is not there yet. */
export interface NewAlert extends PlannedAlert {
  readonly source: SourcedAlert;
}

/** What is to be written, and which alert each item is about. */
export interface AlertPlan {
  readonly created: readonly NewAlert[];
  readonly changed: readonly PlannedAlert[];
  /** In the order of the items. */
  readonly taken: readonly PlannedAlert[];
}

/** What is known under one fingerprint of a project, the newest last. */
interface Known {
  readonly open: PlannedAlert[];
  readonly resolved: PlannedAlert[];
}

/** Key of what falls together. */
const keyOf = (projectId: number, fingerprint: string): string => `${projectId} ${fingerprint}`;

/**
 * Works out what becomes of alerts that have come in, one after the other (`api-v4.md` 3.5). `stored` are the open alerts of their fingerprints, and
 * those that have been resolved as the items say (`isSameResolution`), by rising id. Without `grouping` (free plan) whatever fires is a new alert.
 */
export function planAlerts(
  items: readonly SourcedAlert[],
  stored: readonly StoredAlert[],
  grouping: boolean,
  now: Date,
): AlertPlan {
  const known = new Map<string, Known>();
  const created: NewAlert[] = [];
  const knownOf = (key: string): Known => {
    const found = known.get(key) ?? { open: [], resolved: [] };
    known.set(key, found);
    return found;
  };
  const add = (source: SourcedAlert, at: Known): PlannedAlert => {
    const planned = newAlert(source, grouping, now);
    created.push(planned);
    (planned.endedAt === null ? at.open : at.resolved).push(planned);
    return planned;
  };
  const all = stored.map((one) => {
    const at = knownOf(keyOf(one.projectId, one.fingerprint));
    const planned: PlannedAlert = { ...one, stored: one, events: 0, change: null };
    (planned.status === 'resolved' ? at.resolved : at.open).push(planned);
    return planned;
  });
  const taken = items.map((source) => {
    const at = knownOf(keyOf(source.projectId, source.alert.fingerprint));
    if (source.alert.ended) return resolve(source.alert, at, now) ?? add(source, at);
    const open = grouping ? (at.open.find(({ grouped }) => grouped) ?? at.open.at(-1)) : undefined;
    return open ? repeat(open) : add(source, at);
  });
  return { created, changed: all.filter(({ change }) => change !== null), taken };
}

/** Whether an alert was resolved by just this resolution: nothing is new when it is told again. Times that it does not say tell nothing apart. */
export function isSameResolution(
  { stray, startedAt, endedAt }: Pick<StoredAlert, 'stray' | 'startedAt' | 'endedAt'>,
  { startedAt: start, ended }: Pick<IncomingAlert, 'startedAt' | 'ended'>,
): boolean {
  const end = ended?.at ?? null;
  if (end !== null && endedAt?.getTime() !== end.getTime()) return false;
  // One that was open has kept the start of its first occurrence, whatever the later ones said.
  const isOtherStart = start !== null && start.getTime() !== startedAt.getTime();
  return !isOtherStart || (end !== null && !stray);
}

function repeat(open: PlannedAlert): PlannedAlert {
  open.events += 1;
  open.change ??= 'repeated';
  return open;
}

/**
 * Ends all that is open (several on the free plan) but what has begun since; or finds what the same resolution has ended before. An end before the
 * start is that of a former alert, told again: to take it for the open one would silence what goes on. Where the sender never tells a start, ours is
 * the time of receipt, which says nothing: then only a resolution that is known already is an old one.
 */
function resolve(alert: IncomingAlert, at: Known, now: Date): PlannedAlert | null {
  const endedAt = alert.ended?.at ?? now;
  const isOld = alert.startedAt !== null || at.resolved.some((one) => isSameResolution(one, alert));
  const ending = at.open.filter(({ startedAt }) => !isOld || !alert.ended?.at || startedAt <= endedAt);
  const newest = ending.at(-1);
  if (!newest) return at.resolved.findLast((one) => isSameResolution(one, alert)) ?? null;
  for (const open of ending) {
    open.status = 'resolved';
    open.endedAt = endedAt;
    if (open.change !== 'created') open.change = 'resolved';
  }
  at.open.splice(0, at.open.length, ...at.open.filter((open) => !ending.includes(open)));
  at.resolved.push(...ending);
  return newest;
}

/** An alert of which nothing is known yet. */
export function newAlert(source: SourcedAlert, grouping: boolean, now: Date): NewAlert {
  const { title, startedAt, ended } = source.alert;
  const endedAt = ended ? (ended.at ?? now) : null;
  return {
    stored: null,
    source,
    title,
    grouped: grouping,
    stray: endedAt !== null,
    // What is over has not begun after its end, even where it does not say when.
    startedAt: startedAt ?? (endedAt !== null && endedAt < now ? endedAt : now),
    status: endedAt === null ? 'triggered' : 'resolved',
    endedAt,
    events: 1,
    change: 'created',
  };
}
