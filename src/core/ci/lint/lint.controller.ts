import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { JsonText } from '#kernel/http/json-text.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { JOB_WRITE, askedBy } from '../jobs/job-access.js';
import { LintConfig } from './lint-config.use-case.js';
import { LintCommitParams, LintTextParams } from './lint.params.js';
import { LintRecord } from './lint.record.js';

/** Access for signed-in users who can read the code, since checks take CPU time. */
const LINT_COMMIT = { project: Role.Reporter, publicRead: true, feature: 'repository' } as const;

const TOO_MUCH = {
  422: 'The check takes too much time or memory, or its result is too long',
  429: 'Other requests of the same user are waiting',
};

/** Checks `.gitlab-ci.yml`. */
@Controller('api/v4/projects/:id/ci/lint')
export class LintController {
  constructor(private readonly lint: LintConfig) {}

  @Get()
  @Access(LINT_COMMIT)
  @Returns(LintRecord)
  @Refuses(TOO_MUCH)
  async commit(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: LintCommitParams,
  ): Promise<JsonText> {
    if (params.dry_run && caller.role < Role.Developer) throw forbidden();
    const found = await this.lint.run(project, {
      content: null,
      commit: params.content_ref ?? params.sha ?? null,
      pusher: params.dry_run && caller.actor ? askedBy(caller) : null,
      ref: params.dry_run_ref ?? params.ref ?? project.defaultBranch ?? '',
      withJobs: params.include_jobs ?? false,
    });
    if (!found) throw notFound('Commit');
    return found;
  }

  @Post()
  @Access(JOB_WRITE)
  @Returns(LintRecord)
  @Refuses(TOO_MUCH)
  async text(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { content, dry_run: isTried = false, include_jobs: withJobs = false, ref }: LintTextParams,
  ): Promise<JsonText> {
    const found = await this.lint.run(project, {
      content,
      commit: null,
      pusher: isTried && caller.actor ? askedBy(caller) : null,
      ref: ref ?? project.defaultBranch ?? '',
      withJobs,
    });
    if (!found) throw notFound('Commit');
    return found;
  }
}
