import { Module } from '@nestjs/common';
import { OutboundModule } from '#kernel/outbound/outbound.module.js';
import { RestSourcesService } from './rest-sources.service.js';
import { Sources } from './source-api.js';
import { SourceLimits } from './source-limits.js';
import { ProbeSource } from './probe-source.use-case.js';

/** Client of the source instance. */
@Module({
  imports: [OutboundModule],
  providers: [{ provide: Sources, useClass: RestSourcesService }, SourceLimits, ProbeSource],
  exports: [Sources, SourceLimits, ProbeSource, OutboundModule],
})
export class BulkImportSourceModule {}
