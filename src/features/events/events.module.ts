import { Module } from '@nestjs/common';
import { EventLog } from './event-log.js';
import { EventsController } from './events.controller.js';
import { EventsListener } from './events.listener.js';

/** Activity events: recorded from what other modules tell, and listed. */
@Module({
  controllers: [EventsController],
  providers: [EventLog, EventsListener],
})
export class EventsModule {}
