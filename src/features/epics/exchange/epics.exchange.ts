import { Injectable, type OnModuleInit } from '@nestjs/common';
import { issuableUserIds } from '#core/issuables/exchange/read-issuable.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { EPICS_PAGE } from '../exchange/epic-json.sql.js';
import { linkEpics } from '../exchange/link-epics.js';
import { linkParents } from '../exchange/link-parents.js';
import { EpicsImporter } from '../exchange/epics.importer.js';
import { readEpic } from '../exchange/read-epic.js';

/** Exports and imports epics, their parents and their issues. */
@Injectable()
export class EpicsExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly epics: EpicsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register(
      {
        of: 'group',
        relation: 'epics',
        stage: STAGES.group.content,
        // Only some v4 servers have epics.
        isExtension: true,
        page: EPICS_PAGE,
        titledBy: ['title'],
        keyedBy: ['id', 'iid'],
        userIds: issuableUserIds,
        transform: readEpic,
        load: (...batch) => this.epics.load(...batch),
      },
      [
        { of: 'group', relation: 'epics', userIds: () => [], load: linkParents },
        { of: 'project', relation: 'issues', userIds: () => [], load: linkEpics },
      ],
    );
  }
}
