import type { PlainObject } from '#kernel/http/plain-object.js';
import { namedFingerprint, payloadFingerprint } from './fingerprints.js';
import { MOST, type IncomingAlert } from './incoming-alert.js';
import { readMoment } from './moment.js';
import { anyOf, block, line, own } from './payload-values.js';
import { genericSeverity } from './severities.js';
import { storedJson } from './stored-json.js';

const DEFAULT_TITLE = 'New: Alert';

/** The zero time of Go programs, in any precision and offset. */
const ZERO_TIME = /^0001-01-01T/;

/** Parses a generic payload (`api-v4.md` 2.8): missing or invalid fields get defaults. */
export function genericAlert(body: PlainObject): IncomingAlert {
  return {
    title: line(own(body, 'title'), MOST.title) ?? DEFAULT_TITLE,
    description: block(own(body, 'description'), MOST.description),
    service: line(own(body, 'service'), MOST.word),
    monitoringTool: line(own(body, 'monitoring_tool'), MOST.word),
    hosts: hostsOf(own(body, 'hosts')),
    severity: genericSeverity(own(body, 'severity')),
    startedAt: readMoment(own(body, 'start_time')),
    ended: endOf(own(body, 'end_time')),
    fingerprint: namedFingerprint(own(body, 'fingerprint')) ?? payloadFingerprint(body),
    environment: line(anyOf(body, 'service_environment_name', 'gitlab_environment_name'), MOST.name),
    runbook: null,
    query: null,
    yLabel: null,
    incidentMarkdown: null,
    payload: storedJson(body),
  };
}

/** Any end resolves the alert, even if its time is invalid. */
function endOf(value: unknown): IncomingAlert['ended'] {
  const isThere = value !== undefined && value !== null && value !== false && value !== '';
  if (!isThere || (typeof value === 'string' && ZERO_TIME.test(value))) return null;
  return { at: readMoment(value) };
}

/** Reads one host or a list of them, up to the limit. */
function hostsOf(value: unknown): string[] {
  const hosts: string[] = [];
  let room: number = MOST.hosts;
  for (const one of Array.isArray(value) ? (value.flat(Infinity) as unknown[]) : [value]) {
    const host = line(one, MOST.hosts);
    if (host === null) continue;
    if (host.length > room) break;
    hosts.push(host);
    room -= host.length;
  }
  return hosts;
}
