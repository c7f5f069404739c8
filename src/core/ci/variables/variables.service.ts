import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { lockOwner, type VariableContainer } from './variable-container.js';
import { assertMaskable } from './variable-rules.js';
import { VariableSecretsService } from './variable-secrets.service.js';
import { Variable } from './variable.entity.js';
import { VARIABLE_COLUMNS, type VariableRow } from './variable.record.js';
import type { CreateVariableParams, UpdateVariableParams } from './variables.params.js';

const SHAPE: ListShape = { kind: 'Variable', select: VARIABLE_COLUMNS, from: 'ci_variables v', key: 'v.id' };

const FIND = `select ${VARIABLE_COLUMNS} from ci_variables v
  where v.owner_type = $1 and v.owner_id = $2 and v.key = $3 and ($4::text is null or v.environment_scope = $4) limit 2`;

const AMBIGUOUS =
  "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'";

/** Key of a variable, with the environment scope if several have the key. */
export interface VariableName {
  readonly key: string;
  readonly filter?: { readonly environment_scope?: string };
}

/** Manages the variables of projects, groups and the instance. */
@Injectable()
export class VariablesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly secrets: VariableSecretsService,
    private readonly audit: AuditLogService,
  ) {}

  /** Lists the variables of an owner. */
  list({ ownerType, ownerId }: VariableContainer): ListQuery<VariableRow> {
    return new ListQuery<VariableRow>(SHAPE)
      .of('v.owner_type', ownerType, 'text')
      .where('v.owner_id = ?', ownerId)
      .orderBy('v.key', 'asc');
  }

  /** Returns a variable. @throws 404, 409 if several have the key */
  async find({ ownerType, ownerId }: VariableContainer, name: VariableName): Promise<VariableRow> {
    const scope = name.filter?.environment_scope ?? null;
    return theOnly(await this.database.short<VariableRow>(FIND, [ownerType, ownerId, name.key, scope]));
  }

  /** Creates a variable. @throws 400 */
  create(container: VariableContainer, actor: Actor, params: CreateVariableParams): Promise<Variable> {
    const { key, value } = params;
    return this.transactions.run(async (tx) => {
      await lockOwner(tx, container);
      const { ownerType, ownerId, limit } = container;
      const variable = Object.assign(new Variable(), {
        ...{ ownerType, ownerId, key },
        ...{ variableType: 'env_var', protected: false, masked: false, raw: false, environmentScope: '*' },
        description: null,
        ...changesOf(params),
        value: this.secrets.seal(value, { ownerType, ownerId, key }),
      });
      assertMaskable(variable, value);
      await this.assertFree(tx, variable);
      if ((await tx.countBy(Variable, { ownerType, ownerId })) >= limit)
        throw invalid({ base: [`Maximum number of variables (${limit}) exceeded`] });
      const made = await tx.save(variable);
      await this.record(tx, container, actor, made, 'created');
      return made;
    });
  }

  /** Updates a variable. @throws 400, 404, 409 */
  update(container: VariableContainer, actor: Actor, params: UpdateVariableParams): Promise<Variable> {
    return this.transactions.run(async (tx) => {
      const variable = await this.lock(tx, container, params);
      const former = variable.environmentScope;
      Object.assign(variable, changesOf(params));
      if (variable.environmentScope !== former) await this.assertFree(tx, variable);
      if (params.value !== undefined) variable.value = this.secrets.seal(params.value, variable);
      const value = params.value ?? this.secrets.open(variable);
      if (value !== null) assertMaskable(variable, value);
      await tx.save(variable);
      await this.record(tx, container, actor, variable, 'updated');
      return variable;
    });
  }

  /** Removes a variable. @throws 404, 409, 412 */
  async remove(
    container: VariableContainer,
    actor: Actor,
    name: VariableName,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const variable = await this.lock(tx, container, name);
      unmodified(variable.updatedAt);
      await tx.delete(Variable, { id: variable.id });
      await this.record(tx, container, actor, variable, 'deleted');
    });
  }

  private async lock(tx: Tx, container: VariableContainer, { key, filter }: VariableName): Promise<Variable> {
    await lockOwner(tx, container);
    const { ownerType, ownerId } = container;
    const scope = filter?.environment_scope;
    const where = { ownerType, ownerId, key, ...(scope === undefined ? {} : { environmentScope: scope }) };
    return theOnly(await tx.find(Variable, { where, take: 2 }));
  }

  private async assertFree(tx: Tx, { ownerType, ownerId, key, environmentScope }: Variable): Promise<void> {
    if (await tx.existsBy(Variable, { ownerType, ownerId, key, environmentScope }))
      throw invalid({ key: [`(${key}) has already been taken`] });
  }

  /** Audits a change without its value, which only users who may read the variable may know. */
  private record(
    tx: Tx,
    { scope }: VariableContainer,
    actor: Actor,
    variable: Variable,
    what: 'created' | 'updated' | 'deleted',
  ): Promise<void> {
    const { id, key, environmentScope, protected: isProtected, masked } = variable;
    const state = `protected: ${String(isProtected)}, masked: ${String(masked)}`;
    return this.audit.record(
      tx,
      actor,
      scope,
      { type: 'Ci::Variable', id, details: key },
      {
        customMessage: `CI/CD variable ${key} (scope ${environmentScope}) ${what} (${state})`,
        eventName: `ci_variable_${what}`,
      },
    );
  }
}

function theOnly<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw notFound('Variable');
  if (rows.length > 1) throw conflict(AMBIGUOUS);
  return row;
}

/** Returns the columns for the given attributes. */
function changesOf(params: Omit<UpdateVariableParams, 'key' | 'value'>): Partial<Variable> {
  const columns = {
    variableType: params.variable_type,
    protected: params.protected,
    masked: params.masked,
    raw: params.raw,
    description: params.description,
    environmentScope: params.environment_scope,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
