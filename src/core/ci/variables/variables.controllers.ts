import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { Access, type UserRule } from '#kernel/access/access.js';
import {
  type Caller,
  type UserCaller,
  type Actor,
  type ProjectSubject,
  type GroupSubject,
  CurrentCaller,
  CurrentActor,
  CurrentSubject,
} from '#kernel/access/caller.js';
import { seesSecrets } from '#kernel/access/credential-bounds.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { named } from '#kernel/http/routes/named.js';
import { variableContainer } from './variable-container.js';
import { VariableSecretsService } from './variable-secrets.service.js';
import { presentVariable, VariableRecord, type VariableRow } from './variable.record.js';
import { CreateVariableParams, FindVariableParams, UpdateVariableParams } from './variables.params.js';
import { VariablesService } from './variables.service.js';

const AMBIGUOUS = { 409: 'Several variables have the key: `filter[environment_scope]` distinguishes them' };

/**
 * Creates the variables controller of projects or groups, which have the same routes. `name`: name of the
 * class.
 */
function variablesController(name: string, path: string, rule: UserRule): Type {
  @Controller(path)
  class VariablesController {
    constructor(
      private readonly variables: VariablesService,
      private readonly secrets: VariableSecretsService,
    ) {}

    @Get()
    @Access(rule)
    @ReturnsList(VariableRecord)
    async list(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Paged() page: Page,
    ): Promise<VariableRecord[]> {
      const rows = await page.load(this.variables.list(variableContainer(subject)));
      return rows.map((row) => this.present(row, caller));
    }

    @Get(':key')
    @Access(rule)
    @Returns(VariableRecord)
    @Refuses(AMBIGUOUS)
    async find(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: Caller,
      @Params() params: FindVariableParams,
    ): Promise<VariableRecord> {
      return this.present(await this.variables.find(variableContainer(subject), params), caller);
    }

    @Post()
    @Access(rule)
    @Returns(VariableRecord, 201)
    async create(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: UserCaller,
      @Params() params: CreateVariableParams,
    ): Promise<VariableRecord> {
      const wanted = inPlan(params, caller);
      return this.present(
        await this.variables.create(variableContainer(subject), caller.actor, wanted),
        caller,
      );
    }

    @Put(':key')
    @Access(rule)
    @Returns(VariableRecord)
    @Refuses(AMBIGUOUS)
    async update(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentCaller() caller: UserCaller,
      @Params() params: UpdateVariableParams,
    ): Promise<VariableRecord> {
      const wanted = inPlan(params, caller);
      return this.present(
        await this.variables.update(variableContainer(subject), caller.actor, wanted),
        caller,
      );
    }

    @Delete(':key')
    @Access(rule)
    @ReturnsNothing()
    @Refuses(AMBIGUOUS)
    async remove(
      @CurrentSubject() subject: ProjectSubject | GroupSubject,
      @CurrentActor() actor: Actor,
      @Params() params: FindVariableParams,
      @Unmodified() unmodified: UnmodifiedCheck,
    ): Promise<void> {
      await this.variables.remove(variableContainer(subject), actor, params, unmodified);
    }

    private present(row: VariableRow, { credential }: Caller): VariableRecord {
      return presentVariable(row, seesSecrets(credential) ? this.secrets.open(row) : null);
    }
  }

  return named(VariablesController, name);
}

/** Environment scopes of group variables need the premium plan; without it, drops the scope. */
function inPlan<T extends { environment_scope?: string }>(params: T, { tier, subject }: Caller): T {
  if (subject?.kind === 'Group' && tier < Tier.Premium) delete params.environment_scope;
  return params;
}

/** Controllers of the variables of projects and groups. */
export const variablesControllers: readonly Type[] = [
  variablesController('ProjectVariablesController', 'api/v4/projects/:id/variables', {
    project: Role.Maintainer,
    feature: 'builds',
  }),
  variablesController('GroupVariablesController', 'api/v4/groups/:id/variables', { group: Role.Owner }),
];
