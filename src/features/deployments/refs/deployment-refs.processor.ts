import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { git, gitText } from '#core/repositories/git/git.js';
import { peel } from '#core/repositories/git/resolve.js';
import { OwnRefsService } from '#core/repositories/refs/own-refs.service.js';
import { RefreshDeploymentRefsJob, type DeploymentRefsPayload } from './deployment-refs.job.js';
import { refFolder } from './deployment-refs.contribution.js';

const SHA = `select d.sha from deployments d join environments e on e.id = d.environment_id
  where d.project_id = $1 and e.slug = $2 and d.iid = $3`;

const IIDS = `select d.iid from deployments d join environments e on e.id = d.environment_id
  where e.project_id = $1 and e.slug = $2`;

/** Creates and removes the refs of deployments; like pushes, not during a storage move. */
@Injectable()
export class DeploymentRefsProcessor extends JobProcessor<DeploymentRefsPayload> {
  readonly job = RefreshDeploymentRefsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly refs: OwnRefsService,
  ) {
    super();
  }

  process(payload: DeploymentRefsPayload): Promise<void> {
    const { projectId, iid } = payload;
    return this.refs.change(projectId, { job: this.job, payload }, (path) =>
      iid === null ? this.prune(path, payload) : this.follow(path, { ...payload, iid }),
    );
  }

  /** Checks again afterwards: a concurrent removal of the deployment does not see the ref created here. */
  private async follow(path: string, payload: DeploymentRefsPayload & { iid: number }): Promise<void> {
    const ref = `${refFolder(payload.slug)}${payload.iid}`;
    let wanted = await this.shaOf(payload);
    for (;;) {
      if (wanted === null) await git(path, ['update-ref', '-d', ref]);
      else if ((await peel(path, wanted)) !== null) await git(path, ['update-ref', ref, wanted]);
      const now = await this.shaOf(payload);
      if (now === wanted) return;
      wanted = now;
    }
  }

  private async shaOf({ projectId, slug, iid }: DeploymentRefsPayload): Promise<string | null> {
    const row = await this.database.one<{ sha: string }>(SHA, [projectId, slug, iid]);
    return row?.sha ?? null;
  }

  /** Deployments of a new environment with the same slug are kept. */
  private async prune(path: string, { projectId, slug }: DeploymentRefsPayload): Promise<void> {
    const folder = refFolder(slug);
    const refs = (await gitText(path, ['for-each-ref', '--format=%(refname)', folder])).split('\n');
    const rows = await this.database.long<{ iid: number }>(IIDS, [projectId, slug]);
    const kept = new Set(['', ...rows.map(({ iid }) => `${folder}${iid}`)]);
    const input = refs.filter((ref) => !kept.has(ref)).map((ref) => `delete ${ref}\0\0`);
    if (input.length > 0) await git(path, ['update-ref', '-z', '--stdin'], { input: input.join('') });
  }
}
