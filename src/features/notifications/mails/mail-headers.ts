import { digestToken } from '#kernel/crypto/tokens.js';
import type { MailThread } from '#kernel/mail/mail.js';
import { noteablePath } from './mail-links.js';
import type { MailScene } from './mail-scene.js';
import { headline } from './mail-texts.js';

/** Kinds with which a thread starts. */
const FIRST: ReadonlySet<string> = new Set(['new_issue', 'new_merge_request', 'new_epic']);

/** Longer values do not fit into a line of a mail: deeply nested groups may have such paths. */
const MAX_VALUE = 900;

const THREADS: Readonly<Record<string, string>> = {
  Issue: 'issue',
  MergeRequest: 'merge_request',
  Epic: 'epic',
  Snippet: 'snippet',
};

/** Returns the Message-ID of the mail with a key; replies and logs repeat it, so it does not show the key. */
export const messageIdOf = (key: string, host: string): string =>
  `${digestToken(key).toString('hex').slice(0, key.length)}@${host}`;

/** Returns the thread of a mail (`planning.md` 2.4); pipelines and projects have none. */
export function threadOf({ event, note, key }: MailScene, host: string): MailThread {
  const name = THREADS[event.target.type];
  const start = name === undefined ? null : `${name}_${event.target.id ?? ''}@${host}`;
  if (start !== null && FIRST.has(event.kind)) return { messageId: start };
  const idOf = (noteId: number): string => `note_${noteId}@${host}`;
  const messageId = note ? idOf(note.id) : messageIdOf(key, host);
  const references = [...(start === null ? [] : [start]), ...(note?.earlier_ids ?? []).map(idOf)];
  const last = references.at(-1);
  return last === undefined ? { messageId } : { messageId, inReplyTo: last, references };
}

/** Returns the subject; later mails of a thread reply to its first. */
export function subjectOf(scene: MailScene): string {
  const { event } = scene;
  const line = headline(scene).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const isReply = THREADS[event.target.type] !== undefined && !FIRST.has(event.kind);
  return `${isReply ? 'Re: ' : ''}${line}`;
}

/** Returns headers by which users sort their mail and programs process it. */
export function headersOf(scene: MailScene, base: string, prefix: string): Record<string, string> {
  const { event, container, subject, actor, note, reason, key } = scene;
  const { hostname } = new URL(base);
  const parts = container.full_path.split('/').reverse().join('.');
  const own: Record<string, string | number | null> = {
    ...(container.kind === 'Project'
      ? { Project: ascii(container.name), 'Project-Id': container.id, 'Project-Path': container.full_path }
      : { 'Group-Id': container.id, 'Group-Path': container.full_path }),
    ...targetHeaders(scene),
    Author: actor?.username ?? null,
    'Discussion-ID': note?.discussion_id ?? null,
    NotificationReason: reason,
    ConfidentialIssue: event.target.type === 'Issue' ? String(subject.confidential) : null,
  };
  const list = `${container.full_path} <${container.id}.${parts}.${hostname}>`;
  const headers: Record<string, string> = {
    'List-Id': list.length > MAX_VALUE ? `<${container.id}.${hostname}>` : list,
    'X-Auto-Response-Suppress': 'All',
  };
  for (const [name, value] of Object.entries(own))
    if (value !== null && String(value).length <= MAX_VALUE) headers[prefix + name] = String(value);
  if (noteablePath(scene) !== null && canStop(scene)) {
    headers['List-Unsubscribe'] = `<${base}/-/sent_notifications/${key}/unsubscribe?force=true>`;
    headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click';
  }
  return headers;
}

/** Returns whether the reader can unsubscribe from the noteable. */
export const canStop = ({ event: { target } }: Pick<MailScene, 'event'>): boolean =>
  target.type === 'Issue' || target.type === 'MergeRequest' || target.type === 'Epic';

function targetHeaders({ event: { target }, subject }: MailScene): Record<string, string | number | null> {
  if (target.type === 'Commit' || target.type === 'Project' || target.type === 'Group') return {};
  const { type } = target;
  return {
    // Filters of users know pipelines by this spelling.
    [type === 'Pipeline' ? 'Pipeline-Id' : `${type}-ID`]: subject.id,
    [`${type}-IID`]: subject.iid,
    [type === 'Pipeline' ? 'Pipeline-Status' : `${type}-State`]: subject.state,
    ...(type === 'Pipeline' ? { 'Pipeline-Ref': ascii(subject.title) } : {}),
  };
}

/** Names may contain anything; headers for programs are reduced to ASCII. */
const ascii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200);
