import { Injectable } from '@nestjs/common';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { JobTokensPort, RunningJob } from '#core/repositories/job-tokens.port.js';
import { jobReachSql } from './job-reach.sql.js';

const RUNNING = `select j.user_id, j.project_id from ci_jobs j join projects p on p.id = j.project_id and not p.pending_delete
  where j.token_digest = $1 and j.status = 'running' and j.erased_at is null and j.user_id is not null`;

const REACHES = `select 1 from projects s, projects t where s.id = $1 and t.id = $2 and ${jobReachSql('s', 't')}`;

/** Resolves job tokens for git; a token is valid only while its job runs. */
@Injectable()
export class RunningJobQueries implements JobTokensPort {
  constructor(private readonly database: ReadDatabase) {}

  async find(token: string): Promise<RunningJob | null> {
    const job = await this.database.one<{ user_id: number; project_id: number }>(RUNNING, [
      digestToken(token),
    ]);
    if (!job) return null;
    return {
      userId: job.user_id,
      reaches: async (projectId) =>
        projectId === job.project_id ||
        (await this.database.one(REACHES, [job.project_id, projectId])) !== null,
    };
  }
}
