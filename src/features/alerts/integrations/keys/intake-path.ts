import { LEGACY_IDENTIFIERS } from '../integration-values.js';

/** Name in the URL: ignored by the service, but helpful to readers of a configuration. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'alert' : slug;
}

/** Returns the intake path of an integration, below its project (`ops.md` 5.2). */
export function intakePath(name: string, identifier: string): string {
  if (identifier === LEGACY_IDENTIFIERS.http) return '/alerts/notify.json';
  if (identifier === LEGACY_IDENTIFIERS.prometheus) return '/prometheus/alerts/notify.json';
  return `/alerts/notify/${slugOf(name)}/${identifier}.json`;
}
