import { Injectable } from '@nestjs/common';
import type { Actor, ProjectSubject } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService, type AuditChange } from '#core/audit/audit-log.service.js';
import type { AlertIntegration } from './alert-integration.entity.js';
import { CHANGEABLE } from './changed-values.js';

/** Audits integrations, whose keys give write access to the project. */
@Injectable()
export class IntegrationAudit {
  constructor(private readonly log: AuditLogService) {}

  /** Audits an action on an integration: `Created`, `Reset the key of`. */
  happened(
    tx: Tx,
    project: ProjectSubject,
    actor: Actor,
    integration: AlertIntegration,
    what: string,
  ): Promise<void> {
    const customMessage = `${what} alert integration with id ${integration.id}`;
    return this.record(tx, project, actor, integration, { customMessage });
  }

  /** Audits an event for each changed value. */
  async changed(
    tx: Tx,
    project: ProjectSubject,
    actor: Actor,
    former: AlertIntegration,
    present: AlertIntegration,
  ): Promise<void> {
    for (const [column, change] of Object.entries(CHANGEABLE) as [keyof typeof CHANGEABLE, string][]) {
      const [from, to] = [former[column], present[column]];
      if (from !== to) await this.record(tx, project, actor, present, { change, from, to });
    }
  }

  private async record(
    tx: Tx,
    { id, fullPath }: ProjectSubject,
    actor: Actor,
    integration: AlertIntegration,
    change: AuditChange,
  ): Promise<void> {
    const scope = { type: 'Project', id, path: fullPath } as const;
    const target = { type: 'AlertIntegration', id: integration.id, details: integration.name };
    await this.log.record(tx, actor, scope, target, change);
  }
}
