import { hashOf, lineOf, textOf } from './event-text.js';
import { MAX_DESCRIPTION, MAX_NAME, type Origin } from './origin.js';

/** A message: its text with the values in place, and the template that all of its kind share. */
interface Message {
  readonly template: string;
  readonly text: string;
}

/** `message` is a text or the same hash as `logentry`: `{message, formatted, params}`. */
function messageOf(value: unknown): Message | null {
  const plain = textOf(value, MAX_DESCRIPTION);
  if (plain !== null) return { template: plain, text: plain };
  const entry = hashOf(value);
  const template = textOf(entry?.['message'], MAX_DESCRIPTION);
  const text = textOf(entry?.['formatted'], MAX_DESCRIPTION) ?? template;
  return text === null ? null : { template: template ?? text, text };
}

/** What an event says that reports a message; null where it has none. */
export function messageOrigin(
  event: Readonly<Record<string, unknown>>,
  level: string,
  transaction: string | null,
): Origin | null {
  const message = messageOf(event['logentry']) ?? messageOf(event['message']);
  if (!message) return null;
  const place = transaction ?? lineOf(event['logger'], MAX_NAME);
  const name = lineOf(message.template, MAX_NAME) ?? 'Message';
  return { name, description: message.text, place, key: ['message', level, message.template] };
}
