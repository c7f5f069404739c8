import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentProject, type Actor, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/unmodified-since.js';
import { variablePlace } from './variable-place.js';
import { VariableSecrets } from './variable-secrets.js';
import { presentVariable, VariableRecord, type VariableRow } from './variable.record.js';
import { CreateVariable, FindVariable, UpdateVariable } from './variables.params.js';
import { VariablesService } from './variables.service.js';

const VARIABLES = { project: Role.Maintainer, feature: 'builds' } as const;

/** Variables of a project, which its jobs get. */
@Controller('api/v4/projects/:id/variables')
export class ProjectVariablesController {
  constructor(
    private readonly variables: VariablesService,
    private readonly secrets: VariableSecrets,
  ) {}

  @Get()
  @Access(VARIABLES)
  @ReturnsList(VariableRecord)
  async list(@CurrentProject() project: ProjectSubject, @Paged() page: Page): Promise<VariableRecord[]> {
    const rows = await page.load(this.variables.list(variablePlace(project)));
    return rows.map((row) => this.present(row));
  }

  @Get(':key')
  @Access(VARIABLES)
  @Returns(VariableRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @Params() params: FindVariable,
  ): Promise<VariableRecord> {
    return this.present(await this.variables.find(variablePlace(project), params));
  }

  @Post()
  @Access(VARIABLES)
  @Returns(VariableRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() params: CreateVariable,
  ): Promise<VariableRecord> {
    return this.present(await this.variables.create(variablePlace(project), actor, params));
  }

  @Put(':key')
  @Access(VARIABLES)
  @Returns(VariableRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() params: UpdateVariable,
  ): Promise<VariableRecord> {
    return this.present(await this.variables.update(variablePlace(project), actor, params));
  }

  @Delete(':key')
  @Access(VARIABLES)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() params: FindVariable,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.variables.remove(variablePlace(project), actor, params, unmodified);
  }

  private present(row: VariableRow): VariableRecord {
    return presentVariable(row, this.secrets.open(row));
  }
}
