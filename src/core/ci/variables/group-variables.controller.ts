import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  CurrentGroup,
  type Actor,
  type Caller,
  type GroupSubject,
} from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
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

const VARIABLES = { group: Role.Owner } as const;

/** Variables of a group, which its jobs get. */
@Controller('api/v4/groups/:id/variables')
export class GroupVariablesController {
  constructor(
    private readonly variables: VariablesService,
    private readonly secrets: VariableSecrets,
  ) {}

  @Get()
  @Access(VARIABLES)
  @ReturnsList(VariableRecord)
  async list(@CurrentGroup() group: GroupSubject, @Paged() page: Page): Promise<VariableRecord[]> {
    const rows = await page.load(this.variables.list(variablePlace(group)));
    return rows.map((row) => this.present(row));
  }

  @Get(':key')
  @Access(VARIABLES)
  @Returns(VariableRecord)
  async find(@CurrentGroup() group: GroupSubject, @Params() params: FindVariable): Promise<VariableRecord> {
    return this.present(await this.variables.find(variablePlace(group), params));
  }

  @Post()
  @Access(VARIABLES)
  @Returns(VariableRecord, 201)
  async create(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateVariable,
  ): Promise<VariableRecord> {
    return this.present(
      await this.variables.create(variablePlace(group), caller.actor as Actor, inPlan(params, caller)),
    );
  }

  @Put(':key')
  @Access(VARIABLES)
  @Returns(VariableRecord)
  async update(
    @CurrentGroup() group: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateVariable,
  ): Promise<VariableRecord> {
    return this.present(
      await this.variables.update(variablePlace(group), caller.actor as Actor, inPlan(params, caller)),
    );
  }

  @Delete(':key')
  @Access(VARIABLES)
  @ReturnsNothing()
  async remove(
    @CurrentGroup() group: GroupSubject,
    @CurrentActor() actor: Actor,
    @Params() params: FindVariable,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.variables.remove(variablePlace(group), actor, params, unmodified);
  }

  private present(row: VariableRow): VariableRecord {
    return presentVariable(row, this.secrets.open(row));
  }
}

/** Variables of a group for single environments are the premium plan's: without it the scope is not taken. */
function inPlan<T extends { environment_scope?: string }>(params: T, { tier }: Caller): T {
  if (tier < Tier.Premium) delete params.environment_scope;
  return params;
}
