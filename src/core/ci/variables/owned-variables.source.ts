import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { patternMatcher } from '#core/repositories/protection/ref-pattern.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import { CiVariablesRegistry, type VariableScope } from './ci-variables.registry.js';
import { VariableSecretsService } from './variable-secrets.service.js';
import { VARIABLE_COLUMNS, type VariableRow } from './variable.record.js';

interface Row extends VariableRow {
  /** Depth of the owner: 0 for the instance, from 1 for the groups from the root down, then the project. */
  readonly depth: number;
}

const OF_PROJECT = `select v.depth, ${VARIABLE_COLUMNS} from projects p join namespaces n on n.id = p.namespace_id
  cross join lateral (
    select 0 as depth, i.* from ci_variables i where i.owner_type = 'Instance' and i.owner_id = 0
    union all select array_position(n.traversal_ids, g.owner_id), g.* from ci_variables g
      where g.owner_type = 'Group' and g.owner_id = any(n.traversal_ids)
    union all select cardinality(n.traversal_ids) + 1, o.* from ci_variables o
      where o.owner_type = 'Project' and o.owner_id = p.id) v
  where p.id = $1 and (not v.protected or $2::boolean) order by v.depth, v.id`;

/** Provides the variables that users set on the instance, on ancestor groups and on the project. */
@Injectable()
export class OwnedVariables implements OnModuleInit {
  constructor(
    private readonly sources: CiVariablesRegistry,
    private readonly database: ReadDatabase,
    private readonly secrets: VariableSecretsService,
  ) {}

  onModuleInit(): void {
    this.sources.register((scope) => this.of(scope));
  }

  /**
   * Returns the effective variable of each key: the nearest owner wins, then the most specific environment
   * scope.
   */
  private async of({ projectId, protected: isProtected, environment }: VariableScope): Promise<CiVariable[]> {
    const rows = await this.database.short<Row>(OF_PROJECT, [projectId, isProtected]);
    const ranked = rows
      .filter(({ environmentScope }) => fits(environmentScope, environment))
      .sort((a, b) => a.depth - b.depth || byCloseness(a, b, environment));
    const counting = new Map(ranked.map((row) => [row.key, row]));
    return [...counting.values()].flatMap((row) => {
      const value = this.secrets.open(row);
      return value === null ? [] : [present(row, value)];
    });
  }
}

const present = ({ key, masked, raw, variableType }: Row, value: string): CiVariable => ({
  key,
  value,
  public: false,
  masked,
  raw,
  file: variableType === 'file',
});

const fits = (scope: string, environment: string | null): boolean =>
  scope === '*' || (environment !== null && patternMatcher(scope)(environment));

const literals = (scope: string): number => scope.replaceAll('*', '').length;

/** Orders the more specific scope last: an exact name, then the longer pattern. */
const byCloseness = (a: Row, b: Row, environment: string | null): number =>
  Number(a.environmentScope === environment) - Number(b.environmentScope === environment) ||
  literals(a.environmentScope) - literals(b.environmentScope) ||
  a.id - b.id;
