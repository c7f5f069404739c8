import { Injectable } from '@nestjs/common';
import { digestToken, isTokenOf } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden } from '#kernel/http/errors.js';
import type { Runner } from '#core/ci/runners/runner.entity.js';
import type { PickingRunner } from '#core/ci/runners/picking.sql.js';

/** An authenticated runner. */
export interface KnownRunner extends PickingRunner {
  readonly description: string | null;
  readonly paused: boolean;
  readonly tokenExpiresAt: Date | null;
  /** Changes whenever a job has been queued since, or the runner was changed. */
  readonly tick: string;
}

/** The sequence counts queued jobs, including those taken by other runners. */
const FIND = `select r.id, r.runner_type as type, r.description, r.paused, r.tag_list as tags, r.run_untagged as "runUntagged",
    r.access_level = 'ref_protected' as "onlyProtected", r.maximum_timeout as "maximumTimeout",
    r.token_expires_at as "tokenExpiresAt",
    (select concat(s.last_value, s.is_called) from ci_pending_jobs_tick_seq s) || r.updated_at as tick
  from ci_runners r where r.token_digest = $1 and (r.token_expires_at is null or r.token_expires_at > now())`;

/** Authenticates runners by their token. */
@Injectable()
export class RunnerCredentialFinder {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds the runner of a token. @throws 403 if the token is unknown or has expired */
  async find(token: string): Promise<KnownRunner> {
    const runner = await this.database.one<KnownRunner>(FIND, [digestToken(token)]);
    if (!runner) throw forbidden();
    return runner;
  }

  /** Returns whether this is the runner's present token. */
  isOf(runner: Runner, token: string): boolean {
    return isTokenOf(runner.tokenDigest, token);
  }
}
