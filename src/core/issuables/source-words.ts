import type { NoteOrigin } from '#core/notes/note-origins.service.js';
import { references, relativePath } from './references.record.js';

/** Something that a system note on another thing tells of. */
export interface NamedSource extends NoteOrigin {
  /** Null for a commit. */
  readonly iid: number | null;
  /** Full path of its project, or group. */
  readonly path: string;
}

const KINDS = {
  Issue: ['issue', '#'],
  MergeRequest: ['merge request', '!'],
  Epic: ['epic', '&'],
} as const;

/** How a note in the project or group of that path names it. */
export function sourceWords({ type, iid, sha, path }: NamedSource, viewedFrom: string): string {
  if (type === 'Commit') {
    const place = relativePath(path, viewedFrom);
    return `commit ${place === '' ? '' : `${place}@`}${sha}`;
  }
  const [kind, sign] = KINDS[type];
  return `${kind} ${references(path, iid ?? 0, sign, viewedFrom).relative}`;
}
