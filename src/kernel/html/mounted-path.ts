import type { Application } from 'express';
import type { ServerResponse } from 'node:http';

const LOCAL = 'mountedPath';

/** Attributes that contain links. Other texts cannot look like one, because their quotes are escaped. */
const LOCAL_LINK = /( (?:href|action|src)=")(?=\/(?!\/))/g;

/**
 * Tells an application the path prefix under which people reach it: that of EXTERNAL_URL, which the reverse
 * proxy removes. Empty if it has its own host.
 */
export function installMountedPath(app: Application, externalUrl: string): void {
  app.locals[LOCAL] = new URL(externalUrl).pathname.replace(/\/+$/, '');
}

const mountedPathOf = (response: ServerResponse): string =>
  ((response as ServerResponse & { app?: Application }).app?.locals[LOCAL] as string | undefined) ?? '';

/** Adds the prefix to the target of a redirect. */
export const mountedLocation = (response: ServerResponse, location: string): string =>
  /^\/(?!\/)/.test(location) ? mountedPathOf(response) + location : location;

/** Adds the prefix to the paths of the cookies of a response: services beside this one do not get them. */
export function mountCookies(response: ServerResponse): void {
  const path = mountedPathOf(response);
  const lines = response.getHeader('Set-Cookie');
  if (path === '' || lines === undefined) return;
  const mounted = (Array.isArray(lines) ? lines : [String(lines)]).map((line) =>
    line.replace('; Path=/;', () => `; Path=${path};`),
  );
  response.setHeader('Set-Cookie', mounted);
}

/** Adds the prefix to the links of a document. */
export function mountedDocument(response: ServerResponse, text: string): string {
  const path = mountedPathOf(response).replaceAll('&', '&amp;');
  return path === '' ? text : text.replace(LOCAL_LINK, (_all, begin: string) => `${begin}${path}`);
}
