import { Module } from '@nestjs/common';
import { domainModules } from '../../../src/modules.js';
import { startApi, type TestApi } from '../api.js';
import { ProbePagesController } from './probe-pages.controller.js';
import { ProbeController } from './probe.controller.js';
import { ProbeGroupsController, ProbeProjectsController } from './probe-subjects.controller.js';

/** Routes for tests of the kernel and the guards, without any domain. */
@Module({
  controllers: [ProbePagesController, ProbeController, ProbeProjectsController, ProbeGroupsController],
})
export class ProbeModule {}

/** Adds the probe routes to the application that `create` creates, and to no other of this process. */
export async function withProbe<T>(create: () => Promise<T>): Promise<T> {
  domainModules.push(ProbeModule);
  try {
    return await create();
  } finally {
    domainModules.splice(domainModules.indexOf(ProbeModule), 1);
  }
}

/** Starts the product with the probe routes. */
export const startProbedApi = (env: Readonly<Record<string, string>> = {}): Promise<TestApi> =>
  withProbe(() => startApi(env));
