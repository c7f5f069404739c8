import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { badRequest, notFound } from '#kernel/http/errors.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { PipelinesService } from '#core/ci/pipelines/pipelines.service.js';
import { JobTransitionsService } from '#core/ci/processing/job-transitions.service.js';
import { ProcessPipeline } from '#core/ci/processing/process-pipeline.use-case.js';
import { EnvironmentsService } from '#core/environments/environments.service.js';
import { Deployment } from '../deployment.entity.js';
import { missingApprovals, needsApproval, type ApprovalRow, type ApprovalState } from './approval-state.js';
import { ApprovalsService } from './approvals.service.js';
import type { ApproveDeploymentParams } from './approve-deployment.params.js';
import { ApproversPolicy } from './approvers.policy.js';
import { DeploymentApproval } from './deployment-approval.entity.js';

/** Texts of `ci.md` 2.2. */
const TEXTS = {
  notWaiting: 'This deployment is not waiting for approvals.',
  notProtected: 'This environment is not protected.',
  own: 'You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings.',
  notConfigured: 'Deployment approvals is not configured for this environment.',
} as const;

interface LockedForApproval {
  readonly pipeline: Pipeline | null;
  readonly job: Job | null;
  readonly deployment: Deployment;
}

/** Approves and rejects deployments. Locks the pipeline first, so that the job cannot change concurrently. */
@Injectable()
export class ApproveDeployment {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly environments: EnvironmentsService,
    private readonly approvals: ApprovalsService,
    private readonly approvers: ApproversPolicy,
    private readonly audit: AuditLogService,
  ) {}

  /** Returns the approval. @throws 400 with the reason against it, 404 */
  run(project: ProjectSubject, caller: Caller, params: ApproveDeploymentParams): Promise<ApprovalRow> {
    const { deployment_id: id, status, represented_as: representedAs } = params;
    return this.transactions.run(async (tx) => {
      const locked = await this.lock(tx, project.id, id);
      const { deployment, job } = locked;
      const state = await this.approvals.stateOf(tx, id);
      // A deployment that was manual before approvals were required is blocked when it is played; treat it as
      // blocked now.
      const isHeld =
        deployment.status === 'created' && job?.status === 'manual' && missingApprovals(state) > 0;
      if (deployment.status !== 'blocked' && !isHeld) throw badRequest(TEXTS.notWaiting);
      if (!state.protected) throw badRequest(TEXTS.notProtected);
      const mayBeOwn = status === 'rejected' || mayApproveOwn(project);
      if (!mayBeOwn && (await this.approvers.haveTriggered(tx, deployment, caller)))
        throw badRequest(TEXTS.own);
      if (!needsApproval(state)) throw badRequest(TEXTS.notConfigured);
      const environment = await this.environments.lock(tx, project.id, deployment.environmentId);
      const ruleId = await this.approvers.ruleFor(tx, state, environment, caller, representedAs);
      const known = state.approvals.find(({ u_id: userId }) => userId === caller.actor?.id);
      if (!known || !stands(known, status, state)) {
        await this.approvals.block(tx, deployment);
        await this.write(tx, caller, params, known, ruleId);
        await this.record(tx, project, caller, deployment, status);
        await this.apply(tx, locked, status);
      }
      return approvalOf(await this.approvals.stateOf(tx, id), caller);
    });
  }

  private async lock(tx: Tx, projectId: number, id: number): Promise<LockedForApproval> {
    const found = await tx.findOneBy(Deployment, { id, projectId });
    if (!found) throw notFound('Deployment');
    // The pipeline may be removed in the meantime; the deployment stays, without a job.
    const held = found.jobId === null ? null : await this.pipelines.lockWithJob(tx, found.jobId, projectId);
    await this.environments.lockOrNull(tx, projectId, found.environmentId);
    const deployment = await tx.findOne(Deployment, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!deployment) throw notFound('Deployment');
    return { pipeline: held?.pipeline ?? null, job: held?.job ?? null, deployment };
  }

  private async write(
    tx: Tx,
    { actor, role }: Caller,
    { deployment_id: deploymentId, status, comment }: ApproveDeploymentParams,
    known: ApprovalRow | undefined,
    ruleId: number | null,
  ): Promise<void> {
    const values = { status, comment: comment ? comment : null, ruleId, asAdmin: role === Role.Admin };
    if (known) await tx.update(DeploymentApproval, { id: known.id }, { ...values, updatedAt: clock });
    else await tx.insert(DeploymentApproval, { deploymentId, userId: actor?.id ?? 0, ...values });
  }

  /** Applies the result; a deployment without a job stays unchanged. */
  private async apply(
    tx: Tx,
    { pipeline, job, deployment }: LockedForApproval,
    status: ApproveDeploymentParams['status'],
  ): Promise<void> {
    if (!pipeline || !job) return;
    if (status === 'rejected') {
      await this.transitions.move(tx, job, 'failed', { failureReason: 'deployment_rejected' });
      await this.processing.process(tx, pipeline);
    } else if (missingApprovals(await this.approvals.stateOf(tx, deployment.id)) === 0)
      await this.approvals.unblock(tx, deployment);
  }

  private record(
    tx: Tx,
    project: ProjectSubject,
    { actor }: Caller,
    { id, iid }: Deployment,
    status: ApproveDeploymentParams['status'],
  ): Promise<void> {
    const scope = { type: 'Project', id: project.id, path: project.fullPath } as const;
    const target = { type: 'Deployment', id, details: `#${iid}` };
    return this.audit.record(tx, actor, scope, target, {
      customMessage: `Deployment ${iid} ${status}`,
      eventName: `deployment_${status}`,
    });
  }
}

const mayApproveOwn = ({ settings }: ProjectSubject): boolean =>
  settings['allow_pipeline_trigger_approve_deployment'] === true;

/** Returns whether a decision stays as it is: one for a rule that is gone no longer counts for any. */
const stands = (
  { status: given, counts, rule_id: ruleId }: ApprovalRow,
  status: ApproveDeploymentParams['status'],
  { rules }: ApprovalState,
): boolean =>
  given === status && counts === true && (rules.length === 0 || rules.some(({ id }) => id === ruleId));

function approvalOf({ approvals }: ApprovalState, { actor }: Caller): ApprovalRow {
  const own = approvals.find(({ u_id: userId }) => userId === actor?.id);
  if (!own) throw new Error('The approval was not stored');
  return own;
}
