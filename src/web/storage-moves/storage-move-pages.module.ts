import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { StorageMovesModule } from '#features/storage-moves/storage-moves.module.js';
import { LiveModule } from '../live/live.module.js';
import { MoveOrdersService } from './move-orders.service.js';
import { MovesQueries } from './moves.queries.js';
import { StorageMovePagesService } from './storage-move-pages.service.js';
import { StorageMovePagesController } from './storage-move-pages.controller.js';
import { StoragesQueries } from './storages.queries.js';

/** Module of the administrators' storage move page. */
@Module({
  imports: [LiveModule, RepositoriesModule, StorageMovesModule],
  controllers: [StorageMovePagesController],
  providers: [MoveOrdersService, MovesQueries, StorageMovePagesService, StoragesQueries],
})
export class StorageMovePagesModule {}
