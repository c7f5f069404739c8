import { html } from '#kernel/html/html.js';
import { oneLine } from '#kernel/mail/mail-template.js';
import type { Mail } from '#kernel/mail/mail.js';
import { canStop, headersOf, subjectOf, threadOf } from './mail-headers.js';
import { noteablePath } from './mail-links.js';
import type { MailScene } from './mail-scene.js';
import { clipped, firstSentence, quotedText, whyItCame } from './mail-texts.js';

/** Limit of quoted text: the mail links to the rest. */
const MAX_QUOTE = 50_000;

/** Settings of all mails of an installation. */
export interface MailSettings {
  /** Base of all URLs. */
  readonly base: string;
  /** Prefix of the service's own headers. */
  readonly headerPrefix: string;
}

/** Composes a notification mail (`planning.md` 2.4), as text and HTML; texts of users are escaped in both. */
export function notificationMail(scene: MailScene, to: string, { base, headerPrefix }: MailSettings): Mail {
  const { actor, key } = scene;
  const path = noteablePath(scene);
  const link = path === null ? base : base + path;
  const stop = canStop(scene) ? `${base}/-/sent_notifications/${key}/unsubscribe` : null;
  const said = oneLine(firstSentence(scene));
  const quoted = quotedText(scene);
  const quote = quoted === null ? null : clipped(quoted, MAX_QUOTE);
  const why = whyItCame(scene);
  const text = [
    said,
    ...(quote === null ? [] : [quote]),
    link,
    '-- ',
    why,
    ...(stop === null ? [] : [`Unsubscribe: ${stop}`]),
  ];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subjectOf(scene)}</title>
      </head>
      <body style="font-family:sans-serif;line-height:1.5;max-width:44em;margin:0 auto;padding:16px">
        <p>${said}</p>
        ${quote === null ? '' : html`<div style="white-space:pre-wrap">${quote}</div>`}
        <hr />
        <p style="color:#595959">
          ${why} <a href="${link}">View it</a>${
            stop === null ? '' : html` or <a href="${stop}">unsubscribe from it</a>`
          }.
        </p>
      </body>
    </html>`;
  return {
    to,
    ...(actor ? { fromName: oneLine(`${actor.name} (@${actor.username})`) } : {}),
    subject: subjectOf(scene),
    text: `${text.join('\n\n')}\n`,
    html: String(page),
    headers: headersOf(scene, base, headerPrefix),
    thread: threadOf(scene, new URL(base).hostname),
  };
}
