import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { VERSION_COLUMNS, type MergeRequestVersionRow } from './merge-request-version.record.js';

const LIST: ListShape = {
  kind: 'MergeRequestVersion',
  select: VERSION_COLUMNS,
  from: 'merge_request_versions v',
  key: 'v.id',
};

const FIND = `select ${VERSION_COLUMNS} from merge_request_versions v where v.id = $1`;

/** Reads versions of merge requests. */
@Injectable()
export class MergeRequestVersionsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the versions of a merge request, newest first. */
  list(mergeRequestId: number): ListQuery<MergeRequestVersionRow> {
    return new ListQuery<MergeRequestVersionRow>(LIST)
      .of('v.merge_request_id', mergeRequestId)
      .orderBy('v.id', 'desc');
  }

  /** Returns an existing version. */
  find(id: number): Promise<MergeRequestVersionRow> {
    return this.database.always<MergeRequestVersionRow>(FIND, [id]);
  }
}
