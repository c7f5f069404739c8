/** One relation of a Link header: what it is called and which parameters differ from the request's own. */
export interface LinkTarget {
  readonly rel: 'prev' | 'next' | 'first' | 'last';
  readonly changes: Readonly<Record<string, string | number | undefined>>;
}

/** Credentials never travel in links. */
const SECRET = new Set(['private_token', 'access_token', 'job_token', 'bearer_token']);

/** A lone surrogate has no encoding. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Characters of all targets together: many HTTP clients refuse an answer with more than 16 KiB of headers. */
const MAX_TARGETS = 12 * 1024;
/** Relations in the order in which a client would miss them. */
const NEEDED = ['next', 'prev', 'first', 'last'] as const;

/** Characters that would end the target of a link early. */
const escapeTarget = (url: string): string => url.replace(/[<>" ]/g, encodeURIComponent);

function flatten(name: string, value: unknown, into: [string, string][]): void {
  if (Array.isArray(value)) {
    value.forEach((one) => flatten(`${name}[]`, one, into));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) flatten(`${name}[${key}]`, one, into);
  } else if (value !== undefined) {
    into.push([encode(name), encode(typeof value === 'string' ? value : JSON.stringify(value))]);
  }
}

/**
 * Writes a Link header (RFC 8288): every target repeats all parameters of the request, sorted by name, but for its changes.
 * Those that would make the header too long are left out, the least needed first. `base` is an absolute URL without query.
 */
export function linkHeader(
  base: string,
  params: Readonly<Record<string, unknown>>,
  targets: readonly LinkTarget[],
): string {
  const kept: [string, string][] = [];
  for (const [name, value] of Object.entries(params)) if (!SECRET.has(name)) flatten(name, value, kept);
  const links = new Map(targets.map(({ rel, changes }) => [rel, oneLink(base, kept, rel, changes)]));
  let length = 0;
  const fitting = NEEDED.filter(
    (rel) => (length += links.get(rel)?.length ?? 0) <= MAX_TARGETS || rel === 'next',
  );
  return [...links]
    .filter(([rel]) => fitting.includes(rel))
    .map(([, link]) => link)
    .join(', ');
}

function oneLink(
  base: string,
  kept: readonly [string, string][],
  rel: string,
  changes: LinkTarget['changes'],
): string {
  const pairs = kept.filter(([name]) => !Object.hasOwn(changes, name));
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) pairs.push([encode(name), encode(String(value))]);
  }
  pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  return `<${escapeTarget(base)}?${pairs.map((pair) => pair.join('=')).join('&')}>; rel="${rel}"`;
}
