import ipaddr from 'ipaddr.js';
import { requestContext } from '#kernel/log/request-context.js';

/**
 * Key by which rate limits count clients: an IPv4 address, or the network of an IPv6 one. A client with any
 * IPv6 address has all 2^64 of its network (RFC 4291 2.5.1), and could start over with each of them.
 */
export function clientKeyOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return `ip:${address}`;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `ip:${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The same for the client of the current request. */
export const clientKey = (): string => clientKeyOf(requestContext.getStore()?.remoteIp ?? '');
