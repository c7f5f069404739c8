import type { Attribution, SourceUser } from '#core/exchange/import-target.js';
import type { ImportedNote } from '../exchange/imported-note.js';

const day = (time: string | null): string => (time === null ? '' : ` on ${time.slice(0, 10)}`);

/** Escapes characters with a meaning in Markdown, or at the start of a line. */
const plain = (text: string): string =>
  text
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[\\`*_{}[\]()<>#+!|~@&]/g, '')
    .trim()
    .slice(0, 255);

/**
 * Returns name and username of a source user unknown here; the username as code, because it would mention a
 * local user.
 */
export function nameAtSource({ name, username, sourceId }: SourceUser, fallback: string | null): string {
  const shown = plain(name ?? fallback ?? '');
  const handle = plain(username ?? '').replaceAll(' ', '');
  const code = handle === '' ? '' : `\`@${handle}\``;
  if (shown === '') return code === '' ? `user ${sourceId}` : code;
  return code === '' ? shown : `${shown} (${code})`;
}

/** Returns the suffix of a note whose author is unknown here; empty for others. */
export const authorSuffix = (
  { standsInFor }: Attribution,
  fallbackName: string | null,
  createdAt: string | null,
): string =>
  standsInFor === null
    ? ''
    : `\n\n*By ${nameAtSource(standsInFor, fallbackName)}${day(createdAt)} (imported)*`;

/**
 * Returns the system note with the author of an object at the source, to be written before its other notes;
 * none if the author is known here.
 */
export function authorNotes(
  { userId, standsInFor }: Attribution,
  what: 'issue' | 'merge request' | 'epic' | 'snippet',
  createdAt: string | null,
): ImportedNote[] {
  if (standsInFor === null) return [];
  const name = nameAtSource(standsInFor, null);
  return [
    {
      authorId: userId,
      type: null,
      discussion: null,
      body: `imported this ${what}, which ${name} created${day(createdAt)}`,
      suffix: '',
      system: true,
      action: 'imported',
      internal: false,
      resolvedAt: null,
      resolvedById: null,
      position: null,
      createdAt: null,
      updatedAt: null,
      emoji: [],
    },
  ];
}
