import { html, type Html } from '#kernel/html/html.js';
import type { Mail } from '#kernel/mail/mail.js';
import { oneLine } from '#kernel/mail/mail-template.js';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '../alert-values.js';
import { alertUrl } from '../alert-url.js';

/** The project of the alerts. */
export interface MailedProject {
  readonly id: number;
  readonly name: string;
  readonly full_path: string;
}

/** Facts of an alert in mails. */
export interface MailedAlert {
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly severity: number;
  readonly status: number;
  readonly service: string | null;
  readonly monitoring_tool: string | null;
  readonly hosts: readonly string[];
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly events_count: number;
  readonly environment: string | null;
  readonly incident_iid: number | null;
}

/** Recipient and content of a mail. */
export interface AlertMailContent {
  readonly to: string;
  readonly project: MailedProject;
  /** At least one. */
  readonly alerts: readonly MailedAlert[];
  /** Number of further alerts. */
  readonly further: number;
}

/** Settings of all mails of an installation. */
interface MailSettings {
  readonly base: string;
  readonly headerPrefix: string;
}

/** Limit of the path, which occurs twice in a header. */
const MAX_PATH = 300;

const trimmed = (text: string): string => oneLine(text).trim();

const statusOf = ({ status }: MailedAlert): string => ALERT_STATUSES[status] ?? 'triggered';
const wordFor = (alert: MailedAlert): string => (statusOf(alert) === 'resolved' ? 'Resolved alert' : 'Alert');
const time = (at: Date): string =>
  at
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');

/** Returns the facts of an alert as pairs of name and value. */
function facts(alert: MailedAlert, project: MailedProject, base: string): [string, string][] {
  const { hosts, ended_at: endedAt, incident_iid: incident } = alert;
  const all: [string, string | null][] = [
    ['Severity', ALERT_SEVERITIES[alert.severity] ?? 'unknown'],
    ['Status', statusOf(alert)],
    ['Start time', time(alert.started_at)],
    ['End time', endedAt === null ? null : time(endedAt)],
    ['Service', alert.service],
    ['Monitoring tool', alert.monitoring_tool],
    ['Hosts', hosts.length === 0 ? null : hosts.join(', ')],
    ['Environment', alert.environment],
    ['Events', alert.events_count > 1 ? String(alert.events_count) : null],
    ['Incident', incident === null ? null : `${base}/${project.full_path}/-/issues/${incident}`],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, trimmed(value)]]));
}

function subjectOf({ project, alerts, further }: AlertMailContent): string {
  const [first] = alerts;
  const total = alerts.length + further;
  const what = first && total === 1 ? `${wordFor(first)}: ${first.title}` : `${total} alerts`;
  return trimmed(`${project.name} | ${what}`).slice(0, 400).toWellFormed();
}

function textOf(alert: MailedAlert, project: MailedProject, base: string): string {
  return [
    `${wordFor(alert)}: ${trimmed(alert.title)}`,
    ...facts(alert, project, base).map(([name, value]) => `${name}: ${value}`),
    ...(alert.description === null ? [] : ['', alert.description, '']),
    alertUrl(base, project.id, alert.iid),
  ].join('\n');
}

function htmlOf(alert: MailedAlert, project: MailedProject, base: string): Html {
  return html`<h2 style="font-size:1.1em">
      ${wordFor(alert)}: <a href="${alertUrl(base, project.id, alert.iid)}">${trimmed(alert.title)}</a>
    </h2>
    <ul>
      ${facts(alert, project, base).map(([name, value]) => html`<li><strong>${name}:</strong> ${value}</li> `)}
    </ul>
    ${alert.description === null ? '' : html`<div style="white-space:pre-wrap">${alert.description}</div>`}`;
}

/** Headers by which users sort their mail; the path of a project deep in groups may be too long. */
function listHeaders(
  { id, full_path: path }: MailedProject,
  base: string,
  prefix: string,
): Record<string, string> {
  const { hostname } = new URL(base);
  const number = { [`${prefix}Project-Id`]: String(id) };
  if (path.length > MAX_PATH) return { ...number, 'List-Id': `<${id}.${hostname}>` };
  const listId = `${id}.${path.split('/').reverse().join('.')}.${hostname}`;
  return { ...number, 'List-Id': `${path} <${listId}>`, [`${prefix}Project-Path`]: path };
}

/**
 * Composes the mail to a maintainer about alerts, as text and HTML; texts of monitoring tools are escaped in
 * both.
 */
export function alertMail(content: AlertMailContent, { base, headerPrefix }: MailSettings): Mail {
  const { to, project, alerts, further } = content;
  const [only] = alerts;
  const subject = subjectOf(content);
  const more = further === 0 ? null : `And ${further} more.`;
  const why = `You get this mail because you maintain ${project.full_path}, which mails its alerts.`;
  const text = [
    ...alerts.map((alert) => textOf(alert, project, base)),
    ...(more === null ? [] : [more]),
    `-- \n${why}`,
  ];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="font-family:sans-serif;line-height:1.5;max-width:44em;margin:0 auto;padding:16px">
        ${alerts.map((alert) => htmlOf(alert, project, base))} ${more === null ? '' : html`<p>${more}</p>`}
        <hr />
        <p style="color:#595959">${why}</p>
      </body>
    </html>`;
  return {
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: String(page),
    headers: {
      'X-Auto-Response-Suppress': 'All',
      ...listHeaders(project, base, headerPrefix),
      ...(only && alerts.length + further === 1 ? { [`${headerPrefix}Alert-IID`]: String(only.iid) } : {}),
    },
  };
}
