import { LEGACY_IDENTIFIERS } from '../integration-values.js';

/** The name as a URL spells it: it says nothing to the service, and something to whoever reads a configuration. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'alert' : slug;
}

/** Where an integration takes payloads in, below its project (`ops.md` 5.2). */
export function intakePath(name: string, identifier: string): string {
  if (identifier === LEGACY_IDENTIFIERS.http) return '/alerts/notify.json';
  if (identifier === LEGACY_IDENTIFIERS.prometheus) return '/prometheus/alerts/notify.json';
  return `/alerts/notify/${slugOf(name)}/${identifier}.json`;
}
