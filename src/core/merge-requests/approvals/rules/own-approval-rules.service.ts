import { Injectable } from '@nestjs/common';
import type { ProjectCaller } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, invalid, notFound } from '#kernel/http/errors.js';
import { MergeRequestFinder } from '../../merge-request.finder.js';
import type { CreateOwnApprovalRuleParams } from './approval-rule.record.js';
import { ApprovalRulesService } from './approval-rules.service.js';
import { ApprovalSettingsService } from '../settings/approval-settings.service.js';

/** Manages the rules of a merge request; if it has any, those of its project do not apply. */
@Injectable()
export class OwnApprovalRulesService {
  constructor(
    private readonly access: MergeRequestFinder,
    private readonly settings: ApprovalSettingsService,
    private readonly rules: ApprovalRulesService,
    private readonly database: ReadDatabase,
  ) {}

  /**
   * Returns the id of the merge request whose rules the caller may change. @throws 403 if its project or its
   * state forbids it; 404
   */
  async toChange(caller: ProjectCaller, iid: number): Promise<number> {
    const { id } = await this.access.find(caller, iid);
    const settings = await this.settings.inForce(caller);
    if (settings.disable_overriding_approvers_per_merge_request) throw forbidden();
    const sql = `select state in ('opened', 'closed') as "isUnmerged" from merge_requests where id = $1`;
    const found = await this.database.one<{ isUnmerged: boolean }>(sql, [id]);
    // It may be removed in the meantime.
    if (!found) throw notFound('Merge Request');
    if (!found.isUnmerged) throw forbidden();
    return id;
  }

  /** Creates a rule and returns its id. @throws 400, 404 */
  async create(caller: ProjectCaller, params: CreateOwnApprovalRuleParams, owner: number): Promise<number> {
    const { approval_project_rule_id: sourceId } = params;
    if (sourceId === undefined) return this.rules.create(caller, params, owner);
    const source = await this.rules.find(caller, sourceId);
    if (params.approvals_required < source.approvals_required)
      throw invalid({
        approvals_required: [`must be greater than or equal to ${source.approvals_required}`],
      });
    return this.rules.copy(caller, source, params.approvals_required, owner);
  }
}
