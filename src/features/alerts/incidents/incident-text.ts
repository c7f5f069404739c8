import type { AlertSeverity } from '../alert-values.js';
import { alertUrl } from '../alert-url.js';
import { alertDetails } from '../intake/formats/alert-details.js';
import { storedItem } from '../intake/formats/alertmanager-body.js';
import { codeBlock, codeSpan, cut } from './markdown-code.js';
import { detailLines } from './detail-lines.js';

/** Facts of an alert in its incident. */
export interface IncidentAlert {
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly service: string | null;
  readonly monitoring_tool: string | null;
  readonly hosts: readonly string[];
  readonly severity: AlertSeverity;
  readonly started_at: Date;
  readonly runbook: string | null;
  readonly query: string | null;
  readonly environment: string | null;
  readonly incident_markdown: string | null;
  readonly payload: unknown;
}

/** Limit of Markdown; below that of issues, since users do not read more of an alert. */
const MAX_MARKDOWN = 500_000;
const MAX_TEXT = 10_000;

/** A URL that is safe to link. */
const WEB_ADDRESS = /^https?:\/\/[^\s<>"`\\@]{1,2000}$/i;

/**
 * Composes the description of an incident (`ops.md` 5.6). Texts of the monitoring tool are shown as code;
 * only `incident_markdown`, which is meant for the incident, is Markdown.
 */
export function incidentText(alert: IncidentAlert, base: string): string {
  const { description, incident_markdown: markdown } = alert;
  const labels = storedItem(alert.payload)?.['labels'];
  const further = detailLines({
    ...(labels === undefined ? {} : { labels }),
    ...alertDetails(alert.payload),
  });
  return [
    '### Summary',
    summary(alert, base).join('\n'),
    ...(description === null ? [] : [codeBlock(cut(description, MAX_TEXT))]),
    ...(further.length === 0 ? [] : ['### Alert details', further.join('\n')]),
    ...(markdown === null ? [] : ['---', cut(markdown, MAX_MARKDOWN)]),
  ].join('\n\n');
}

function summary(alert: IncidentAlert, base: string): string[] {
  const { runbook } = alert;
  const code = (text: string | null): string => (text === null ? '' : codeSpan(cut(text, MAX_TEXT)));
  const values: readonly (readonly [string, string])[] = [
    ['Start time', alert.started_at.toISOString()],
    ['Severity', alert.severity],
    ['Service', code(alert.service)],
    ['Monitoring tool', code(alert.monitoring_tool)],
    ['Hosts', alert.hosts.map(code).join(' ')],
    ['Environment', code(alert.environment)],
    ['Query', code(alert.query)],
    ['Runbook', runbook !== null && WEB_ADDRESS.test(runbook) ? `<${runbook}>` : code(runbook)],
    ['Alert', `<${alertUrl(base, alert.project_id, alert.iid)}>`],
  ];
  return values.filter(([, value]) => value !== '').map(([name, value]) => `- **${name}:** ${value}`);
}
