import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { AuditEventsController } from './audit-events.controller.js';
import { AuditEventsQueries } from './audit-events.queries.js';
import { AuditLogService } from './audit-log.service.js';
import { InstanceChangesListener } from './instance-changes.listener.js';
import { ownedAuditEventsControllers } from './owned-audit-events.controllers.js';
import { SudoAudit } from './sudo.audit.js';

/** Audit events: recording for all modules, lists for managers. */
@Module({
  imports: [InstanceModule],
  controllers: [AuditEventsController, ...ownedAuditEventsControllers],
  providers: [AuditLogService, SudoAudit, AuditEventsQueries, InstanceChangesListener],
  exports: [AuditLogService, SudoAudit],
})
export class AuditModule {}
