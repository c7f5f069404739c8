import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { expandVariables, valuesOf } from '#core/ci/config/expand.js';
import { JobVariablesService } from '#core/ci/creation/job-variables.service.js';
import { StoredJobDefinition } from '#core/ci/jobs/definition/job-definition.entity.js';
import type { JobEnvironment } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { Environment } from '#core/environments/environment.entity.js';
import { EnvironmentProtectionsPolicy } from '#core/environments/protection/environment-protections.policy.js';
import { externalUrlProblem } from '#core/environments/naming/external-url.js';
import { parseDuration } from '#core/instance/duration.js';

const OWN_REPORT = 'select key, value from ci_job_variables where job_id = $1 order by key';

/** Updates environments after jobs have deployed to them. */
@Injectable()
export class JobEnvironmentsService {
  constructor(
    private readonly variables: JobVariablesService,
    private readonly protections: EnvironmentProtectionsPolicy,
  ) {}

  /**
   * After a success: the environment becomes available, with the URL and stop time of the job, and its tier
   * if the user may choose it.
   */
  async deployed(tx: Tx, job: Job, environmentId: number): Promise<Environment> {
    const environment = await tx.findOneByOrFail(Environment, { id: environmentId });
    const stored = await tx.findOneBy(StoredJobDefinition, { jobId: job.id });
    const said = stored?.definition.environment;
    environment.state = 'available';
    environment.autoDeleteAt = null;
    if (stored && said) {
      const expanded = await this.expandedBy(tx, job, stored, said);
      const url = expanded(said.url).trim();
      if (url !== '' && externalUrlProblem(url) === null) environment.externalUrl = url;
      environment.tier = await this.protections.tierByJob(tx, environment, said.deploymentTier, job.userId);
      environment.autoStopAt = stopTime(expanded(said.autoStopIn));
    }
    return tx.save(environment);
  }

  /**
   * Returns what expands the texts of an environment with the variables of its job, without reading them where
   * no text needs them. Values masked in traces must not appear in a URL that everyone can read. A URL found by
   * the job itself comes from its report.
   */
  private async expandedBy(
    tx: Tx,
    job: Job,
    stored: StoredJobDefinition,
    { url, autoStopIn }: JobEnvironment,
  ): Promise<(text: string | null) => string> {
    if (url === null && !autoStopIn?.includes('$')) return (text) => text ?? '';
    const pipeline = await tx.findOneBy(Pipeline, { id: job.pipelineId });
    const known = pipeline ? await this.variables.of(pipeline, job, stored) : [];
    const own = await tx.query<{ key: string; value: string }[]>(OWN_REPORT, [job.id]);
    const reported = own.map(({ key, value }) => ({ key, value, public: false, masked: false, raw: true }));
    const values = valuesOf([...known.filter(({ masked }) => !masked), ...reported]);
    return (text) => expandVariables(text ?? '', values);
  }
}

/** No text, and what is not a duration, leaves the environment without an end. */
function stopTime(text: string): Date | null {
  const seconds = parseDuration(text);
  return seconds === null || seconds === 0
    ? null
    : new Date(Math.min(Date.now() + seconds * 1_000, 253402300799000));
}
