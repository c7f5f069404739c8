import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from './audit-event.entity.js';
import { AuditLog } from './audit-log.js';
import { SudoAudit } from './sudo-audit.js';

/** Audit events: recording for everyone; the lists come with the controllers. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  providers: [AuditLog, SudoAudit],
  exports: [AuditLog, SudoAudit],
})
export class AuditModule {}
