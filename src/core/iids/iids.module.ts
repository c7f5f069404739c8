import { Module } from '@nestjs/common';
import { InternalIdsService } from './internal-ids.service.js';

/** Numbers of things within their project. */
@Module({ providers: [InternalIdsService], exports: [InternalIdsService] })
export class IidsModule {}
