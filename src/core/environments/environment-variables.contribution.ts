import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';
import { CiVariablesRegistry, type VariableScope } from '#core/ci/variables/ci-variables.registry.js';

interface Row {
  readonly slug: string | null;
  readonly tier: string | null;
  readonly url: string | null;
  readonly isWritten: boolean;
}

/** The URL of the job with its variables; by default that of the environment. */
const ENVIRONMENT = `select e.slug, coalesce(d.definition -> 'environment' ->> 'deploymentTier', e.tier) as tier,
    coalesce(d.definition -> 'environment' ->> 'url', e.external_url) as url,
    d.definition -> 'environment' ->> 'url' is not null as "isWritten"
  from ci_job_definitions d left join environments e on e.project_id = $2 and e.name = $3 where d.job_id = $1`;

/** Provides jobs with the variables of their environment. */
@Injectable()
export class EnvironmentVariablesContribution implements OnModuleInit {
  constructor(
    private readonly variables: CiVariablesRegistry,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.variables.register((scope) => this.of(scope));
  }

  private async of({ job, projectId, environment }: VariableScope): Promise<readonly CiVariable[]> {
    if (job === null || environment === null) return [];
    const row = await this.database.one<Row>(ENVIRONMENT, [job.id, projectId, environment]);
    const values: readonly (readonly [string, string | null | undefined])[] = [
      ['CI_ENVIRONMENT_NAME', environment],
      ['CI_ENVIRONMENT_SLUG', row?.slug],
      ['CI_ENVIRONMENT_TIER', row?.tier],
      ['CI_ENVIRONMENT_ACTION', job.environmentAction],
      ['CI_ENVIRONMENT_URL', row?.url],
    ];
    return values.flatMap(([key, value]): CiVariable[] =>
      value === null || value === undefined
        ? []
        : [
            {
              key,
              value,
              public: true,
              masked: false,
              raw: !(key === 'CI_ENVIRONMENT_URL' && row?.isWritten),
            },
          ],
    );
  }
}
