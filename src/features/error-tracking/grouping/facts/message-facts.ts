import { plainObjectOf } from '#kernel/http/plain-object.js';
import { lineOf, textOf } from './event-text.js';
import { MAX_DESCRIPTION, MAX_NAME, type Origin } from './origin.js';

/** A message: its text with values, and its template without them. */
interface Message {
  readonly template: string;
  readonly text: string;
}

/** `message` is a text or the same hash as `logentry`: `{message, formatted, params}`. */
function messageOf(value: unknown): Message | null {
  const plain = textOf(value, MAX_DESCRIPTION);
  if (plain !== null) return { template: plain, text: plain };
  const entry = plainObjectOf(value);
  const template = textOf(entry?.['message'], MAX_DESCRIPTION);
  const text = textOf(entry?.['formatted'], MAX_DESCRIPTION) ?? template;
  return text === null ? null : { template: template ?? text, text };
}

/** Returns the origin of an event that reports a message; null if it has none. */
export function messageOrigin(
  event: Readonly<Record<string, unknown>>,
  level: string,
  transaction: string | null,
): Origin | null {
  const message = messageOf(event['logentry']) ?? messageOf(event['message']);
  if (!message) return null;
  const location = transaction ?? lineOf(event['logger'], MAX_NAME);
  const name = lineOf(message.template, MAX_NAME) ?? 'Message';
  return { name, description: message.text, location, key: ['message', level, message.template] };
}
