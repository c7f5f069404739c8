import { Module } from '@nestjs/common';
import { InternalIds } from './internal-ids.js';

/** Numbers of things within their project. */
@Module({ providers: [InternalIds], exports: [InternalIds] })
export class IidsModule {}
