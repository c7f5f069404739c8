import { Module } from '@nestjs/common';
import { TransfersRegistry } from './transfers.registry.js';

/** The contract between what can be moved to another instance and whoever moves it. */
@Module({ providers: [TransfersRegistry], exports: [TransfersRegistry] })
export class TransferModule {}
