import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { InstanceChanged } from '#core/instance/settings/instance-changed.event.js';
import { AuditLogService, INSTANCE_SCOPE } from './audit-log.service.js';

/** Audits changes of settings, flags and licenses, since the instance module cannot do so itself. */
@Injectable()
export class InstanceChangesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly log: AuditLogService,
  ) {}

  onModuleInit(): void {
    this.events.on(InstanceChanged, ({ author, target, change }, tx) =>
      this.log.record(tx, author, INSTANCE_SCOPE, target, change),
    );
  }
}
