import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { bothWays } from '#core/exchange/both-ways.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { ISSUES_PAGE } from '../exchange/issue-json.sql.js';
import { linkIssues } from '../exchange/link-issues.js';
import { IssuesImporter } from '../exchange/issues.importer.js';
import { issueUserIds, readIssue } from '../exchange/read-issue.js';

/** Exports and imports issues and their links. */
@Injectable()
export class IssuesExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly issues: IssuesImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register({
      ...bothWays(this.database, {
        of: 'project',
        relation: 'issues',
        stage: STAGES.project.content,
        page: ISSUES_PAGE,
        titledBy: ['title'],
        keyedBy: ['id', 'iid'],
        userIds: issueUserIds,
        transform: readIssue,
        load: (...batch) => this.issues.load(...batch),
      }),
      parts: [{ of: 'project', relation: 'issues', userIds: () => [], load: linkIssues }],
    });
  }
}
