import { Injectable, type OnModuleInit } from '@nestjs/common';
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
    private readonly issues: IssuesImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register(
      {
        of: 'project',
        relation: 'issues',
        stage: STAGES.project.content,
        page: ISSUES_PAGE,
        titledBy: ['title'],
        keyedBy: ['id', 'iid'],
        userIds: issueUserIds,
        transform: readIssue,
        load: (...batch) => this.issues.load(...batch),
      },
      [{ of: 'project', relation: 'issues', userIds: () => [], load: linkIssues }],
    );
  }
}
