import { ALERT_SEVERITIES, type AlertSeverity } from '../../alert-values.js';
import { scalarText } from './payload-values.js';

/** Words that users of Alertmanager use (`api-v4.md` 4.4). */
const WORDS: Readonly<Record<Exclude<AlertSeverity, 'unknown'>, readonly string[]>> = {
  critical: ['critical', 's1', 'p1', 'emergency', 'fatal'],
  high: ['high', 's2', 'p2', 'major', 'page'],
  medium: ['medium', 's3', 'p3', 'error', 'alert'],
  low: ['low', 's4', 'p4', 'warn', 'warning'],
  info: ['info', 's5', 'p5', 'debug', 'information', 'notice'],
};

const byWord = new Map(
  Object.entries(WORDS).flatMap(([severity, words]) =>
    words.map((word): [string, AlertSeverity] => [word, severity as AlertSeverity]),
  ),
);

const wordOf = (value: unknown): string => (scalarText(value) ?? '').slice(0, 100).trim().toLowerCase();

/**
 * Returns the severity of a generic payload; critical if invalid, since noise is better than an unnoticed
 * outage.
 */
export const genericSeverity = (value: unknown): AlertSeverity =>
  ALERT_SEVERITIES.find((severity) => severity === wordOf(value)) ?? 'critical';

/** Returns the severity of an Alertmanager label. */
export const labelSeverity = (value: unknown): AlertSeverity => byWord.get(wordOf(value)) ?? 'critical';
