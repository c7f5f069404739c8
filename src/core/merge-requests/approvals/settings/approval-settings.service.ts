import { Injectable } from '@nestjs/common';
import type { Actor, ProjectCaller, ProjectSubject } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import type {
  ApprovalSettings,
  ApprovalSettingsRecord,
  ChangeApprovalSettingsParams,
} from './approval-settings.record.js';

const DEFAULTS: ApprovalSettings = {
  reset_approvals_on_push: true,
  selective_code_owner_removals: false,
  disable_overriding_approvers_per_merge_request: false,
  merge_requests_author_approval: true,
  merge_requests_disable_committers_approval: false,
  require_password_to_approve: false,
};

const NAMES = Object.keys(DEFAULTS) as (keyof ApprovalSettings)[];
const FIND = `select ${NAMES.join(', ')} from project_approval_settings where project_id = $1`;
const marks = NAMES.map((name, index) => `coalesce($${index + 2}::boolean, t.${name})`);
const CHANGE = `update project_approval_settings t set ${NAMES.map((name, index) => `${name} = ${marks[index] ?? ''}`).join(', ')}
  where project_id = $1`;

/** Manages the approval settings of projects. */
@Injectable()
export class ApprovalSettingsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly audit: AuditLogService,
  ) {}

  /** Returns the settings of a project, or the defaults. */
  async of(projectId: number): Promise<ApprovalSettings> {
    return (await this.database.one<ApprovalSettings>(FIND, [projectId])) ?? DEFAULTS;
  }

  /** Returns the settings that apply to the caller's project: free plans cannot restrict approvals. */
  async inForce({ tier, subject }: ProjectCaller): Promise<ApprovalSettings> {
    return tier < Tier.Premium ? DEFAULTS : this.of(subject.id);
  }

  /** Presents the settings with the other attributes that v4 clients read. */
  async record({ id, settings }: ProjectSubject): Promise<ApprovalSettingsRecord> {
    const needed = settings['approvals_before_merge'];
    return {
      approvers: [],
      approver_groups: [],
      approvals_before_merge: typeof needed === 'number' ? needed : 0,
      ...(await this.of(id)),
    };
  }

  /** Updates the settings. */
  async change(
    { id, fullPath }: ProjectSubject,
    actor: Actor,
    params: ChangeApprovalSettingsParams,
  ): Promise<void> {
    const scope = { type: 'Project', id, path: fullPath } as const;
    const target = { type: 'Project', id, details: fullPath };
    await this.transactions.run(async (tx) => {
      await tx.query(
        'insert into project_approval_settings (project_id) values ($1) on conflict do nothing',
        [id],
      );
      const [former = DEFAULTS] = await tx.query<ApprovalSettings[]>(`${FIND} for update`, [id]);
      await tx.query(CHANGE, [id, ...NAMES.map((name) => params[name] ?? null)]);
      for (const name of NAMES) {
        const { [name]: from } = former;
        const { [name]: to = from } = params;
        if (to !== from) await this.audit.record(tx, actor, scope, target, { change: name, from, to });
      }
    });
  }
}
