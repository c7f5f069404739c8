/** Severities in the order of the column's numbers. */
export const ALERT_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const;

/** Severity of an alert. */
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** Statuses in the order of the column's numbers; all except `resolved` are open. */
export const ALERT_STATUSES = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const;

/** Status of an alert. */
export type AlertStatus = (typeof ALERT_STATUSES)[number];
