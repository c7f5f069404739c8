import type { AlertStatus } from './alert-values.js';

/** A change of an alert. */
export interface AlertChange {
  readonly projectId: number;
  readonly alertId: number;
  /**
   * `created` (also already resolved), `repeated` while open, `resolved` by a payload, `status` by a user.
   */
  readonly kind: 'created' | 'repeated' | 'resolved' | 'status';
  readonly status: AlertStatus;
  /** False if no integration wants an incident or a mail for it. */
  readonly isWanted?: boolean | undefined;
}

/**
 * Alerts were created or changed; published in the transaction of the change, one event per batch, which may
 * concern several projects. A single new alert for which no integration wants anything is not published, nor
 * is one that ends with its incident.
 */
export class AlertsChanged {
  constructor(
    readonly changes: readonly AlertChange[],
    /** The user who did it; null for payloads. */
    readonly actorId: number | null,
  ) {}
}
