import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Set of addresses and CIDR ranges; results are cached by address. */
export class Networks {
  private readonly ranges: readonly Range[];
  private readonly known = new LRUCache<string, boolean>({ max: 1_000 });

  /** @throws Error naming an entry that is neither an address nor a range. */
  constructor(entries: readonly string[]) {
    this.ranges = entries.map(parseRange);
  }

  /** Whether the address lies in one of the ranges; anything that is not an address does not. */
  includes(address: string): boolean {
    if (this.ranges.length === 0) return false;
    const known = this.known.get(address);
    if (known !== undefined) return known;
    const parsed = parseAddress(address);
    const included =
      parsed !== undefined &&
      this.ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range));
    this.known.set(address, included);
    return included;
  }
}

/** Whether a text is an address or a CIDR range. */
export function isNetwork(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    parseRange(text);
    return true;
  } catch {
    return false;
  }
}

function parseRange(entry: string): Range {
  try {
    if (!entry.includes('/')) {
      const address = ipaddr.process(entry);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    }
    return ipaddr.parseCIDR(entry);
  } catch {
    throw new Error(`"${entry}" is neither an address nor a CIDR range`);
  }
}

/** IPv4-mapped addresses are read as IPv4; octal, decimal and abbreviated forms are not addresses. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  return ipaddr.process(bare);
}

const MAX_HOPS = 20;
const PLAIN_IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Returns the client's address: the peer of the connection or, if that is a trusted proxy, the last address
 * of X-Forwarded-For that is not one. Headers of untrusted peers are ignored.
 */
export function clientAddress(req: IncomingMessage, trusted: Networks): string {
  let client = normalize(req.socket.remoteAddress ?? '');
  if (!trusted.includes(client)) return client;
  const header = req.headers['x-forwarded-for'];
  if (header === undefined) return client;
  const hops = (Array.isArray(header) ? header.join(',') : header).split(',').slice(-MAX_HOPS).reverse();
  for (const hop of hops) {
    const address = parseAddress(withoutPort(hop.trim()));
    // If a trusted proxy passes on anything but an address, neither it nor anything before it can be trusted.
    if (!address) return client;
    client = address.toString();
    if (!trusted.includes(client)) return client;
  }
  return client;
}

function normalize(address: string): string {
  if (PLAIN_IPV4.test(address)) return address;
  return parseAddress(address)?.toString() ?? address;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return hop.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[(.*)\]:\d+$/, '$1');
}
