import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import type { AlertRecord } from '#features/alerts/alerts/alert.record.js';
import type { AlertStatus } from '#features/alerts/alert-values.js';
import { factList } from '../layout/fact-list.view.js';
import { momentOf } from '../layout/moments.js';

const STATUS_WORDS: Readonly<Record<AlertStatus, readonly [word: string, tone: string]>> = {
  triggered: ['Triggered', 'bad'],
  acknowledged: ['Acknowledged', ''],
  resolved: ['Resolved', 'good'],
  ignored: ['Ignored', ''],
};

/** Limit of characters of the payload shown, so that the page stays readable; the API returns it in full. */
const MAX_PAYLOAD = 20_000;

/** Renders an alert: its fields and the payload of its tool. All of it is shown as plain text. */
export function alertView(alert: AlertRecord): Html {
  const [status, tone] = STATUS_WORDS[alert.status];
  const facts: readonly (readonly [string, Interpolation])[] = [
    ['Number', `^${alert.iid}`],
    ['Start time', momentOf(alert.started_at)],
    ['End time', alert.ended_at === null ? null : momentOf(alert.ended_at)],
    ['Events', String(alert.events)],
    ['Service', alert.service],
    ['Monitoring tool', alert.monitoring_tool],
    ['Hosts', alert.hosts.length === 0 ? null : alert.hosts.join(', ')],
    ['Environment', alert.environment?.name ?? null],
    ['Query', alert.query],
    ['Runbook', alert.runbook],
    ['Assignees', alert.assignees.map(({ username }) => `@${username}`).join(', ') || null],
    ['Incident', alert.issue_iid === null ? null : `#${alert.issue_iid}`],
  ];
  return html`<p><span class="badge ${tone}">${status}</span> <span class="badge">${alert.severity}</span></p>
    ${alert.description !== null && html`<p class="said">${alert.description}</p>`} ${factList(facts)}
    <h2>What was sent</h2>
    <p class="said raw">${payloadText(alert.payload)}</p>`;
}

/** Indents the payload unless it is long: indentation can make deeply nested JSON a hundred times longer. */
function payloadText(payload: unknown): string {
  const text = JSON.stringify(payload);
  if (text.length <= MAX_PAYLOAD) return cut(JSON.stringify(payload, null, 2));
  return cut(text);
}

const cut = (text: string): string =>
  text.length <= MAX_PAYLOAD ? text : `${text.slice(0, MAX_PAYLOAD).toWellFormed()}…`;
