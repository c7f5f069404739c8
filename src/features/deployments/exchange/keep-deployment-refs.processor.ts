import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { makeRefs, OwnRefsService, type WantedRef } from '#core/repositories/refs/own-refs.service.js';
import { refFolder } from '../refs/deployment-refs.contribution.js';
import { KeepDeploymentRefsJob, type KeptDeployments } from '../exchange/keep-deployment-refs.job.js';

const FIND = `select d.iid, d.sha, e.slug from deployments d join environments e on e.id = d.environment_id
  where d.project_id = $1 and d.iid = any($2::bigint[])`;

interface Kept {
  readonly iid: number;
  readonly sha: string;
  readonly slug: string;
}

/**
 * Creates the refs of imported deployments; those of deployments removed in the meantime go with their
 * environment.
 */
@Injectable()
export class KeepDeploymentRefsProcessor extends JobProcessor<KeptDeployments> {
  readonly job = KeepDeploymentRefsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly refs: OwnRefsService,
  ) {
    super();
  }

  process(payload: KeptDeployments): Promise<void> {
    const { projectId, iids } = payload;
    return this.refs.change(projectId, { job: this.job, payload }, async (path) => {
      const rows = await this.database.long<Kept>(FIND, [projectId, iids]);
      const wanted = rows.map(({ iid, sha, slug }): WantedRef => ({
        ref: `${refFolder(slug)}${iid}`,
        commit: sha,
      }));
      await makeRefs(path, wanted);
    });
  }
}
