import type { EventSwitches } from '../settings/mail-events.js';
import { DEFAULT_LEVEL, type Level } from '../settings/levels.js';

/** What a user has set: everywhere (no type), or in a project or group. */
export interface SettingRow {
  readonly type: 'Project' | 'Namespace' | null;
  readonly id: number | null;
  readonly level: Level;
  readonly events: EventSwitches;
  readonly email: string | null;
}

/** Where something happens. */
export interface NotificationPlace {
  readonly projectId: number | null;
  /** The groups above, the outermost first. */
  readonly groupIds: readonly number[];
}

/** What counts in the end, and where it was set. */
export interface EffectiveSetting {
  readonly level: Exclude<Level, 'global'>;
  readonly events: EventSwitches;
  readonly source: 'project' | 'group' | 'global';
  /** Of the project or group. */
  readonly sourceId: number | null;
}

const SOURCES = { Project: 'project', Namespace: 'group' } as const;

/** The rows that hold in a place, the nearest first: project, groups upwards, everywhere. */
function* nearestFirst(rows: readonly SettingRow[], place: NotificationPlace): Generator<SettingRow> {
  const steps = [
    ...(place.projectId === null ? [] : [['Project', place.projectId] as const]),
    ...place.groupIds.toReversed().map((id) => ['Namespace', id] as const),
    [null, null] as const,
  ];
  for (const [type, id] of steps) {
    const row = rows.find((one) => one.type === type && one.id === id);
    if (row) yield row;
  }
}

/** The setting that counts in a place: the nearest one that does not leave it to those above. */
export function effectiveSetting(rows: readonly SettingRow[], place: NotificationPlace): EffectiveSetting {
  for (const { type, id, level, events } of nearestFirst(rows, place))
    if (level !== 'global')
      return { level, events, source: type === null ? 'global' : SOURCES[type], sourceId: id };
  return { level: DEFAULT_LEVEL, events: {}, source: 'global', sourceId: null };
}

/** Where mails about a place go: the address of the nearest group that has one, else that for everywhere, else the first one. */
export function addressFor(rows: readonly SettingRow[], place: NotificationPlace, primary: string): string {
  for (const { email } of nearestFirst(rows, place)) if (email !== null) return email;
  return primary;
}
