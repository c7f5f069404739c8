import { Module } from '@nestjs/common';
import { LiveEventsService } from './live-events.service.js';

/** Pages that change while they are looked at. */
@Module({ providers: [LiveEventsService], exports: [LiveEventsService] })
export class LiveModule {}
