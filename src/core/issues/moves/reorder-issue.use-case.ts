import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { nothingGiven, notFound } from '#kernel/http/errors.js';
import { positionBetween } from '#core/issuables/positions.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { IssueFinder } from '../issue.finder.js';
import { Issue } from '../issue.entity.js';
import type { ReorderIssueParams } from '../issues.params.js';

/** Distance of neighbours, which leaves room for nine others between them before a spread. */
const GAP = 512;
/** Maximum of 32-bit positions; spread positions use half of the range. */
const MAX = 2_147_483_647;
const SPREAD_OVER = 2_000_000_000;

const NEIGHBOURS = `select i.id, i.relative_position from issues i where i.project_id = $1 and i.id = any($2::bigint[])`;

const FRESH = `from issues where project_id = $1 and relative_position is null and id <= $2`;

/** Whether issues without a position, up to the last one needed, fit after all others. */
const HAS_ROOM = `select coalesce((select max(relative_position) from issues where project_id = $1), 0)
  + ${GAP} * (select count(*) ${FRESH}) <= ${MAX} as room`;

/** Assigns positions to them there, by id. */
const APPEND = `update issues i set relative_position = last.position + least(${GAP}, (${MAX} - last.position) / fresh.count) * fresh.number
  from (select coalesce(max(relative_position), 0)::bigint as position from issues where project_id = $1) last,
    (select id, row_number() over (order by id) as number, count(*) over () as count ${FRESH}) fresh
  where i.id = fresh.id`;

/** Spreads existing positions again, on both sides of 0. */
const SPREAD = `update issues i set relative_position = (fresh.number - fresh.count / 2) * least(${GAP}, ${SPREAD_OVER} / fresh.count)
  from (select id, row_number() over (order by relative_position, id) as number, count(*) over () as count from issues
    where project_id = $1 and relative_position is not null) fresh
  where i.id = fresh.id`;

/** Positions around the gap, ignoring the moved issue. */
const GAP_AFTER = `select $2::integer as low, (select min(relative_position) from issues
  where project_id = $1 and relative_position > $2 and id <> $3) as high`;
const GAP_BEFORE = `select (select max(relative_position) from issues
  where project_id = $1 and relative_position < $2 and id <> $3) as low, $2::integer as high`;

interface Gap {
  readonly low: number | null;
  readonly high: number | null;
}

/** Orders issues manually. Changes in a project are serialized. */
@Injectable()
export class ReorderIssue {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: IssueFinder,
  ) {}

  /** Moves an issue right after or before another. @throws 400, 403, 404 */
  async run(caller: ProjectCaller, params: ReorderIssueParams): Promise<void> {
    const { move_after_id: after, move_before_id: before } = params;
    const { facts } = await this.access.toChange(caller, params.issue_iid, 'plan');
    if (after === undefined && before === undefined) throw nothingGiven();
    const { id, project_id: projectId } = facts;
    await this.transactions.run(async (tx) => {
      await tx.query(LOCK_PROJECT, [projectId]);
      for (const isSpread of [false, true]) {
        const gap = await this.gap(tx, projectId, id, after, before);
        const position = positionBetween(gap.low, gap.high);
        if (position !== null) {
          await tx.update(Issue, { id }, { relativePosition: position, updatedAt: clock });
          return;
        }
        if (!isSpread) await tx.query(SPREAD, [projectId]);
      }
    });
  }

  private async gap(
    tx: Tx,
    projectId: number,
    id: number,
    after: number | undefined,
    before: number | undefined,
  ): Promise<Gap> {
    const ids = [after, before].filter((one) => one !== undefined);
    const read = async (): Promise<Map<number, number | null>> => {
      const rows = await tx.query<{ id: number; relative_position: number | null }[]>(NEIGHBOURS, [
        projectId,
        ids,
      ]);
      return new Map(rows.map((row) => [row.id, row.relative_position]));
    };
    let positions = await read();
    if (ids.some((one) => !positions.has(one) || one === id)) throw notFound('Issue');
    const unordered = ids.filter((one) => positions.get(one) === null);
    if (unordered.length > 0) {
      const values = [projectId, Math.max(...unordered)];
      const [has] = await tx.query<{ room: boolean }[]>(HAS_ROOM, values);
      if (has?.room !== true) await tx.query(SPREAD, [projectId]);
      await tx.query(APPEND, values);
      positions = await read();
    }
    const positionOf = (one: number | undefined): number | null =>
      one === undefined ? null : (positions.get(one) ?? null);
    const [low, high] = [positionOf(after), positionOf(before)];
    // Clients name both in either order.
    if (low !== null && high !== null && low !== high)
      return { low: Math.min(low, high), high: Math.max(low, high) };
    const [text, edge] = low === null ? [GAP_BEFORE, high] : [GAP_AFTER, low];
    const [gap] = await tx.query<Gap[]>(text, [projectId, edge, id]);
    return gap ?? { low: null, high: null };
  }
}
