import { Injectable, type OnModuleInit } from '@nestjs/common';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { MERGE_REQUESTS_PAGE } from '../exchange/merge-request-json.sql.js';
import { MergeRequestsImporter } from '../exchange/merge-requests.importer.js';
import { mergeRequestOf, mergeRequestUserIds } from '../exchange/read-merge-request.js';

/** Exports and imports merge requests. */
@Injectable()
export class MergeRequestsExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly mergeRequests: MergeRequestsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: 'merge_requests',
      stage: STAGES.project.changes,
      page: MERGE_REQUESTS_PAGE,
      titledBy: ['title', 'iid'],
      keyedBy: ['iid'],
      userIds: mergeRequestUserIds,
      transform: mergeRequestOf,
      load: (...batch) => this.mergeRequests.load(...batch),
    });
  }
}
