import { Module } from '@nestjs/common';
import { ExchangesRegistry } from '../exchange/exchanges.registry.js';

/** The contract between what can be moved to another instance and whoever moves it. */
@Module({ providers: [ExchangesRegistry], exports: [ExchangesRegistry] })
export class ExchangeModule {}
