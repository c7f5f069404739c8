import { html, type Html } from '#kernel/html/html.js';
import type { RelationProgress } from '#features/bulk-imports/engine/control/bulk-import-progress.queries.js';
import type { BulkImportFailureRecord } from '#features/bulk-imports/api/bulk-import-entity.record.js';
import { dataTable } from '../layout/data-table.view.js';

const number = (value: number): string => value.toLocaleString('en');

/** Renders the relations of an entity with their counts, and the failures. */
export function entityView(
  relations: readonly RelationProgress[],
  failures: readonly BulkImportFailureRecord[],
): Html {
  return html`${dataTable(
      'Relations',
      ['Relation', 'State', 'Progress', 'Imported', 'Failed'],
      relations.map((relation) => [
        relation.relation,
        relation.status,
        bar(relation),
        number(relation.imported),
        number(relation.failed),
      ]),
      'Nothing has started yet.',
    )}
    <h2>What could not be imported</h2>
    ${dataTable(
      'Failures',
      ['Relation', 'Step', 'What', 'Why'],
      failures.map((one) => [one.relation, one.step, one.source_title ?? '', one.exception_message]),
      'Everything could.',
    )}`;
}

function bar({ relation, status, source, fetched, imported, failed }: RelationProgress): Html {
  const total = Math.max(source, fetched);
  const isDone = status === 'finished' || status === 'skipped';
  if (total === 0 && !isDone)
    return html`<progress max="1" value="0" aria-label="Progress of ${relation}"></progress>`;
  const [max, value] = total === 0 ? [1, 1] : [total, Math.min(total, imported + failed)];
  return html`<progress
    max="${max}"
    value="${isDone ? max : value}"
    aria-label="Progress of ${relation}"
  ></progress>`;
}
