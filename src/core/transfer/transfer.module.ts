import { Module } from '@nestjs/common';
import { Transfers } from './transfers.js';

/** The contract between what can be moved to another instance and whoever moves it. */
@Module({ providers: [Transfers], exports: [Transfers] })
export class TransferModule {}
