import { Module } from '@nestjs/common';
import { UsersModule } from '#core/users/users.module.js';
import { EventLogService } from './event-log.service.js';
import { EventsController } from './events.controller.js';
import { EventsListener } from './events.listener.js';

/** Activity events: recorded from activities of other modules, and listed. */
@Module({
  imports: [UsersModule],
  controllers: [EventsController],
  providers: [EventLogService, EventsListener],
})
export class EventsModule {}
