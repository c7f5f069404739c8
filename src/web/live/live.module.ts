import { Module } from '@nestjs/common';
import { LiveEvents } from './live-events.js';

/** Pages that change while they are looked at. */
@Module({ providers: [LiveEvents], exports: [LiveEvents] })
export class LiveModule {}
