import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import {
  importSubscriptions,
  readSubscriptions,
  subscriptionsJson,
  subscriptionUserIds,
  type ImportedSubscription,
} from '#core/subscriptions/exchange/subscriptions-exchange.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { integerIn, recordsIn, type SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { labelPairs } from '../exchange/label-json.sql.js';
import { readLabel, type ImportedLabel } from '../exchange/read-label.js';
import { resolveLabels } from '../exchange/resolve-labels.js';

/** A label with the settings of the project. */
interface LabelRow {
  readonly label: ImportedLabel;
  readonly priority: number | null;
  readonly subscriptions: readonly ImportedSubscription[];
}

const MAX_PRIORITY = 2_147_483_647;

/** Ordered by an expression, so that no plan walks the labels of all owners. */
const pageSql = (column: 'project_id' | 'group_id', project: string): string =>
  `select l.id, json_build_object(${labelPairs('l')},
      'priorities', (select coalesce(json_agg(json_build_object('priority', xp.priority)), '[]')
        from label_priorities xp where xp.label_id = l.id and xp.project_id = ${project}),
      'subscriptions', ${subscriptionsJson('Label', 'l.id', project)})::text as json
    from labels l where l.${column} = $1 and l.id > $2 order by (l.id + 0) limit $3`;

const PAGES: Readonly<Record<Portable, string>> = {
  project: pageSql('project_id', 'l.project_id'),
  group: pageSql('group_id', 'null::bigint'),
};

const PRIORITIES = `insert into label_priorities (project_id, label_id, priority)
  select $1, x.label, x.priority from unnest($2::bigint[], $3::integer[]) as x(label, priority) on conflict do nothing`;

const OWN = 'select id from labels where group_id = $1 and id = any($2::bigint[])';

/** Exports and imports labels. */
@Injectable()
export class LabelsExchange implements OnModuleInit {
  constructor(private readonly exchanges: ExchangesRegistry) {}

  onModuleInit(): void {
    for (const owner of ['project', 'group'] as const)
      this.exchanges.register({
        of: owner,
        relation: 'labels',
        stage: owner === 'project' ? STAGES.project.referred : STAGES.group.basics,
        page: PAGES[owner],
        titledBy: ['title'],
        keyedBy: ['id', 'title'],
        userIds: subscriptionUserIds,
        transform,
        load,
      });
  }
}

function transform(record: SourceRecord, target: ImportTarget): LabelRow {
  const priorities = recordsIn(record, 'priorities').map((one) =>
    integerIn(one, 'priority', 0, MAX_PRIORITY),
  );
  return {
    label: readLabel(record, target),
    priority: priorities.find((priority) => priority !== null) ?? null,
    subscriptions: readSubscriptions(record, target),
  };
}

async function load(tx: Tx, target: ImportTarget, labels: readonly LabelRow[]): Promise<(number | null)[]> {
  const known = await resolveLabels(
    tx,
    target,
    labels.map(({ label }) => label),
  );
  const ids = labels.map(({ label }) => known.get(label.title) ?? null);
  const written = labels.flatMap((label, at) => (ids[at] ? [{ id: ids[at], ...label }] : []));
  const projectId = target.of === 'project' ? target.ownerId : null;
  // Subscriptions to a label of a group above belong to that group, which is not imported here.
  const own = projectId === null ? await ownAmong(tx, target.ownerId, ids) : null;
  await importSubscriptions(tx, 'Label', own ? written.filter(({ id }) => own.has(id)) : written, projectId);
  const priorities = new Map(
    written.flatMap(({ id, priority }): [number, number][] => (priority === null ? [] : [[id, priority]])),
  );
  if (projectId !== null && priorities.size > 0)
    await tx.query(PRIORITIES, [projectId, [...priorities.keys()], [...priorities.values()]]);
  return ids;
}

async function ownAmong(
  tx: Tx,
  groupId: number,
  ids: readonly (number | null)[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ id: number }[]>(OWN, [groupId, ids.filter((id) => id !== null)]);
  return new Set(rows.map(({ id }) => id));
}
