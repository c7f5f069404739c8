import type { AlertSeverity } from '../../alert-values.js';

/** An alert of a payload, within the limits of what is stored (`ops.md` 5.4). */
export interface IncomingAlert {
  readonly title: string;
  readonly description: string | null;
  readonly service: string | null;
  readonly monitoringTool: string | null;
  readonly hosts: readonly string[];
  readonly severity: AlertSeverity;
  /** Null if unknown. */
  readonly startedAt: Date | null;
  /** Null while it is firing; the time of its end may be unknown. */
  readonly ended: { readonly at: Date | null } | null;
  /** SHA-1 of what identifies repeated alerts, in hexadecimal. */
  readonly fingerprint: string;
  readonly environment: string | null;
  readonly runbook: string | null;
  readonly query: string | null;
  readonly yLabel: string | null;
  readonly incidentMarkdown: string | null;
  /** JSON of a body with only this alert. */
  readonly payload: string;
}

/** An item without a valid alert. */
export interface UnreadableAlert {
  /** Null if it has none either. */
  readonly title: string | null;
  readonly error: string;
}

/** Returns whether an item has a valid alert. */
export const isReadable = (item: IncomingAlert | UnreadableAlert): item is IncomingAlert =>
  !('error' in item);

/** Returns whether an alert ends before its start. */
export const endsBeforeStart = ({ startedAt, ended }: Pick<IncomingAlert, 'startedAt' | 'ended'>): boolean =>
  startedAt !== null && Boolean(ended?.at && ended.at < startedAt);

/** Limits of characters for texts without a limit in the specification: the payload has them in full. */
export const MOST = {
  title: 200,
  description: 1_000,
  word: 100,
  hosts: 255,
  name: 255,
  link: 2_048,
  text: 20_000,
} as const;
