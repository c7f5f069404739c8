import { Module } from '@nestjs/common';
import { domainModules } from '../../../src/modules.js';
import { startApi, type TestApi } from '../api.js';
import { ProbePagesController } from './probe-pages.controller.js';
import { ProbeController } from './probe.controller.js';
import { ProbeGroupsController, ProbeProjectsController } from './probe-subjects.controller.js';

/** Routes for tests of the kernel and the guards, which know no domain. */
@Module({
  controllers: [ProbePagesController, ProbeController, ProbeProjectsController, ProbeGroupsController],
})
export class ProbeModule {}

/** Adds the probe's routes to the applications that this test file creates. */
export function addProbe(): void {
  if (!domainModules.includes(ProbeModule)) domainModules.push(ProbeModule);
}

/** Starts the product with the probe's routes. */
export function startProbedApi(env: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  addProbe();
  return startApi(env);
}
