import { Module } from '@nestjs/common';
import { LiveEventsService } from './live-events.service.js';

/** Module of pages with live updates. */
@Module({ providers: [LiveEventsService], exports: [LiveEventsService] })
export class LiveModule {}
