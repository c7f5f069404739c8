import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { mayUsePart } from '#kernel/access/project-parts.js';
import { Transactions } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { jobSightOf, rightsOf } from '#core/ci/jobs/job-access.js';
import { ENVIRONMENT_READ, ENVIRONMENT_WRITE } from './environment-access.js';
import { presentDeploymentSummary } from './deployments/deployment-summary.record.js';
import { guessTier } from './naming/environment-tier.js';
import { EnvironmentRecord, presentEnvironments } from './deployments/environment-project.js';
import { EnvironmentDetailRecord, presentEnvironment } from './environment.record.js';
import {
  CreateEnvironmentParams,
  FindEnvironmentParams,
  ListEnvironmentsParams,
  StopEnvironmentParams,
  UpdateEnvironmentParams,
} from './environments.params.js';
import { EnvironmentsQueries } from './environments.queries.js';
import { EnvironmentsService } from './environments.service.js';
import { EnvironmentProtectionsPolicy } from './protection/environment-protections.policy.js';
import { StopEnvironments } from './stop/stop-environments.use-case.js';

/** Environments of a project (`ci.md` 3). */
@Controller('api/v4/projects')
export class EnvironmentsController {
  constructor(
    private readonly environments: EnvironmentsService,
    private readonly protections: EnvironmentProtectionsPolicy,
    private readonly stopping: StopEnvironments,
    private readonly queries: EnvironmentsQueries,
    private readonly transactions: Transactions,
    private readonly links: Links,
  ) {}

  @Get(':id/environments')
  @Access(ENVIRONMENT_READ)
  @ReturnsList(EnvironmentRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListEnvironmentsParams,
    @Paged() page: Page,
  ): Promise<EnvironmentRecord[]> {
    return presentEnvironments(await page.load(this.queries.list(project.id, params)), this.links);
  }

  @Get(':id/environments/:environment_id')
  @Access(ENVIRONMENT_READ)
  @Returns(EnvironmentDetailRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id }: FindEnvironmentParams,
  ): Promise<EnvironmentDetailRecord> {
    const row = await this.queries.findWithDeployment(project.id, id);
    if (!row) throw notFound('Environment');
    const deployment =
      row.id === null || !mayUsePart(caller, 'deployments')
        ? null
        : presentDeploymentSummary({ ...row, id: row.id }, this.links, jobSightOf(caller));
    return Object.assign(presentEnvironment(row), { last_deployment: deployment });
  }

  @Post(':id/environments')
  @Access(ENVIRONMENT_WRITE)
  @Returns(EnvironmentRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name, external_url: externalUrl, tier }: CreateEnvironmentParams,
  ): Promise<EnvironmentRecord> {
    const place = { projectId: project.id, name, tier: guessTier(name) };
    const id = await this.transactions.run(async (tx) => {
      if (tier !== undefined && tier !== place.tier)
        await this.protections.assertMayChooseTier(tx, place, tier, rightsOf(caller));
      return this.environments.create(tx, project.id, name, { externalUrl, tier });
    });
    return this.present(project, id);
  }

  @Put(':id/environments/:environment_id')
  @Access(ENVIRONMENT_WRITE)
  @Returns(EnvironmentRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id, external_url: externalUrl, tier }: UpdateEnvironmentParams,
  ): Promise<EnvironmentRecord> {
    await this.transactions.run(async (tx) => {
      const environment = await this.environments.lock(tx, project.id, id);
      await this.protections.assertMayChooseTier(tx, environment, tier ?? environment.tier, rightsOf(caller));
      await this.environments.update(tx, environment, { externalUrl, tier });
    });
    return this.present(project, id);
  }

  @Post(':id/environments/:environment_id/stop')
  @Access(ENVIRONMENT_WRITE)
  @Returns(EnvironmentRecord, 200)
  async stop(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id, force = false }: StopEnvironmentParams,
  ): Promise<EnvironmentRecord> {
    await this.stopping.run(project.id, id, rightsOf(caller), force ? 'force' : 'by jobs');
    return this.present(project, id);
  }

  @Delete(':id/environments/:environment_id')
  @Access(ENVIRONMENT_WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { environment_id: id }: FindEnvironmentParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const environment = await this.environments.lock(tx, project.id, id);
      // A newly created one gets the tier suggested by its name.
      await this.protections.assertMayLeaveTier(
        tx,
        environment,
        guessTier(environment.name),
        rightsOf(caller),
      );
      await this.environments.remove(tx, environment, unmodified);
    });
  }

  private async present(project: ProjectSubject, id: number): Promise<EnvironmentRecord> {
    const rows = await this.queries.findWithProject(project.id, id);
    const [record] = presentEnvironments(rows, this.links);
    if (!record) throw notFound('Environment');
    return record;
  }
}
