import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { ObjectClaims } from './claims/object-claims.js';
import { ObjectStorage } from './object-storage.js';
import { openObjectStorage } from './open-storage.js';

/** Offers the ObjectStorage of the configuration everywhere. */
@Global()
@Module({
  providers: [{ provide: ObjectStorage, inject: [Config], useFactory: openObjectStorage }, ObjectClaims],
  exports: [ObjectStorage, ObjectClaims],
})
export class ObjectStorageModule implements OnApplicationShutdown {
  constructor(@Inject(ObjectStorage) private readonly storage: ObjectStorage) {}

  onApplicationShutdown(): void {
    this.storage.close();
  }
}
