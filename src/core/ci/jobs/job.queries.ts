import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { JOB_COLUMNS, JOB_FROM, type JobRow } from './job-row.js';

const FIND = `select ${JOB_COLUMNS} from ${JOB_FROM} where j.id = $2 and j.project_id = $1 and j.kind <> 'status'`;

/** Reading jobs. */
@Injectable()
export class JobQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** One job or bridge, or null where the project has none of this id. */
  find(projectId: number, id: number): Promise<JobRow | null> {
    return this.database.one<JobRow>(FIND, [projectId, id]);
  }
}
