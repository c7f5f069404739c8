import ipaddr from 'ipaddr.js';

const LOCALHOST = 'Requests to localhost are not allowed';
const LOCAL = 'Requests to the local network are not allowed';
const LINK_LOCAL = 'Requests to the link local network are not allowed';
const OTHER = 'Requests to special addresses are not allowed';

const TEXTS: Readonly<Record<string, string>> = {
  loopback: LOCALHOST,
  // Connecting to the unspecified address reaches this host.
  unspecified: LOCALHOST,
  private: LOCAL,
  uniqueLocal: LOCAL,
  carrierGradeNat: LOCAL,
  linkLocal: LINK_LOCAL,
};

/** What `ALLOW_LOCAL_REQUESTS` permits: private networks, but not the link-local services of clouds. */
const LOCAL_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * The range from which internet addresses are currently assigned. The rest of IPv6 is special, deprecated or
 * reserved.
 */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
/** For documentation (RFC 9637), unknown to the library. */
const EXAMPLES = ipaddr.IPv6.parseCIDR('3fff::/20');

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.range();
  const range = address.range();
  if (range !== 'unicast') return range;
  return address.match(GLOBAL) && !address.match(EXAMPLES) ? range : 'reserved';
}

/**
 * Returns why an address (as text, of either family) must not be connected to, or null. IPv4 addresses mapped
 * into IPv6 count as the former; those that tunnel or translate to IPv4 (6to4, Teredo, NAT64) are always
 * rejected.
 */
export function addressProblem(text: string, isLocalAllowed: boolean): string | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return OTHER;
  const range = rangeOf(ipaddr.process(text));
  if (range === 'unicast' || (isLocalAllowed && LOCAL_RANGES.has(range))) return null;
  return TEXTS[range] ?? OTHER;
}
