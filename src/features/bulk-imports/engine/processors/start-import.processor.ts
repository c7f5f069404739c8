import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { StartImportJob, type StartImportPayload } from '../jobs/start-import.job.js';
import { ImportEntitiesService } from '../states/import-entities.service.js';

/** Starts entities while slots are free, and ends an import whose entities have all ended. */
@Injectable()
export class StartImportProcessor extends JobProcessor<StartImportPayload> {
  readonly job = StartImportJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly entities: ImportEntitiesService,
  ) {
    super();
  }

  async process({ importId }: StartImportPayload): Promise<void> {
    await this.transactions.run((tx) => this.entities.advance(tx, importId));
  }
}
