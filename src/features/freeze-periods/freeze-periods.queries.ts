import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { FreezePeriodRow } from './freeze-period.record.js';

/**
 * By project and id instead of only id, so that the index of the project is used instead of the primary key.
 */
const LIST: ListShape = {
  kind: 'FreezePeriod',
  select: 'f.id, f.project_id, f.freeze_start, f.freeze_end, f.cron_timezone, f.created_at, f.updated_at',
  from: 'freeze_periods f',
  key: 'f.id',
  keyset: { id: byOwner('f') },
};

const ALL = `select ${LIST.select} from freeze_periods f where f.project_id = $1 order by f.created_at, f.id`;
const ONE = `select ${LIST.select} from freeze_periods f where f.id = $2 and f.project_id = $1`;

/**
 * All periods of the project $1 if it enforces them, with a shared lock: a change afterwards sees what waits
 * for it.
 */
export const ENFORCED_PERIODS = `select ${LIST.select} from projects p join freeze_periods f on f.project_id = p.id
  where p.id = $1 and p.settings -> 'enforce_freeze_periods' = 'true' order by f.id for share of f`;

/** Reads freeze periods. */
@Injectable()
export class FreezePeriodsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the freeze periods of a project, oldest first. */
  list(projectId: number): ListQuery<FreezePeriodRow> {
    return new ListQuery<FreezePeriodRow>(LIST)
      .of('f.project_id', projectId)
      .orderBy('f.created_at', 'asc')
      .fromReplica();
  }

  /** Returns all of them. */
  ofProject(projectId: number): Promise<FreezePeriodRow[]> {
    return this.database.short<FreezePeriodRow>(ALL, [projectId]);
  }

  /** Returns a freeze period; null if the project has none with this id. */
  find(projectId: number, id: number): Promise<FreezePeriodRow | null> {
    return this.database.one<FreezePeriodRow>(ONE, [projectId, id]);
  }
}
