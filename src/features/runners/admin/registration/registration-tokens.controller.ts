import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentGroup,
  CurrentProject,
  type Actor,
  type GroupSubject,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { INSTANCE_SCOPE, type AuditScope } from '#core/audit/audit-log.service.js';
import { RunnersTokenService, type RunnersTokenOwner } from '#core/groups/settings/runners-token.service.js';
import { RegistrationTokenService } from '#core/instance/settings/registration-token.service.js';
import { NewRunnerTokenRecord } from '../../protocol/registration/registration.records.js';
import { RunnerAudit } from '../runner.audit.js';

/** Replaces registration tokens; registered runners stay registered. */
@Controller('api/v4')
export class RegistrationTokensController {
  constructor(
    private readonly transactions: Transactions,
    private readonly instance: RegistrationTokenService,
    private readonly owned: RunnersTokenService,
    private readonly audit: RunnerAudit,
  ) {}

  @Post('runners/reset_registration_token')
  @Access({ admin: true })
  @Returns(NewRunnerTokenRecord, 201)
  ofInstance(@CurrentActor() actor: Actor): Promise<NewRunnerTokenRecord> {
    return this.reset(actor, INSTANCE_SCOPE, (tx) => this.instance.reset(tx));
  }

  @Post('projects/:id/runners/reset_registration_token')
  @Access({ project: Role.Maintainer })
  @Returns(NewRunnerTokenRecord, 201)
  ofProject(
    @CurrentActor() actor: Actor,
    @CurrentProject() { id, fullPath: path }: ProjectSubject,
  ): Promise<NewRunnerTokenRecord> {
    return this.resetOf(actor, { kind: 'Project', id }, path);
  }

  @Post('groups/:id/runners/reset_registration_token')
  @Access({ group: Role.Owner })
  @Returns(NewRunnerTokenRecord, 201)
  ofGroup(
    @CurrentActor() actor: Actor,
    @CurrentGroup() { id, fullPath: path }: GroupSubject,
  ): Promise<NewRunnerTokenRecord> {
    return this.resetOf(actor, { kind: 'Group', id }, path);
  }

  private resetOf(actor: Actor, owner: RunnersTokenOwner, path: string): Promise<NewRunnerTokenRecord> {
    const scope: AuditScope = { type: owner.kind, id: owner.id, path };
    return this.reset(actor, scope, (tx) => this.owned.reset(tx, owner));
  }

  private async reset(
    actor: Actor,
    scope: AuditScope,
    make: (tx: Tx) => Promise<string>,
  ): Promise<NewRunnerTokenRecord> {
    const token = await this.transactions.run(async (tx) => {
      await this.audit.tokenReset(tx, actor, scope);
      return make(tx);
    });
    return { token, token_expires_at: null };
  }
}
