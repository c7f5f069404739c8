import { git } from '../git/git.js';
import { isoTime } from '../objects/iso-time.js';
import { commitsById, TAGS, type Ref } from '../refs/read-refs.js';
import { withoutLineEnds } from './line-ends.js';
import type { Tag } from './tag.record.js';

const PARTS = ['%(refname)', '%(objecttype)', '%(*objecttype)', '%(*objectname)', '%(taggerdate:raw)'];
/** The message of an annotated tag; a commit's message does not count. */
const MESSAGE = '%(if:equals=tag)%(objecttype)%(then)%(contents)%(end)';
const FORMAT = [...PARTS, MESSAGE].map((part) => `${part}%00`).join('');

/** Facts about a tag from git. */
interface Annotation {
  readonly type: string;
  /** Type of the object that an annotated tag names. */
  readonly innerType: string;
  readonly innerId: string;
  readonly date: string;
  readonly message: string;
}

/**
 * Reads tags with their messages and commits, in the order of the refs; uses two processes, a third if a tag
 * names another tag.
 */
export async function readTags(
  path: string,
  refs: readonly Ref[],
  isProtected: (name: string) => boolean,
): Promise<Tag[]> {
  if (refs.length === 0) return [];
  const annotations = await readAnnotations(path, refs);
  const commitIds = await commitIdsOf(path, refs, annotations);
  const commits = await commitsById(path, [...new Set(commitIds.values())]);
  return refs.flatMap(({ name, id }) => {
    const annotation = annotations.get(name);
    if (!annotation) return [];
    const { type, date, message } = annotation;
    return [
      {
        name,
        target: id,
        message: type === 'tag' ? withoutLineEnds(message) : null,
        taggedAt: date === '' ? null : isoTime(date),
        commit: commits.get(commitIds.get(name) ?? '') ?? null,
        protected: isProtected(name),
      },
    ];
  });
}

async function readAnnotations(path: string, refs: readonly Ref[]): Promise<Map<string, Annotation>> {
  const names = refs.map(({ name }) => TAGS + name);
  const output = await git(path, ['for-each-ref', `--format=${FORMAT}`, ...names]);
  const parts = output.toString('utf8').split('\0');
  const width = PARTS.length + 1;
  const found = new Map<string, Annotation>();
  for (let at = 0; at + width <= parts.length; at += width) {
    const [ref = '', type = '', innerType = '', innerId = '', date = '', message = ''] = parts.slice(
      at,
      at + width,
    );
    // Each record starts with the line end of the previous one.
    const name = ref.trimStart().slice(TAGS.length);
    found.set(name, { type, innerType, innerId, date, message });
  }
  return found;
}

/** Resolves tags to commits, by the names of the tags. */
async function commitIdsOf(
  path: string,
  refs: readonly Ref[],
  annotations: ReadonlyMap<string, Annotation>,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const nested: Ref[] = [];
  for (const ref of refs) {
    const { type, innerType, innerId } = annotations.get(ref.name) ?? {};
    if (type === 'commit') ids.set(ref.name, ref.id);
    else if (innerType === 'commit' && innerId) ids.set(ref.name, innerId);
    else if (innerType === 'tag') nested.push(ref);
  }
  if (nested.length === 0) return ids;
  const input = nested.map(({ id }) => `${id}^{commit}\n`).join('');
  const output = await git(path, ['cat-file', '--batch-check=%(objectname)'], { input });
  const lines = output.toString('utf8').split('\n');
  for (const [index, { name }] of nested.entries()) {
    const id = lines[index] ?? '';
    // Git reports tags without a commit as missing.
    if (/^[0-9a-f]{40}$/.test(id)) ids.set(name, id);
  }
  return ids;
}
