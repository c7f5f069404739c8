import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, CurrentCaller, type Actor, type Caller } from '#kernel/access/caller.js';
import { seesSecrets } from '#kernel/access/credential-bounds.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { INSTANCE_CONTAINER } from './variable-container.js';
import { VariableSecretsService } from './variable-secrets.service.js';
import { presentInstanceVariable, InstanceVariableRecord, type VariableRow } from './variable.record.js';
import {
  CreateInstanceVariableParams,
  FindInstanceVariableParams,
  UpdateInstanceVariableParams,
} from './variables.params.js';
import { VariablesService } from './variables.service.js';

const VARIABLES = { admin: true } as const;

/** Variables of the instance, for the jobs of all projects. */
@Controller('api/v4/admin/ci/variables')
export class InstanceVariablesController {
  constructor(
    private readonly variables: VariablesService,
    private readonly secrets: VariableSecretsService,
  ) {}

  @Get()
  @Access(VARIABLES)
  @ReturnsList(InstanceVariableRecord)
  async list(@CurrentCaller() caller: Caller, @Paged() page: Page): Promise<InstanceVariableRecord[]> {
    const rows = await page.load(this.variables.list(INSTANCE_CONTAINER));
    return rows.map((row) => this.present(row, caller));
  }

  @Get(':key')
  @Access(VARIABLES)
  @Returns(InstanceVariableRecord)
  async find(
    @CurrentCaller() caller: Caller,
    @Params() params: FindInstanceVariableParams,
  ): Promise<InstanceVariableRecord> {
    return this.present(await this.variables.find(INSTANCE_CONTAINER, params), caller);
  }

  @Post()
  @Access(VARIABLES)
  @Returns(InstanceVariableRecord, 201)
  async create(
    @CurrentActor() actor: Actor,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateInstanceVariableParams,
  ): Promise<InstanceVariableRecord> {
    return this.present(await this.variables.create(INSTANCE_CONTAINER, actor, params), caller);
  }

  @Put(':key')
  @Access(VARIABLES)
  @Returns(InstanceVariableRecord)
  async update(
    @CurrentActor() actor: Actor,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateInstanceVariableParams,
  ): Promise<InstanceVariableRecord> {
    return this.present(await this.variables.update(INSTANCE_CONTAINER, actor, params), caller);
  }

  @Delete(':key')
  @Access(VARIABLES)
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() params: FindInstanceVariableParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.variables.remove(INSTANCE_CONTAINER, actor, params, unmodified);
  }

  private present(row: VariableRow, { credential }: Caller): InstanceVariableRecord {
    return presentInstanceVariable(row, seesSecrets(credential) ? this.secrets.open(row) : null);
  }
}
