import type { AlertStatus } from './alert-values.js';

/** One alert, and what became of it. */
export interface AlertChange {
  readonly alertId: number;
  /** `created` (also as resolved), `repeated` while open, `resolved` by a payload, `status` by somebody. */
  readonly kind: 'created' | 'repeated' | 'resolved' | 'status';
  readonly status: AlertStatus;
}

/** Alerts of a project have been made or changed; in the transaction that does it, one event a batch. */
export class AlertsChanged {
  constructor(
    readonly projectId: number,
    readonly changes: readonly AlertChange[],
    /** Who did it; null for payloads. */
    readonly actorId: number | null,
  ) {}
}
