import { Module } from '@nestjs/common';
import { ExchangesRegistry } from '../exchange/exchanges.registry.js';

/** The interface between modules with exportable data and the engines that export and import. */
@Module({ providers: [ExchangesRegistry], exports: [ExchangesRegistry] })
export class ExchangeModule {}
