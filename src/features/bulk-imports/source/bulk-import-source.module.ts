import { Module } from '@nestjs/common';
import { OutboundModule } from '#kernel/outbound/outbound.module.js';
import { RestSources } from './rest-sources.js';
import { Sources } from './source-api.js';
import { SourceLimits } from './source-limits.js';
import { SourceProbe } from './source-probe.js';

/** Reading another instance. */
@Module({
  imports: [OutboundModule],
  providers: [{ provide: Sources, useClass: RestSources }, SourceLimits, SourceProbe],
  exports: [Sources, SourceLimits, SourceProbe, OutboundModule],
})
export class BulkImportSourceModule {}
