import { setImmediate as nextTurn } from 'node:timers/promises';
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
export class OwnedVariablesContribution implements OnModuleInit {
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
    const fits = fitting(environment);
    const counting = new Map<string, Row>();
    await inTurns(rows, (row) => {
      if (!fits(row.environmentScope)) return;
      const former = counting.get(row.key);
      if (!former || isNearer(row, former, environment)) counting.set(row.key, row);
    });
    const variables: CiVariable[] = [];
    await inTurns(counting.values(), (row) => {
      const value = this.secrets.open(row);
      if (value !== null) variables.push(present(row, value));
    });
    return variables;
  }
}

/** Variables read between two yields to the event loop: a project may get tens of thousands. */
const A_TURN = 500;

async function inTurns(rows: Iterable<Row>, read: (row: Row) => void): Promise<void> {
  let done = 0;
  for (const row of rows) {
    read(row);
    done += 1;
    if (done % A_TURN === 0) await nextTurn();
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

/** Tells whether a job in this environment gets variables of a scope; each scope is compared once. */
function fitting(environment: string | null): (scope: string) => boolean {
  const known = new Map<string, boolean>([['*', true]]);
  return (scope) => {
    const fits = known.get(scope) ?? (environment !== null && patternMatcher(scope)(environment));
    known.set(scope, fits);
    return fits;
  };
}

const literals = (scope: string): number => scope.replaceAll('*', '').length;

/** Of one owner, an exact name is nearer than a pattern, a longer pattern nearer, and the newer of equals. */
const isNearer = (one: Row, other: Row, environment: string | null): boolean =>
  (one.depth - other.depth ||
    Number(one.environmentScope === environment) - Number(other.environmentScope === environment) ||
    literals(one.environmentScope) - literals(other.environmentScope) ||
    one.id - other.id) > 0;
