import { Injectable, type OnModuleInit } from '@nestjs/common';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { snippetOf, snippetUserIds } from '../exchange/imported-snippet.js';
import { SnippetsExporter } from '../exchange/snippets.exporter.js';
import { SnippetsImporter } from '../exchange/snippets.importer.js';

/** Exports and imports snippets of projects. */
@Injectable()
export class SnippetsExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly exports: SnippetsExporter,
    private readonly snippets: SnippetsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: 'snippets',
      stage: STAGES.project.content,
      page: (ownerId, afterId, limit) => this.exports.page(ownerId, afterId, limit),
      titledBy: ['title'],
      keyedBy: ['id'],
      userIds: snippetUserIds,
      transform: snippetOf,
      load: (...batch) => this.snippets.load(...batch),
    });
  }
}
