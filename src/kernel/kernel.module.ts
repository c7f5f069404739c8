import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BackfillsRegistry } from './backfills/backfills.registry.js';
import { Config } from './config/config.js';
import { CryptoModule } from './crypto/crypto.module.js';
import { dataSourceOptions } from './database/data-source.js';
import { DatabaseAddress } from './database/sessions/database-address.js';
import { ReadDatabase } from './database/reads/read-database.js';
import { RecentWriters } from './database/replica/recent-writers.js';
import { ReplicaReads } from './database/replica/replica-reads.js';
import { SingleStatements } from './database/statements/single-statements.js';
import { Transactions } from './database/transactions.js';
import { WriteNotes } from './database/replica/write-notes.js';
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

/** Everything below the domain, offered everywhere. */
@Global()
@Module({})
export class KernelModule {
  /** `databaseUrl` is where the schema is already up to date. */
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    const address = DatabaseAddress.of(config, databaseUrl);
    return {
      module: KernelModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSourceOptions(address, config.DATABASE_POOL),
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
        { provide: DatabaseAddress, useValue: address },
        { provide: ReadDatabase, useFactory: () => new ReadDatabase(address, config.DATABASE_READ_POOL) },
        {
          provide: RecentWriters,
          inject: [DataSource, ReadDatabase],
          useFactory: (source: DataSource, reads: ReadDatabase) =>
            new RecentWriters(config.DATABASE_REPLICA_URL !== undefined, source, reads),
        },
        { provide: WriteNotes, useExisting: RecentWriters },
        {
          provide: ReplicaReads,
          inject: [ReadDatabase, RecentWriters],
          useFactory: (reads: ReadDatabase, writers: RecentWriters) =>
            new ReplicaReads(config, reads, writers),
        },
        Transactions,
        SingleStatements,
        BackfillsRegistry,
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
        DatabaseAddress,
        ReadDatabase,
        ReplicaReads,
        Transactions,
        SingleStatements,
        DomainEvents,
        Links,
        Loads,
        EventTimings,
        RecordStreams,
        ThreadsService,
        BackfillsRegistry,
      ],
    };
  }
}
