import type { NoteOrigin } from '#core/notes/note-origins.service.js';
import { references, relativePath } from './references.record.js';

/** The source of a system note. */
export interface NamedOrigin extends NoteOrigin {
  /** Null for a commit. */
  readonly iid: number | null;
  /** Full path of its project or group. */
  readonly path: string;
}

const KINDS = {
  Issue: ['issue', '#'],
  MergeRequest: ['merge request', '!'],
  Epic: ['epic', '&'],
} as const;

/** Returns the reference to it in a note of the project or group with this path. */
export function originText({ type, iid, sha, path }: NamedOrigin, viewedFrom: string): string {
  if (type === 'Commit') {
    const relative = relativePath(path, viewedFrom);
    return `commit ${relative === '' ? '' : `${relative}@`}${sha}`;
  }
  const [kind, sign] = KINDS[type];
  return `${kind} ${references(path, iid ?? 0, sign, viewedFrom).relative}`;
}
