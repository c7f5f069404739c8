import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { SENDERS } from './monitoring-world.js';

/** Authentication of the intake of alerts and errors instead of a token. */
export const senderOf = ({ rule }: RouteDescription): (typeof SENDERS)[string] | undefined =>
  SENDERS[rule?.credential ?? ''];

/** Whether a route is a page. */
export const isPage = ({ rule }: RouteDescription): boolean => rule?.page !== undefined;

/** Returns the problem of a response, or null. */
export function judge(
  response: Response,
  text: string,
  route: RouteDescription,
  mustFail: boolean,
): string | null {
  const { status } = response;
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 400) return mustFail ? `${status}, where only a refusal is right` : null;
  if (isPage(route)) {
    const type = response.headers.get('content-type');
    return type === 'text/html; charset=utf-8' ? null : `${status} is no page: ${text.slice(0, 80)}`;
  }
  if (!route.path.startsWith('/api/') && !senderOf(route)) return null;
  if (route.method === 'HEAD') return text === '' ? null : `${status} has a body`;
  if (response.headers.get('content-type') !== 'application/json')
    return `${status} is no JSON: ${text.slice(0, 80)}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  const { message, error } = body;
  const isDocumented =
    typeof error === 'string' ||
    typeof message === 'string' ||
    (typeof message === 'object' && message !== null);
  return isDocumented ? null : `${status} has an undocumented body: ${text.slice(0, 200)}`;
}
