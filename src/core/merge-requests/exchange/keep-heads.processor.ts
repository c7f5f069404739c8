import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { makeRefs, OwnRefsService, type WantedRef } from '#core/repositories/refs/own-refs.service.js';
import { headRef } from '../code/following/merge-request-refs.service.js';
import { KeepHeadsJob, type KeptHeads } from '../exchange/keep-heads.job.js';

/** Open merge requests with a source branch update their refs themselves. */
const FIND = `select iid, head_sha as commit from merge_requests where project_id = $1 and iid = any($2::bigint[]) and head_sha is not null
  and (state in ('closed', 'merged') or source_project_id is null)`;

/** Creates the refs of imported merge requests. */
@Injectable()
export class KeepHeadsProcessor extends JobProcessor<KeptHeads> {
  readonly job = KeepHeadsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly refs: OwnRefsService,
  ) {
    super();
  }

  process(payload: KeptHeads): Promise<void> {
    const { projectId, iids } = payload;
    return this.refs.change(projectId, { job: this.job, payload }, async (path) => {
      const rows = await this.database.long<{ iid: number; commit: string }>(FIND, [projectId, iids]);
      const wanted = rows.map(({ iid, commit }): WantedRef => ({ ref: headRef(iid), commit }));
      await makeRefs(path, wanted);
    });
  }
}
