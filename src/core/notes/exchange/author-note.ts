import type { Attribution, SourceUser } from '#core/exchange/import-target.js';
import type { ImportedNote } from '../exchange/imported-note.js';

const day = (time: string | null): string => (time === null ? '' : ` on ${time.slice(0, 10)}`);

/** What means something in Markdown, or begins a line, says nothing in a name. */
const plain = (text: string): string =>
  text
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[\\`*_{}[\]()<>#+!|~@&]/g, '')
    .trim()
    .slice(0, 255);

/** Name and user name of somebody who is known at the source alone; the latter in code, as it would mention others here. */
export function nameAtSource({ name, username, sourceId }: SourceUser, fallback: string | null): string {
  const shown = plain(name ?? fallback ?? '');
  const handle = plain(username ?? '').replaceAll(' ', '');
  const code = handle === '' ? '' : `\`@${handle}\``;
  if (shown === '') return code === '' ? `user ${sourceId}` : code;
  return code === '' ? shown : `${shown} (${code})`;
}

/** What is added to a note whose author is not known here; empty for others. */
export const authorSuffix = (
  { standsInFor }: Attribution,
  fallbackName: string | null,
  createdAt: string | null,
): string =>
  standsInFor === null
    ? ''
    : `\n\n*By ${nameAtSource(standsInFor, fallbackName)}${day(createdAt)} (imported)*`;

/** The system note that says who has created a thing at the source, to be written before its other notes; none when its author is known here. */
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
