import { Module } from '@nestjs/common';
import { Subscriptions } from './subscriptions.service.js';

/** Who wants to hear of what, and who does not. */
@Module({ providers: [Subscriptions], exports: [Subscriptions] })
export class SubscriptionsModule {}
