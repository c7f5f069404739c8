import { Module } from '@nestjs/common';
import { MembersModule } from '#core/members/members.module.js';
import { GraphqlSourceController } from './graphql-source.controller.js';
import { SourceResolversService } from './source-resolvers.service.js';
import { SourceQueries } from './source.queries.js';

/** The part of v4's GraphQL that other instances need of a source. */
@Module({
  imports: [MembersModule],
  controllers: [GraphqlSourceController],
  providers: [SourceQueries, SourceResolversService],
})
export class GraphqlSourceModule {}
