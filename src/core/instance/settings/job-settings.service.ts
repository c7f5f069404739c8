import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '#kernel/queue/running/job-runner.js';
import { SettingsService } from './settings.service.js';

/**
 * Keeps the settings fresh for jobs: a process that only runs jobs receives no requests, which would tell it that
 * they have changed.
 */
@Injectable()
export class JobSettingsService implements OnModuleInit {
  constructor(
    private readonly runner: JobRunner,
    private readonly settings: SettingsService,
  ) {}

  onModuleInit(): void {
    this.runner.beforeEach(() => this.settings.keepFresh());
  }
}
