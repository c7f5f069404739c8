import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IssueEpicsRegistry } from '#core/issues/epics/issue-epics.registry.js';
import { EpicIssuesService } from './epic-issues.service.js';

/** Answers issues that are put into an epic when they are created or changed. */
@Injectable()
export class EpicAssignerContribution implements OnModuleInit {
  constructor(
    private readonly issueEpics: IssueEpicsRegistry,
    private readonly issues: EpicIssuesService,
  ) {}

  onModuleInit(): void {
    this.issueEpics.register((tx, caller, issue, epicId) => this.issues.assign(tx, caller, issue.id, epicId));
  }
}
