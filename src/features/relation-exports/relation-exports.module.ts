import { Module } from '@nestjs/common';

/** Relations of groups and projects as files for other instances. */
@Module({})
export class RelationExportsModule {}
