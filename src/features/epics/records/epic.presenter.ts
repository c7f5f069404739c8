import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Links } from '#kernel/http/links.js';
import { readableEpicIds } from '#core/issues/epics/readable-epics.js';
import type { EpicRecord } from './epic.record.js';
import { EpicsQueries } from '../epics.queries.js';
import { presentEpic, type EpicRow } from './present-epic.js';

/**
 * Presents epics with their parents, if the caller may see those: readers of an epic may lack access to the
 * group of its parent.
 */
@Injectable()
export class EpicPresenter {
  constructor(
    private readonly database: ReadDatabase,
    private readonly queries: EpicsQueries,
    private readonly links: Links,
  ) {}

  /** Presents epics that the caller may read, in the group of the request. */
  async present(caller: Caller, rows: readonly EpicRow[]): Promise<EpicRecord[]> {
    const parentIds = rows.flatMap(({ parent }) => (parent ? [parent.id] : []));
    const view = {
      viewedFrom: caller.subject?.fullPath ?? null,
      mayChange: caller.role >= Role.Reporter,
      readableParentIds: await readableEpicIds(this.database, caller, parentIds),
    };
    return rows.map((row) => presentEpic(row, view, this.links));
  }

  /** Presents an epic, with the caller's subscription. */
  async find(caller: Caller, id: number): Promise<EpicRecord> {
    const row = await this.queries.find(id, caller.actor?.id ?? null);
    const [record] = await this.present(caller, [row]);
    return record as EpicRecord;
  }
}
