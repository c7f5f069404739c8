import { Module } from '@nestjs/common';
import { CiModule } from '#core/ci/ci.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ArtifactAnswersService } from './artifact-answers.service.js';
import { ArtifactChangesController } from './artifact-changes.controller.js';
import { ArtifactChangesService } from './artifact-changes.service.js';
import { ArtifactDownloadsController } from './artifact-downloads.controller.js';
import { ArtifactFileService } from './upload/artifact-file.service.js';
import { ArtifactReadersPolicy } from './upload/artifact-readers.policy.js';
import { ArtifactUploadsService } from './upload/artifact-uploads.service.js';
import { RunnerArtifactsController } from './upload/runner-artifacts.controller.js';

/** Artifacts of jobs: upload by runners, downloads by users and other jobs, and removal. */
@Module({
  imports: [CiModule, InstanceModule],
  controllers: [ArtifactDownloadsController, ArtifactChangesController, RunnerArtifactsController],
  providers: [
    ArtifactAnswersService,
    ArtifactChangesService,
    ArtifactUploadsService,
    ArtifactReadersPolicy,
    ArtifactFileService,
  ],
})
export class JobArtifactsModule {}
