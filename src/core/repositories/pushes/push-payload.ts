import { actionOf, branchOf, NO_OBJECT, tagOf, type RefChange } from './ref-change.js';

/** Data of a push in an activity event (`planning.md` 1.5). */
export type PushPayload = {
  readonly commit_count: number;
  readonly action: 'created' | 'removed' | 'pushed';
  readonly ref_type: 'branch' | 'tag';
  readonly commit_from: string | null;
  readonly commit_to: string | null;
  readonly ref: string | null;
  readonly commit_title: string | null;
  readonly ref_count: number | null;
};

/** A change with facts from git. */
export interface DescribedChange {
  readonly change: RefChange;
  readonly commitCount: number;
  /** First line of the message of the newest commit, or null. */
  readonly title: string | null;
}

const MAX_TITLE = 70;

/**
 * Groups changes by ref type and action: a group larger than `limit` becomes one payload, others one per
 * change.
 */
export function pushPayloads(described: readonly DescribedChange[], limit: number): PushPayload[] {
  const groups = groupsOf(described, ({ change }) => change);
  return groups.flatMap((group) => (group.length > limit ? [bulk(group)] : group.map(single)));
}

/** Returns the changes that get their own payload under this limit. */
export function toldSingly(changes: readonly RefChange[], limit: number): Set<RefChange> {
  return new Set(
    groupsOf(changes, (change) => change)
      .filter(({ length }) => length <= limit)
      .flat(),
  );
}

/** Groups by ref type and action; skips refs that are neither branches nor tags. */
function groupsOf<T>(items: readonly T[], changeOf: (item: T) => RefChange): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const change = changeOf(item);
    const type = typeOf(change);
    if (type === null) continue;
    const key = `${type} ${actionOf(change)}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

const typeOf = (change: RefChange): 'branch' | 'tag' | null =>
  branchOf(change) !== null ? 'branch' : tagOf(change) !== null ? 'tag' : null;

function bulk(group: readonly DescribedChange[]): PushPayload {
  const first = (group[0] as DescribedChange).change;
  return {
    commit_count: 0,
    action: actionOf(first),
    ref_type: typeOf(first) ?? 'branch',
    commit_from: null,
    commit_to: null,
    ref: null,
    commit_title: null,
    ref_count: group.length,
  };
}

function single({ change, commitCount, title }: DescribedChange): PushPayload {
  return {
    commit_count: change.after === NO_OBJECT ? 0 : commitCount,
    action: actionOf(change),
    ref_type: typeOf(change) ?? 'branch',
    commit_from: change.before === NO_OBJECT ? null : change.before,
    commit_to: change.after === NO_OBJECT ? null : change.after,
    ref: branchOf(change) ?? tagOf(change),
    commit_title: title === null ? null : shorten(title.trim()),
    ref_count: null,
  };
}

/** Cuts by characters: PostgreSQL does not store half of one. */
function shorten(title: string): string {
  const characters = Array.from(title);
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 3).join('')}...` : title;
}
