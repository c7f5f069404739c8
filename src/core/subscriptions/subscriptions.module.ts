import { Module } from '@nestjs/common';
import { SubscriptionsService } from './subscriptions.service.js';

/** Subscriptions to objects. */
@Module({ providers: [SubscriptionsService], exports: [SubscriptionsService] })
export class SubscriptionsModule {}
