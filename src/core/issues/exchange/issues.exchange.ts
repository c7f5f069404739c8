import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ExportedRow } from '#core/exchange/relation-export.js';
import { sourceKey, sourceTitle } from '#core/exchange/source-key.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { ISSUES_PAGE } from '../exchange/issue-json.sql.js';
import { linkIssues } from '../exchange/link-issues.js';
import { IssuesImporter } from '../exchange/issues.importer.js';
import { issueUserIds, readIssue, type ImportedIssue } from '../exchange/read-issue.js';

/** Issues, and what links them, on their way from one instance to another. */
@Injectable()
export class IssuesExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly issues: IssuesImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.registerExport({
      of: 'project',
      relation: 'issues',
      batchable: true,
      page: (...values) => this.database.long<ExportedRow>(ISSUES_PAGE, values),
    });
    this.exchanges.registerPipeline<ImportedIssue>({
      of: 'project',
      relation: 'issues',
      stage: STAGES.project.content,
      isExtension: false,
      title: (record) => sourceTitle(record, 'title'),
      key: (record) => sourceKey(record, 'id', 'iid'),
      userIds: issueUserIds,
      transform: readIssue,
      load: (tx, target, rows) =>
        this.issues.load(
          tx,
          target,
          rows.map(({ row }) => row),
        ),
    });
    this.exchanges.registerPart({ of: 'project', relation: 'issues', userIds: () => [], load: linkIssues });
  }
}
