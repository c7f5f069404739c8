import { ALERT_SEVERITIES, type AlertSeverity } from '../../alert-values.js';
import { scalarText } from './payload-values.js';

/** Words of Alertmanager's users (`api-v4.md` 4.4). */
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

/** Severity of a generic payload; whatever is none is critical, for too much noise is better than an outage that nobody sees. */
export const genericSeverity = (value: unknown): AlertSeverity =>
  ALERT_SEVERITIES.find((severity) => severity === wordOf(value)) ?? 'critical';

/** Severity that a label of Alertmanager means. */
export const labelSeverity = (value: unknown): AlertSeverity => byWord.get(wordOf(value)) ?? 'critical';
