import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ManagedLicense } from './managed-license.entity.js';
import { ManagedLicensesController } from './managed-licenses.controller.js';
import { ManagedLicensesQueries } from './managed-licenses.queries.js';
import { ManagedLicensesService } from './managed-licenses.service.js';

/** Software licenses that projects allow or deny. */
@Module({
  imports: [TypeOrmModule.forFeature([ManagedLicense])],
  controllers: [ManagedLicensesController],
  providers: [ManagedLicensesService, ManagedLicensesQueries],
})
export class ManagedLicensesModule {}
