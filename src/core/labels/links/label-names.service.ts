import { Injectable } from '@nestjs/common';
import { runDeferred, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { isLongerThan } from '#kernel/http/fields/text-length.js';
import { DEFAULT_COLOR } from '../label-colors.js';
import { held, type PlanningContainer } from '../reach/planning-container.js';

/** Limit of characters of any title. */
export const MAX_TITLE = 255;

interface Found {
  readonly id: number;
  readonly title: string;
  readonly project_id: number | null;
}

const findSql = (kind: keyof typeof held): string =>
  `select l.id, l.title, l.project_id from labels l where l.title = any($2::text[]) and ${held[kind]('l', '$1')}
   order by l.id for key share of l`;

const insertSql = (column: string): string =>
  `insert into labels (${column}, title, color) select $1, title, $3 from unnest($2::text[]) title order by title
   on conflict do nothing`;

/** Splits names of labels at commas, without duplicates. */
export const labelTitles = (names: readonly string[]): string[] => [
  ...new Set(
    names
      .flatMap((name) => name.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '' && !isLongerThan(name, MAX_TITLE)),
  ),
];

/** Finds labels by name, for adding them to objects. */
@Injectable()
export class LabelNamesService {
  /**
   * Returns the ids of labels of a project or group, and of the groups above, by name; a project's label
   * wins. Unknown names become new labels of the project or group if allowed, else are dropped. The labels
   * are locked until `tx` ends.
   */
  async resolve(
    tx: Tx,
    container: PlanningContainer,
    names: readonly string[],
    mayCreate: boolean,
  ): Promise<number[]> {
    return (await this.askFor(tx, container, names, mayCreate))();
  }

  /**
   * Does the same in one round trip with the next statement of `tx`; the returned function gives the result.
   */
  async askFor(
    tx: Tx,
    container: PlanningContainer,
    names: readonly string[],
    mayCreate: boolean,
  ): Promise<() => Promise<number[]>> {
    const titles = labelTitles(names);
    if (titles.length === 0) return () => Promise.resolve([]);
    const found = await this.find(tx, container, titles);
    return async () => this.complete(tx, container, titles, await found(), mayCreate);
  }

  private async complete(
    tx: Tx,
    container: PlanningContainer,
    titles: readonly string[],
    known: ReadonlyMap<string, number>,
    mayCreate: boolean,
  ): Promise<number[]> {
    const missing = titles.filter((title) => !known.has(title));
    if (missing.length === 0 || !mayCreate) return [...known.values()];
    const [column, owner] =
      'projectId' in container ? ['project_id', container.projectId] : ['group_id', container.groupId];
    await runDeferred(tx, insertSql(column), [owner, missing, DEFAULT_COLOR]);
    const made = await (await this.find(tx, container, missing))();
    return [...known.values(), ...made.values()];
  }

  private async find(
    tx: Tx,
    container: PlanningContainer,
    titles: readonly string[],
  ): Promise<() => Promise<ReadonlyMap<string, number>>> {
    const [kind, owner] =
      'projectId' in container
        ? (['project', container.projectId] as const)
        : (['group', container.groupId] as const);
    const found = await runWithNext<Found>(tx, findSql(kind), [owner, titles]);
    return async () => {
      const ids = new Map<string, number>();
      for (const { id, title, project_id: projectId } of await found())
        if (projectId !== null || !ids.has(title)) ids.set(title, id);
      return ids;
    };
  }
}
