import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MergeRequestChanged, type MergeRequestChange } from '../merge-request-changed.event.js';
import { MergeRequestCommittersService } from './merge-request-committers.service.js';

/** Free plans keep approvals: they have no setting for this. */
const RESET = `delete from merge_request_approvals a where a.merge_request_id = $1
  and (select s.license_plan <> 'free' from application_settings s where s.id = 1)
  and coalesce((select s.reset_approvals_on_push from project_approval_settings s where s.project_id = $2), true)`;

/** With another target a merge brings other commits than those that were approved. */
const SHOWS_OTHER_CODE = new Set<MergeRequestChange>(['head', 'retargeted']);

/** Revokes approvals when the code changes, or when approvers become committers. */
@Injectable()
export class ResetApprovalsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly committers: MergeRequestCommittersService,
  ) {}

  onModuleInit(): void {
    this.events.on(MergeRequestChanged, async ({ mergeRequest, change }, tx) => {
      if (!SHOWS_OTHER_CODE.has(change)) return;
      await tx.query(RESET, [mergeRequest.id, mergeRequest.projectId]);
      await this.committers.forget(tx, mergeRequest);
    });
  }
}
