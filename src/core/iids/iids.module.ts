import { Module } from '@nestjs/common';
import { InternalIdsService } from './internal-ids.service.js';

/** Numbers of objects within their project or group. */
@Module({ providers: [InternalIdsService], exports: [InternalIdsService] })
export class IidsModule {}
