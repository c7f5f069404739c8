import { momentText } from '../layout/moments.js';
import type { LiveItem } from '../live/live-item.js';

/** A group or project of a migration as shown on the pages. */
export interface ShownEntity {
  readonly id: number;
  readonly importId: number;
  readonly kind: 'group' | 'project';
  readonly sourceUrl: string;
  readonly sourceFullPath: string;
  readonly destination: string;
  readonly status: 'created' | 'started' | 'finished' | 'failed';
  readonly canceled: boolean;
  readonly isImportOpen: boolean;
  /** Whether the access token of the source instance is still available. */
  readonly hasToken: boolean;
  readonly relationsDone: number;
  /** Number of failed relations. A finished entity that has any can be resumed like a failed one. */
  readonly relationsFailed: number;
  readonly relationsTotal: number;
  readonly recordsDone: number;
  readonly recordsTotal: number;
  /** Number of failures, counted up to one more than `MOST_FAILURES`. */
  readonly failures: number;
  readonly firstFailure: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly updatedAt: Date;
}

/** Limit of counted failures of an entity: open pages count twice a second. */
export const MOST_FAILURES = 1_000;

const STATES = {
  created: ['Waiting', 'plain'],
  started: ['Migrating', 'busy'],
  finished: ['Finished', 'good'],
  failed: ['Failed', 'bad'],
} as const;

const count = (number: number, one: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : `${one}s`}`;

/** Progress of an entity, for the page and its script. */
export function nowOf(entity: ShownEntity): LiveItem {
  const { status, canceled, startedAt, relationsFailed } = entity;
  const [state, tone] = STATES[status];
  const isMoving = status === 'created' || status === 'started';
  return {
    id: entity.id,
    name: entity.destination,
    isMoving,
    state: canceled ? 'Cancelled' : state,
    tone,
    hasProgress: status === 'started',
    percent: percentOf(entity),
    amount: amountOf(entity),
    started: startedAt && momentText(startedAt),
    ended: isMoving ? null : momentText(entity.updatedAt),
    error: errorOf(entity),
    mayRepeat: (status === 'failed' || (status === 'finished' && relationsFailed > 0)) && entity.hasToken,
  };
}

/** Computed from relations, and from records within them; never 100 before the end. */
function percentOf({
  status,
  relationsDone,
  relationsTotal,
  recordsDone,
  recordsTotal,
}: ShownEntity): number | null {
  if (status === 'finished') return 100;
  if (relationsTotal === 0) return null;
  const part = recordsTotal > recordsDone ? recordsDone / recordsTotal : 0;
  return Math.min(99, Math.floor((100 * (relationsDone + part)) / relationsTotal));
}

function amountOf({ relationsDone, relationsTotal, recordsDone }: ShownEntity): string {
  if (relationsTotal === 0) return '';
  return `${relationsDone} of ${count(relationsTotal, 'relation')}, ${count(recordsDone, 'record')}`;
}

function errorOf({ failures, firstFailure }: ShownEntity): string | null {
  if (failures === 0) return null;
  const many =
    failures > MOST_FAILURES ? `More than ${count(MOST_FAILURES, 'failure')}` : count(failures, 'failure');
  return `${many}${firstFailure === null ? '' : `: ${firstFailure}`}`;
}
