import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { ObjectClaims } from './claims/object-claims.js';
import { ObjectAnswers } from './object-answers.js';
import { ObjectStorage } from './object-storage.js';
import { openObjectStorage } from './open-storage.js';
import { SendfileProxies } from './sendfile-proxies.js';

/** Provides the configured ObjectStorage globally. */
@Global()
@Module({
  providers: [
    { provide: ObjectStorage, inject: [Config], useFactory: openObjectStorage },
    ObjectClaims,
    ObjectAnswers,
    SendfileProxies,
  ],
  exports: [ObjectStorage, ObjectClaims, ObjectAnswers],
})
export class ObjectStorageModule implements OnApplicationShutdown {
  constructor(@Inject(ObjectStorage) private readonly storage: ObjectStorage) {}

  onApplicationShutdown(): void {
    this.storage.close();
  }
}
