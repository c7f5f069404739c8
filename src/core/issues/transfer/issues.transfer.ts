import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ExportedRow } from '#core/transfer/relation-export.js';
import { sourceKey, sourceTitle } from '#core/transfer/source-key.js';
import { STAGES } from '#core/transfer/stages.js';
import { TransfersRegistry } from '#core/transfer/transfers.registry.js';
import { ISSUES_PAGE } from './issue-json.sql.js';
import { linkIssues } from './link-issues.js';
import { IssuesImporter } from './issues.importer.js';
import { issueUserIds, readIssue, type ImportedIssue } from './read-issue.js';

/** Issues, and what links them, on their way from one instance to another. */
@Injectable()
export class IssuesTransfer implements OnModuleInit {
  constructor(
    private readonly transfers: TransfersRegistry,
    private readonly database: ReadDatabase,
    private readonly issues: IssuesImporter,
  ) {}

  onModuleInit(): void {
    this.transfers.offerExport({
      of: 'project',
      relation: 'issues',
      batchable: true,
      page: (...values) => this.database.long<ExportedRow>(ISSUES_PAGE, values),
    });
    this.transfers.offerPipeline<ImportedIssue>({
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
    this.transfers.offerPart({ of: 'project', relation: 'issues', userIds: () => [], load: linkIssues });
  }
}
