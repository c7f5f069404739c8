import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { StorageMovesModule } from '#features/storage-moves/storage-moves.module.js';
import { MoveEvents } from './move-events.js';
import { MoveOrders } from './move-orders.js';
import { MovesQueries } from './moves.queries.js';
import { StorageMovePages } from './storage-move-pages.js';
import { StorageMovePagesController } from './storage-moves.controller.js';
import { StoragesQueries } from './storages.queries.js';

/** The page of storage moves for administrators. */
@Module({
  imports: [RepositoriesModule, StorageMovesModule],
  controllers: [StorageMovePagesController],
  providers: [MoveEvents, MoveOrders, MovesQueries, StorageMovePages, StoragesQueries],
})
export class StorageMovePagesModule {}
