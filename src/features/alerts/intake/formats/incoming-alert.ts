import type { AlertSeverity } from '../../alert-values.js';

/** What a payload says of one alert, in the bounds of what is stored (`ops.md` 5.4). */
export interface IncomingAlert {
  readonly title: string;
  readonly description: string | null;
  readonly service: string | null;
  readonly monitoringTool: string | null;
  readonly hosts: readonly string[];
  readonly severity: AlertSeverity;
  /** Null where it does not say. */
  readonly startedAt: Date | null;
  /** Null as long as it fires; when it ended may not be said. */
  readonly ended: { readonly at: Date | null } | null;
  /** SHA-1 of what makes it the same as another one, in hexadecimal. */
  readonly fingerprint: string;
  readonly environment: string | null;
  readonly runbook: string | null;
  readonly query: string | null;
  readonly yLabel: string | null;
  readonly incidentMarkdown: string | null;
  /** JSON of a body that is this alert alone. */
  readonly payload: string;
}

/** An item that tells of no alert. */
export interface UnreadableAlert {
  /** Null where it has none either. */
  readonly title: string | null;
  readonly error: string;
}

/** Whether an item tells of an alert. */
export const isReadable = (item: IncomingAlert | UnreadableAlert): item is IncomingAlert =>
  !('error' in item);

/** Whether an alert would be over before it has begun. */
export const endsBeforeStart = ({ startedAt, ended }: Pick<IncomingAlert, 'startedAt' | 'ended'>): boolean =>
  startedAt !== null && Boolean(ended?.at && ended.at < startedAt);

/** Characters of what has no bound in the specification: kept in full in the payload. */
export const MOST = {
  title: 200,
  description: 1_000,
  word: 100,
  hosts: 255,
  name: 255,
  link: 2_048,
  text: 20_000,
} as const;
