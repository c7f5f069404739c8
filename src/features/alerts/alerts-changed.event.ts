import type { AlertStatus } from './alert-values.js';

/** One alert, and what became of it. */
export interface AlertChange {
  readonly projectId: number;
  readonly alertId: number;
  /** `created` (also as resolved), `repeated` while open, `resolved` by a payload, `status` by somebody. */
  readonly kind: 'created' | 'repeated' | 'resolved' | 'status';
  readonly status: AlertStatus;
  /** False where it is known that no integration wants an incident or a mail because of it. */
  readonly isWanted?: boolean | undefined;
}

/**
 * Alerts have been made or changed; in the transaction that does it, one event a batch, which may be of several projects. A new alert that comes alone,
 * and of which no integration wants anything, is not told of, nor is one that ends with its incident.
 */
export class AlertsChanged {
  constructor(
    readonly changes: readonly AlertChange[],
    /** Who did it; null for payloads. */
    readonly actorId: number | null,
  ) {}
}
