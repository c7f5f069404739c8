import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { redactText } from '#kernel/log/redaction.js';
import { currentCorrelationId } from '#kernel/log/request-context.js';
import type { FailureStep } from './entity-step.js';
import { ImportLimits } from './import-limits.js';

/** Something that could not be imported. */
export interface Failure {
  readonly step: FailureStep;
  readonly error: unknown;
  /** Title at the source; null for a whole relation or entity. */
  readonly title: string | null;
}

const MAX_MESSAGE = 255;

/** Only the first failures of a relation are kept. */
const INSERT = `insert into bulk_import_failures (entity_id, relation, step, exception_class, exception_message, pipeline_class,
    correlation_id_value, source_url, source_title)
  select e.id, $2, given.step, given.class, given.message, $3, $4, i.source_url || '/' || e.source_full_path, given.title
  from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id
    cross join unnest($5::text[], $6::text[], $7::text[], $8::text[]) with ordinality as given(step, class, message, title, position)
  where e.id = $1 order by position
  limit greatest(0, $9 - (select count(*) from bulk_import_failures where entity_id = $1 and relation = $2))`;

/** Records failures for the importing user. */
@Injectable()
export class FailureRows {
  constructor(private readonly limits: ImportLimits) {}

  /** Adds failures of single records. */
  async add(tx: Tx, entityId: number, relation: string, failures: readonly Failure[]): Promise<void> {
    if (failures.length > 0) await this.insert(tx, entityId, relation, failures, this.limits.failuresKept);
  }

  /** Adds the failure that ended a relation or an entity, regardless of the limit. */
  async addEnd(tx: Tx, entityId: number, relation: string, error: unknown): Promise<void> {
    const failure = { step: 'pipeline_worker_run', error, title: null } as const;
    await this.insert(tx, entityId, relation, [failure], Number.MAX_SAFE_INTEGER);
  }

  private async insert(
    tx: Tx,
    entityId: number,
    relation: string,
    failures: readonly Failure[],
    kept: number,
  ): Promise<void> {
    await tx.query(INSERT, [
      entityId,
      relation,
      pipelineClass(relation),
      currentCorrelationId() ?? '',
      failures.map(({ step }) => step),
      failures.map(({ error }) => (error instanceof Error ? error.name : 'Error')),
      failures.map(({ error }) => messageOf(error)),
      failures.map(({ title }) => title && shown(title)),
      kept,
    ]);
  }
}

/** Returns the name of a pipeline in failures: `merge_requests` is `MergeRequestsPipeline`. */
export const pipelineClass = (relation: string): string =>
  `${relation.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Pipeline`;

const messageOf = (error: unknown): string =>
  shown(redactText(error instanceof Error ? error.message : String(error), MAX_MESSAGE - 3));

/** Texts of the source may contain anything. */
const shown = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_MESSAGE).toWellFormed();
