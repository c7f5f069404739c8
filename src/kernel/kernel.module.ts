import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from './config/config.js';
import { CryptoModule } from './crypto/crypto.module.js';
import { dataSourceOptions } from './database/data-source.js';
import { ReadDatabase } from './database/reads/read-database.js';
import { SingleStatements } from './database/statements/single-statements.js';
import { Transactions } from './database/transactions.js';
import { DomainEvents } from './events/domain-events.js';
import { HealthModule } from './health/health.module.js';
import { Links } from './http/links.js';
import { EventTimings } from './http/streams/event-timings.js';
import { RecordStreams } from './http/streams/record-streams.js';
import { MailModule } from './mail/mail.module.js';
import { ObjectStorageModule } from './object-storage/object-storage.module.js';
import { QueueModule } from './queue/queue.module.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { Loads } from './statistics/loads.js';
import { TemporarySweep } from './temporary/temporary-sweep.js';
import { ThreadsService } from './threads/threads.service.js';

/** Address of the database in use: the configured one, or that of the embedded server. */
export const DATABASE_URL = Symbol('database url');

/** Everything below the domain, offered everywhere. */
@Global()
@Module({})
export class KernelModule {
  /** `databaseUrl` is where the schema is already up to date. */
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: KernelModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSourceOptions(databaseUrl, config.DATABASE_POOL),
        }),
        CryptoModule,
        HealthModule,
        ObjectStorageModule,
        RateLimitModule,
        QueueModule,
        MailModule,
      ],
      providers: [
        { provide: Config, useValue: config },
        { provide: DATABASE_URL, useValue: databaseUrl },
        { provide: ReadDatabase, useFactory: () => new ReadDatabase(databaseUrl) },
        Transactions,
        SingleStatements,
        DomainEvents,
        Links,
        Loads,
        EventTimings,
        RecordStreams,
        TemporarySweep,
        ThreadsService,
      ],
      exports: [
        Config,
        DATABASE_URL,
        ReadDatabase,
        Transactions,
        SingleStatements,
        DomainEvents,
        Links,
        Loads,
        EventTimings,
        RecordStreams,
        ThreadsService,
      ],
    };
  }
}
