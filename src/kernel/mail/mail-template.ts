import { html } from '#kernel/html/html.js';
import type { Mail } from './mail.js';

/** Parts of an email from the service to a person: plain texts, from which both formats are made. */
export interface MailTemplate {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** The main action for the reader. */
  readonly action?: Readonly<{ label: string; url: string }>;
  readonly ending: string;
}

/** Renders a mail as text and as HTML. User names in it are shown as plain text in both. */
export function renderMail({ to, subject, greeting, paragraphs, action, ending }: MailTemplate): Mail {
  const before = [greeting, ...paragraphs].map(oneLine);
  const text = [...before, ...(action ? [action.url] : []), oneLine(ending)].join('\n\n');
  const button =
    action &&
    html`<p>
        <a
          href="${action.url}"
          style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fbf;color:#ffffff"
          >${action.label}</a
        >
      </p>
      <p>Or copy this address into your browser:<br />${action.url}</p>`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body style="font-family:sans-serif;line-height:1.5;max-width:36em;margin:0 auto;padding:16px">
        ${before.map((line) => html`<p>${line}</p> `)} ${button}
        <p>${oneLine(ending)}</p>
      </body>
    </html>`;
  return { to, subject, text: `${text}\n`, html: String(page) };
}

/** A line break in a name must not make it look like a paragraph of ours, nor like another header. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');
