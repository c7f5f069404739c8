import type { HttpError } from '#kernel/http/errors.js';

const STATUS: Readonly<Record<number, string>> = {
  401: 'this action needs re-authentication',
  403: 'you are not allowed to do that',
  404: 'it does not exist or you cannot access it',
  405: 'its state does not allow it',
  409: 'it was changed in the meantime',
};

/** Returns the reason of a rejection by a service, to follow a colon. */
export function reasonOf({ status, body }: HttpError): string {
  const said = textsOf(body?.['message'] ?? body?.['error']).filter((text) => !/^\d{3} /.test(text));
  const text = said.join(', ').replace(/[.!]$/, '');
  return text === '' ? (STATUS[status] ?? 'it cannot be done') : text;
}

function textsOf(message: unknown): string[] {
  if (typeof message === 'string') return [message];
  if (Array.isArray(message)) return message.flatMap(textsOf);
  if (typeof message !== 'object' || message === null) return [];
  return Object.entries(message).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${textsOf(value).join(', ')}`,
  );
}
