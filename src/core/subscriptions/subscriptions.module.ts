import { Module } from '@nestjs/common';
import { SubscriptionsService } from './subscriptions.service.js';

/** Who wants to hear of what, and who does not. */
@Module({ providers: [SubscriptionsService], exports: [SubscriptionsService] })
export class SubscriptionsModule {}
