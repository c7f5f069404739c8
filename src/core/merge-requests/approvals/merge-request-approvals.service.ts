import { Injectable } from '@nestjs/common';
import type { UserCaller, ProjectCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { conflict, forbidden, notFound, unauthorized } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { PasswordCheckService } from '#core/sign-in/password-check.service.js';
import { SAME_PERSON } from '#core/users/person.sql.js';
import { presentUserBasic } from '#core/users/records/user-basic.record.js';
import { mergeRequestActivity, noteTarget } from '../code/merge-request-activity.js';
import { MergeRequestFinder } from '../merge-request.finder.js';
import { MergeRequestsQueries } from '../merge-requests.queries.js';
import type { ApprovalSettings } from './settings/approval-settings.record.js';
import { ApprovalsQueries } from './approvals.queries.js';
import type { ApprovalsRecord } from './approvals.record.js';
import { ApprovalSettingsService } from './settings/approval-settings.service.js';
import { MergeRequestCommittersService } from './merge-request-committers.service.js';
import type { ApproveMergeRequestParams } from './merge-request-approvals.params.js';

const APPROVE = `insert into merge_request_approvals (merge_request_id, user_id, as_admin) values ($1, $2, $3)
  on conflict do nothing returning user_id`;

/** Gives and revokes approvals of merge requests. */
@Injectable()
export class MergeRequestApprovalsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly access: MergeRequestFinder,
    private readonly queries: MergeRequestsQueries,
    private readonly approvals: ApprovalsQueries,
    private readonly settings: ApprovalSettingsService,
    private readonly committers: MergeRequestCommittersService,
    private readonly passwords: PasswordCheckService,
    private readonly notes: SystemNotesService,
    private readonly links: Links,
  ) {}

  /**
   * Approves a merge request. @throws 401 without the password that the project requires; 403 if the caller
   * may not approve, or has already; 404; 409 if the head is not the one the caller has seen
   */
  async approve(caller: UserCaller & ProjectCaller, params: ApproveMergeRequestParams): Promise<void> {
    const { merge_request_iid: iid, sha, approval_password: password } = params;
    const { id: projectId } = caller.subject;
    const { id: actorId } = caller.actor;
    const { id } = await this.access.find(caller, iid);
    const settings = await this.settings.inForce(caller);
    const isProven = !settings.require_password_to_approve || (await this.proves(actorId, password));
    if (!isProven) throw unauthorized();
    const committed = await this.committed(settings, id, actorId);
    if (committed?.has) throw forbidden();
    await this.transactions.run(async (tx) => {
      const mergeRequest = await this.access.lock(tx, projectId, iid);
      if (mergeRequest.state !== 'opened') throw forbidden();
      if (!settings.merge_requests_author_approval) {
        const [row] = await tx.query<{ same: boolean }[]>(SAME_PERSON, [mergeRequest.authorId, actorId]);
        if (row?.same) throw forbidden();
      }
      const seen = [sha, committed?.headSha].filter((one) => one !== undefined && one !== '');
      if (seen.some((one) => one !== mergeRequest.headSha))
        throw conflict(`SHA does not match HEAD of source branch: ${mergeRequest.headSha ?? ''}`);
      const made = await tx.query<unknown[]>(APPROVE, [mergeRequest.id, actorId, caller.role === Role.Admin]);
      if (made.length === 0) throw forbidden();
      await this.notes.write(
        tx,
        noteTarget(mergeRequest),
        actorId,
        'approved',
        'approved this merge request',
      );
      await this.events.publish(tx, mergeRequestActivity('approved', mergeRequest, actorId));
    });
  }

  /** Revokes the caller's approval. @throws 404 if there is none, or it has already counted for a merge */
  async unapprove(caller: UserCaller & ProjectCaller, iid: number): Promise<void> {
    const { id: projectId } = caller.subject;
    const { id: actorId } = caller.actor;
    await this.transactions.run(async (tx) => {
      const mergeRequest = await this.access.lock(tx, projectId, iid);
      if (mergeRequest.state === 'merged' || mergeRequest.state === 'locked') throw notFound('Approval');
      const [, count] = await tx.query<[unknown[], number]>(
        'delete from merge_request_approvals where merge_request_id = $1 and user_id = $2',
        [mergeRequest.id, actorId],
      );
      if (count === 0) throw notFound('Approval');
      const body = 'unapproved this merge request';
      await this.notes.write(tx, noteTarget(mergeRequest), actorId, 'unapproved', body);
    });
  }

  /** Returns the approvals of a merge request. @throws 404 */
  async record(caller: ProjectCaller, iid: number): Promise<ApprovalsRecord> {
    const row = await this.queries.find(caller, iid);
    const [approvers, found, settings] = await Promise.all([
      this.approvals.approvers(row.id),
      this.approvals.rules(row.id, caller.actor),
      this.settings.inForce(caller),
    ]);
    const { actor, role, tier } = caller;
    const rules = tier >= Tier.Premium ? found : [];
    const isPremium = tier >= Tier.Premium;
    const setting = isPremium ? (caller.subject.settings['approvals_before_merge'] ?? 0) : 0;
    const needed = Math.max(Number(setting), ...rules.map((rule) => rule.approvals_required), 0);
    const left = rules.filter((rule) => !rule.is_met);
    const isSettled = approvers.some(({ is_settled: settled }) => settled);
    const counting = isSettled ? Infinity : approvers.filter(({ counts }) => counts).length;
    const missing = Math.max(
      0,
      Number(setting) - counting,
      ...left.map((rule) => rule.approvals_required - rule.given),
    );
    const hasApproved = approvers.some(({ id }) => id === actor?.id);
    const mayApprove = actor !== null && role >= Role.Developer && !hasApproved && row.state === 'opened';
    return {
      id: row.id,
      iid: row.iid,
      project_id: row.project_id,
      title: row.title,
      description: row.description,
      state: row.state,
      created_at: row.created_at,
      updated_at: row.updated_at,
      merge_status: row.merge_status,
      approved: missing === 0 && (approvers.length > 0 || needed === 0),
      approvals_required: needed,
      approvals_left: missing,
      require_password_to_approve: settings.require_password_to_approve,
      approved_by: approvers.map((one) => ({
        user: presentUserBasic(one, this.links),
        approved_at: one.approved_at,
      })),
      suggested_approvers: [],
      approvers: [],
      approver_groups: [],
      user_has_approved: hasApproved,
      user_can_approve: mayApprove && !(await this.hasMade(settings, row, actor.id)),
      approval_rules_left: left.map(({ id, name, rule_type: type }) => ({ id, name, rule_type: type })),
      has_approval_rules: rules.length > 0,
      merge_request_approvers_available: isPremium,
      multiple_approval_rules_available: isPremium,
      invalid_approvers_rules: [],
    };
  }

  private proves(userId: number, password = ''): Promise<boolean> {
    return password === '' ? Promise.resolve(false) : this.passwords.prove(userId, password);
  }

  /** Whether the caller, by any account, is an author or committer whose approval the project forbids. */
  private async hasMade(
    settings: ApprovalSettings,
    { id, a_id: authorId }: { readonly id: number; readonly a_id: number | null },
    userId: number,
  ): Promise<boolean> {
    const isAllowed =
      settings.merge_requests_author_approval ||
      authorId === null ||
      !(await this.approvals.areOne(authorId, userId));
    return !isAllowed || (await this.committed(settings, id, userId))?.has === true;
  }

  /** Returns whether the caller has committed to the merge request; null if this does not matter. */
  private async committed(
    settings: ApprovalSettings,
    id: number,
    userId: number,
  ): Promise<{ readonly has: boolean; readonly headSha: string | null } | null> {
    return settings.merge_requests_disable_committers_approval ? this.committers.has(id, userId) : null;
  }
}
