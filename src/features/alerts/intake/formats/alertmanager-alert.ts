import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';
import { bodyOfItem } from './alertmanager-body.js';
import { labelsFingerprint, namedFingerprint } from './fingerprints.js';
import { endsBeforeStart, MOST, type IncomingAlert, type UnreadableAlert } from './incoming-alert.js';
import { readMoment } from './moment.js';
import { anyOf, block, line, own, scalarText } from './payload-values.js';
import { labelSeverity } from './severities.js';
import { storedJson } from './stored-json.js';

/** Parses an alert of an Alertmanager group (`api-v4.md` 4.4), which must have a title and a start. */
export function alertmanagerAlert(body: PlainObject, item: unknown): IncomingAlert | UnreadableAlert {
  if (!isPlainObject(item)) return { title: null, error: 'is not an object' };
  const labels = objectOf(own(item, 'labels'));
  const annotations = objectOf(own(item, 'annotations'));
  const heading =
    line(own(annotations, 'title'), MOST.title) ??
    line(own(annotations, 'summary'), MOST.title) ??
    line(own(labels, 'alertname'), MOST.title);
  const startedAt = readMoment(own(item, 'startsAt'));
  if (heading === null) return { title: null, error: 'title, summary and alertname are missing' };
  if (startedAt === null) return { title: heading, error: 'startsAt is missing or invalid' };
  const ended = endOf(item);
  if (endsBeforeStart({ startedAt, ended })) return { title: heading, error: 'endsAt is before startsAt' };
  return {
    title: heading,
    description: block(own(annotations, 'description'), MOST.description),
    service: null,
    monitoringTool: 'Prometheus',
    hosts: [],
    severity: labelSeverity(own(labels, 'severity')),
    startedAt,
    ended,
    fingerprint: namedFingerprint(own(item, 'fingerprint')) ?? labelsFingerprint(heading, labels),
    environment: line(anyOf(labels, 'service_environment_name', 'gitlab_environment_name'), MOST.name),
    runbook: line(own(annotations, 'runbook'), MOST.link),
    query: queryOf(anyOf(item, 'generatorURL', 'generatorUrl')),
    yLabel: line(anyOf(annotations, 'service_y_label', 'gitlab_y_label'), MOST.name) ?? heading,
    incidentMarkdown: block(
      anyOf(annotations, 'service_incident_markdown', 'gitlab_incident_markdown'),
      MOST.text,
    ),
    payload: storedJson(bodyOfItem(body, item)),
  };
}

const NOTHING: PlainObject = {};
const objectOf = (value: unknown): PlainObject => (isPlainObject(value) ? value : NOTHING);

/**
 * The status of the item decides, not that of its group; an end in the past also counts, regardless of the status.
 */
function endOf(item: PlainObject): IncomingAlert['ended'] {
  const at = readMoment(own(item, 'endsAt'));
  const status = scalarText(own(item, 'status'))?.trim().toLowerCase() ?? '';
  if (status === 'resolved') return { at };
  return at !== null && at.getTime() <= Date.now() ? { at } : null;
}

/** The expression in the query of a link. */
const EXPRESSION = /(?:^|&)g0\.expr=([^&]*)/;

/** More escaped characters than this are never needed: one has at most nine. */
const MAX_ESCAPED = 9 * MOST.text;

/**
 * Returns the expression of a rule from the link to its graph. Only this parameter is decoded: a link may have
 * millions.
 */
function queryOf(url: unknown): string | null {
  if (typeof url !== 'string' || url === '') return null;
  const question = url.indexOf('?');
  if (question < 0) return null;
  const found = EXPRESSION.exec(url.slice(question + 1).split('#', 1)[0] ?? '')?.[1];
  if (found === undefined) return null;
  return block(new URLSearchParams(`q=${found.slice(0, MAX_ESCAPED)}`).get('q'), MOST.text);
}
