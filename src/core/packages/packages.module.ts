import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { GenericPackagesController } from './generic/generic-packages.controller.js';
import { GenericUploadsService } from './generic/generic-uploads.service.js';
import { PackagePipelinesController } from './package-pipelines.controller.js';
import { PackagesController } from './packages.controller.js';
import { PackagesQueries } from './packages.queries.js';
import { PackagesService } from './packages.service.js';

/** The package registry: generic packages. */
@Module({
  imports: [InstanceModule],
  controllers: [GenericPackagesController, PackagesController, PackagePipelinesController],
  providers: [GenericUploadsService, PackagesQueries, PackagesService],
})
export class PackagesModule {}
