import type { EventSwitches } from '../settings/mail-events.js';
import { DEFAULT_LEVEL, type Level } from '../settings/levels.js';

/** Row of a user's setting: global (no type), or for a project or group. */
export interface SettingRow {
  readonly type: 'Project' | 'Namespace' | null;
  readonly id: number | null;
  readonly level: Level;
  readonly events: EventSwitches;
  readonly email: string | null;
}

/** Project or group of an event. */
export interface NotificationContainer {
  readonly projectId: number | null;
  /** The groups above, outermost first. */
  readonly groupIds: readonly number[];
}

/** The effective setting, and where it was set. */
export interface EffectiveSetting {
  readonly level: Exclude<Level, 'global'>;
  readonly events: EventSwitches;
  readonly source: 'project' | 'group' | 'global';
  /** Id of the project or group. */
  readonly sourceId: number | null;
}

const SOURCES = { Project: 'project', Namespace: 'group' } as const;

/** Yields the rows that apply to a container, nearest first: project, groups upwards, global. */
function* nearestFirst(rows: readonly SettingRow[], container: NotificationContainer): Generator<SettingRow> {
  const steps = [
    ...(container.projectId === null ? [] : [['Project', container.projectId] as const]),
    ...container.groupIds.toReversed().map((id) => ['Namespace', id] as const),
    [null, null] as const,
  ];
  for (const [type, id] of steps) {
    const row = rows.find((one) => one.type === type && one.id === id);
    if (row) yield row;
  }
}

/** Returns the effective setting for a container: the nearest one that is not `global`. */
export function effectiveSetting(
  rows: readonly SettingRow[],
  container: NotificationContainer,
): EffectiveSetting {
  for (const { type, id, level, events } of nearestFirst(rows, container))
    if (level !== 'global')
      return { level, events, source: type === null ? 'global' : SOURCES[type], sourceId: id };
  return { level: DEFAULT_LEVEL, events: {}, source: 'global', sourceId: null };
}

/**
 * Returns the address for mails about a container: that of the nearest group with one, else the global one, else
 * the primary one.
 */
export function addressFor(
  rows: readonly SettingRow[],
  container: NotificationContainer,
  primary: string,
): string {
  for (const { email } of nearestFirst(rows, container)) if (email !== null) return email;
  return primary;
}
