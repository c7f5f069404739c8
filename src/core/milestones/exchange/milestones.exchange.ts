import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { milestonePairs } from '../exchange/milestone-json.sql.js';
import { readMilestone, type ImportedMilestone } from '../exchange/read-milestone.js';
import { resolveMilestones } from '../exchange/resolve-milestones.js';

/** Ordered by an expression, so that no plan walks the milestones of all owners. */
const pageSql = (column: 'project_id' | 'group_id'): string =>
  `select ms.id, json_build_object(${milestonePairs('ms')})::text as json
    from milestones ms where ms.${column} = $1 and ms.id > $2 order by (ms.id + 0) limit $3`;

const PAGES: Readonly<Record<Portable, string>> = {
  project: pageSql('project_id'),
  group: pageSql('group_id'),
};

/** Exports and imports milestones. */
@Injectable()
export class MilestonesExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly iids: InternalIdsService,
  ) {}

  onModuleInit(): void {
    for (const owner of ['project', 'group'] as const)
      this.exchanges.register({
        of: owner,
        relation: 'milestones',
        stage: owner === 'project' ? STAGES.project.referred : STAGES.group.basics,
        page: PAGES[owner],
        titledBy: ['title'],
        keyedBy: ['id', 'iid', 'title'],
        transform,
        load: async (tx, target, milestones) => {
          const ids = await resolveMilestones(tx, this.iids, target, milestones);
          return milestones.map(({ title }) => ids.get(title) ?? null);
        },
      });
  }
}

/** A number that cannot be kept is rejected, since others would follow it. */
function transform(record: SourceRecord, target: ImportTarget): ImportedMilestone {
  const milestone = readMilestone(record, target);
  if (milestone.iid === null && (record['iid'] ?? null) !== null) throw new RecordRefused('iid is invalid');
  return milestone;
}
