import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { within } from '#kernel/time/within.js';
import { addressProblem } from './address-rules.js';
import { UrlBlocked } from './url-blocked.js';

/** A URL that may be called, with its checked addresses: connect to one of these and nowhere else. */
export interface CheckedUrl {
  readonly url: URL;
  /** Host without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly LookupAddress[];
}

/** Looks up all addresses of a host name; an address resolves to itself. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const lookup = promisify(dnsLookup);
const LOOKUP_MS = 10_000;
const MAX_URL = 8_192;

const byDns: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * A DNS name or an address. Other programs that receive the host (curl) interpret special characters at its
 * start, and dots at its end, in their own ways.
 */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)$/;

/** Decides which user-supplied URLs this service may call. */
@Injectable()
export class OutboundUrls {
  /** Replaced in tests. */
  protected resolve: Resolve = byDns;

  constructor(private readonly config: Config) {}

  /** Checks scheme, form, and every address of the host. @throws UrlBlocked */
  async check(text: string): Promise<CheckedUrl> {
    const url = parse(text);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const addresses = await this.addressesOf(host);
    if (!this.config.OUTBOUND_ALLOWLIST.some((each) => each.toLowerCase() === `${host}:${port}`)) {
      for (const { address } of addresses) {
        const problem = addressProblem(address, this.config.ALLOW_LOCAL_REQUESTS);
        if (problem !== null) throw new UrlBlocked(problem);
      }
    }
    return { url, host, port, addresses };
  }

  private async addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const nobody = (): readonly LookupAddress[] => [];
    const found = await within(LOOKUP_MS, this.resolve(host).catch(nobody), nobody);
    if (found.length === 0) throw new UrlBlocked('Host cannot be resolved or invalid', false);
    return found;
  }
}

function parse(text: string): URL {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new UrlBlocked(/^https?:/i.test(text) ? 'URL is invalid' : SCHEMES);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new UrlBlocked(SCHEMES);
  if (url.username !== '' || url.password !== '') throw new UrlBlocked('User information is not allowed');
  if (!HOST.test(url.hostname) || url.port === '0') throw new UrlBlocked('URL is invalid');
  return url;
}

const SCHEMES = 'Only allowed schemes are http, https';
