import fc from 'fast-check';
import { anyCharacter } from '../any-text.js';

/** A group as Alertmanager sends it. */
export const alertGroup = (...alerts: readonly unknown[]): Record<string, unknown> => ({
  receiver: 'forge',
  status: 'firing',
  alerts,
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.test',
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
});

/** Start of the alerts of such groups, with the precision of Prometheus. */
const START = '2026-03-04T05:06:07.008009Z';

/** One alert of such a group, which fires by default. */
export const alertItem = (values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  status: 'firing',
  labels: { alertname: 'Down', instance: 'a' },
  annotations: {},
  startsAt: START,
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: '',
  ...values,
});

/** Names that every object inherits, and those of the formats, with wrong values. */
const names = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'title',
  'hosts',
  'fingerprint',
  'start_time',
  'end_time',
  'severity',
  'alerts',
  'labels',
  'annotations',
  'startsAt',
  'endsAt',
  'generatorURL',
  'status',
  'version',
  '\0',
  '\ud800',
);

/** NULs, halves of characters, and characters with a special meaning elsewhere. */
const texts = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    '\0',
    '\ud83d',
    'a\udc00',
    '4',
    'resolved',
    START,
    '\\u0000',
    '\u2028',
    'http://x?g0.expr=%ff',
  ),
);

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    texts,
    fc.constantFrom(null, true, 0, -1e308, 1e-320),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(names, texts), tie('json')), { maxLength: 6 })
      .map((members) => Object.fromEntries(members)),
  ),
}));

/** Whole bodies of both formats, and some that are neither. */
export const hostileBodies = fc.oneof(
  json,
  json.map((value) =>
    alertGroup(value, alertItem({ labels: value, annotations: value }), alertItem({ ...(value as object) })),
  ),
);

/** JSON that no tool sends. */
export const hostileJson = json;
