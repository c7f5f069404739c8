import type { AlertStatus } from '../../alert-values.js';
import type { AlertChange } from '../../alerts-changed.event.js';
import type { IncomingAlert } from '../formats/incoming-alert.js';

/** An incoming alert with its source. */
export interface SourcedAlert {
  readonly projectId: number;
  readonly integrationId: number | null;
  readonly alert: IncomingAlert;
}

/** Facts of a stored alert on which planning depends. */
export interface StoredAlert {
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
  readonly fingerprint: string;
  readonly title: string;
  readonly status: AlertStatus;
  /** Whether repetitions are grouped into it. */
  readonly grouped: boolean;
  /** Whether it is a resolution without a known alert. */
  readonly stray: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** An alert after the plan: a stored one, or a new one. */
export interface PlannedAlert {
  /** The stored alert; null for a new one. */
  readonly stored: StoredAlert | null;
  readonly title: string;
  readonly grouped: boolean;
  readonly stray: boolean;
  readonly startedAt: Date;
  status: AlertStatus;
  endedAt: Date | null;
  /** Occurrences to add; for a new one, all of them. */
  events: number;
  change: AlertChange['kind'] | null;
}

/** A new alert. */
export interface NewAlert extends PlannedAlert {
  readonly source: SourcedAlert;
}

/** Changes to write, and the alert of each item. */
export interface AlertPlan {
  readonly created: readonly NewAlert[];
  readonly changed: readonly PlannedAlert[];
  /** In the order of the items. */
  readonly taken: readonly PlannedAlert[];
}

/** Known alerts with one fingerprint of a project, newest last. */
interface Known {
  readonly all: PlannedAlert[];
  /** Those that are not resolved. */
  readonly open: PlannedAlert[];
}

/** Key of alerts that are grouped. */
const keyOf = (projectId: number, fingerprint: string): string => `${projectId} ${fingerprint}`;

/**
 * Plans the changes for incoming alerts, one after the other (`api-v4.md` 3.5). `stored`: the open alerts
 * with their fingerprints, and those resolved as the items say (`isSameResolution`), by increasing id.
 * Without `grouping` (free plan) every firing alert is a new one.
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
    const found = known.get(key) ?? { all: [], open: [] };
    known.set(key, found);
    return found;
  };
  const add = (source: SourcedAlert, at: Known): PlannedAlert => {
    const planned = newAlert(source, grouping, now);
    created.push(planned);
    at.all.push(planned);
    if (planned.endedAt === null) at.open.push(planned);
    return planned;
  };
  const all = stored.map((one) => {
    const at = knownOf(keyOf(one.projectId, one.fingerprint));
    const planned: PlannedAlert = { ...one, stored: one, events: 0, change: null };
    at.all.push(planned);
    if (planned.status !== 'resolved') at.open.push(planned);
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

/**
 * Returns whether an alert was resolved by exactly this resolution, which is then a repetition. Unknown times
 * match any.
 */
export function isSameResolution(
  { stray, startedAt, endedAt }: Pick<StoredAlert, 'stray' | 'startedAt' | 'endedAt'>,
  { startedAt: start, ended }: Pick<IncomingAlert, 'startedAt' | 'ended'>,
): boolean {
  const end = ended?.at ?? null;
  if (end !== null && endedAt?.getTime() !== end.getTime()) return false;
  // An alert that was open keeps the start of its first occurrence, regardless of later ones.
  const isOtherStart = start !== null && start.getTime() !== startedAt.getTime();
  return !isOtherStart || (end !== null && !stray);
}

function repeat(open: PlannedAlert): PlannedAlert {
  open.events += 1;
  open.change ??= 'repeated';
  return open;
}

/**
 * Resolves all open alerts (several on the free plan) except those that started later; or finds the ones that
 * the same resolution has ended before. An end before the start belongs to an earlier alert and is a
 * repetition: applying it to the open one would silence an ongoing problem. If the sender never sends a
 * start, the stored one is the time of receipt and means nothing: then only a known resolution counts as old.
 */
function resolve(alert: IncomingAlert, at: Known, now: Date): PlannedAlert | null {
  const endedAt = alert.ended?.at ?? now;
  const known = at.all.findLast((one) => one.status === 'resolved' && isSameResolution(one, alert));
  const isOld = alert.startedAt !== null || known !== undefined;
  const ending = at.open.filter(({ startedAt }) => !isOld || !alert.ended?.at || startedAt <= endedAt);
  const newest = ending.at(-1);
  if (!newest) return known ?? null;
  for (const open of ending) {
    open.status = 'resolved';
    open.endedAt = endedAt;
    if (open.change !== 'created') open.change = 'resolved';
  }
  at.open.splice(0, at.open.length, ...at.open.filter((open) => !ending.includes(open)));
  return newest;
}

/** Creates an alert that is not known yet. */
export function newAlert(source: SourcedAlert, grouping: boolean, now: Date): NewAlert {
  const { title, startedAt, ended } = source.alert;
  const endedAt = ended ? (ended.at ?? now) : null;
  return {
    stored: null,
    source,
    title,
    grouped: grouping,
    stray: endedAt !== null,
    // A finished alert does not start after its end, if its start is unknown.
    startedAt: startedAt ?? (endedAt !== null && endedAt < now ? endedAt : now),
    status: endedAt === null ? 'triggered' : 'resolved',
    endedAt,
    events: 1,
    change: 'created',
  };
}
