import { createHash } from 'node:crypto';

const MAX_LENGTH = 24;
const SUFFIX_LENGTH = 6;
const STEM_LENGTH = MAX_LENGTH - SUFFIX_LENGTH - 1;

/** Returns a short suffix that depends on the whole name: the end of its SHA-256 in base 36. */
function suffixOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-SUFFIX_LENGTH).padStart(SUFFIX_LENGTH, '0');
}

/**
 * Returns the slug of an environment's name: at most 24 characters of a-z, 0-9 and single dashes, valid in
 * host names. A name that had to be changed gets its own suffix; `attempt` above 0 gives others, if a slug is
 * taken.
 */
export function environmentSlug(name: string, attempt = 0): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '-');
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replace(/-+/g, '-');
  if (attempt === 0 && slug === name && slug.length <= MAX_LENGTH) return slug.replace(/-$/, '');
  const stem = slug.slice(0, STEM_LENGTH).replace(/-$/, '');
  return `${stem}-${suffixOf(attempt === 0 ? name : `${name}\n${attempt}`)}`;
}
