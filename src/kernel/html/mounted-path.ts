import type { Application } from 'express';
import type { ServerResponse } from 'node:http';

const LOCAL = 'mountedPath';

/** Attributes that lead somewhere. Texts of others cannot look like one: their quotes are escaped. */
const LOCAL_LINK = /( (?:href|action|src)=")(?=\/(?!\/))/g;

/**
 * Tells an application below which path people reach it: that of EXTERNAL_URL, which the proxy in front takes off. Empty where it
 * has its host to itself.
 */
export function installMountedPath(app: Application, externalUrl: string): void {
  app.locals[LOCAL] = new URL(externalUrl).pathname.replace(/\/+$/, '');
}

const mountedPathOf = (response: ServerResponse): string =>
  ((response as ServerResponse & { app?: Application }).app?.locals[LOCAL] as string | undefined) ?? '';

/** A redirect as the browser must be told it. */
export const mountedLocation = (response: ServerResponse, location: string): string =>
  /^\/(?!\/)/.test(location) ? mountedPathOf(response) + location : location;

/** A document whose links lead to where people reach its pages. */
export function mountedDocument(response: ServerResponse, text: string): string {
  const path = mountedPathOf(response).replaceAll('&', '&amp;');
  return path === '' ? text : text.replace(LOCAL_LINK, (_all, begin: string) => `${begin}${path}`);
}
