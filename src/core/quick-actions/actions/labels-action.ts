import type { Tx } from '#kernel/database/transactions.js';
import { reachable } from '#core/labels/reach/planning-container.js';
import { labelNamesIn, MAX_NAMES } from '../parsing/name-lists.js';
import type { WrittenCommand } from '../parsing/parse-commands.js';
import { assertMay, lastOf, shown, type AttributeAction, type CommandTarget } from '../quick-action.js';

interface KnownLabel {
  readonly id: number;
  readonly title: string;
}

const findSql = (kind: keyof typeof reachable): string =>
  `select l.id, l.title from labels l where (l.title = any($2::text[]) or l.id = any($3::bigint[])) and ${reachable[kind]('l', '$1')}
   order by l.project_id nulls last, l.id`;

const ADDS: ReadonlySet<string> = new Set(['label', 'labels']);

/** Finds existing labels; quick actions create none. */
async function known(
  tx: Tx,
  { projectId, groupId }: CommandTarget,
  names: readonly string[],
): Promise<Map<string, KnownLabel>> {
  if (names.length === 0) return new Map();
  const ids = names.filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  const [kind, container] =
    projectId === null ? (['group', groupId] as const) : (['project', projectId] as const);
  const rows = await tx.query<KnownLabel[]>(findSql(kind), [container, names, ids]);
  const found = new Map(rows.map((row) => [String(row.id), row]));
  // A matching name wins over an id, and a project's label over a group's.
  const titled = new Map([...rows].reverse().map((row) => [row.title, row]));
  return new Map(
    names.flatMap((name) => {
      const label = titled.get(name) ?? found.get(name);
      return label ? [[name, label] as const] : [];
    }),
  );
}

/** Returns the titles after the actions. */
function wanted(
  before: readonly string[],
  uses: readonly { readonly name: string; readonly titles: readonly string[]; readonly isAll: boolean }[],
): Set<string> {
  let titles = new Set(before);
  for (const use of uses) {
    if (use.name === 'relabel') titles = use.titles.length > 0 ? new Set(use.titles) : titles;
    else if (ADDS.has(use.name)) for (const title of use.titles) titles.add(title);
    else if (use.isAll) titles = new Set();
    else for (const title of use.titles) titles.delete(title);
  }
  return titles;
}

/** `/label`, `/unlabel` and `/relabel`; each applies to the result of the previous one. */
export const labelsAction: AttributeAction = {
  when: 'attributes',
  kind: 'labels',
  names: ['label', 'labels', 'unlabel', 'remove_label', 'relabel'],
  async apply({ tx, target }, uses) {
    assertMay(target.mayPlan, lastOf(uses));
    const named = namesOf(uses);
    const names = [...new Set(named.flatMap((use) => use.names))];
    const labels = await known(tx, target, names);
    const { labels: before } = await target.now();
    const after = wanted(
      before,
      named.map(({ name, names: given, isAll }) => ({
        name,
        isAll,
        titles: given.flatMap((one) => labels.get(one)?.title ?? []),
      })),
    );
    const added = [...after].filter((title) => !before.includes(title));
    const removed = before.filter((title) => !after.has(title));
    if (added.length + removed.length > 0)
      await target.change({
        ...(added.length > 0 ? { add_labels: added } : {}),
        ...(removed.length > 0 ? { remove_labels: removed } : {}),
      });
    const missing = names.filter((name) => !labels.has(name));
    const changed = await known(tx, target, [...added, ...removed]);
    const idsOf = (titles: readonly string[]): number[] =>
      titles.flatMap((title) => changed.get(title)?.id ?? []);
    return {
      changes: {
        ...(added.length > 0 ? { add_label_ids: idsOf(added) } : {}),
        ...(removed.length > 0 ? { remove_label_ids: idsOf(removed) } : {}),
      },
      said: sentences(added, removed, missing),
    };
  },
};

interface NamedUse {
  readonly name: string;
  readonly names: readonly string[];
  readonly isAll: boolean;
}

/** Returns the first two hundred names of all actions together. */
function namesOf(uses: readonly WrittenCommand[]): NamedUse[] {
  const seen = new Set<string>();
  return uses.map(({ name, argument }) => {
    const names = labelNamesIn(argument).filter((one) => seen.has(one) || seen.size < MAX_NAMES);
    for (const one of names) seen.add(one);
    return { name, names, isAll: argument === '' };
  });
}

function sentences(
  added: readonly string[],
  removed: readonly string[],
  missing: readonly string[],
): string[] {
  const listed = (titles: readonly string[]): string =>
    shown(titles.map((title) => (/^[\w-]+$/.test(title) ? `~${title}` : `~"${title}"`)).join(' '));
  const said = [
    ...(added.length > 0 ? [`Added ${listed(added)}.`] : []),
    ...(removed.length > 0 ? [`Removed ${listed(removed)}.`] : []),
    ...(missing.length > 0 ? [`Could not find ${listed(missing)}.`] : []),
  ];
  return said.length > 0 ? said : ['The labels are already set.'];
}
