import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CiVariablesRegistry } from '#core/ci/variables/ci-variables.registry.js';
import { FreezePeriodsQueries } from './freeze-periods.queries.js';
import { frozenUntil } from './freeze-status.js';

/** Tells jobs about an active freeze period: `CI_DEPLOY_FREEZE`. */
@Injectable()
export class FreezeVariablesContribution implements OnModuleInit {
  constructor(
    private readonly variables: CiVariablesRegistry,
    private readonly queries: FreezePeriodsQueries,
  ) {}

  onModuleInit(): void {
    this.variables.register(async ({ projectId }) => {
      const isFrozen = (await frozenUntil(await this.queries.ofProject(projectId))) !== null;
      return isFrozen ? [{ key: 'CI_DEPLOY_FREEZE', value: 'true', public: true, masked: false }] : [];
    });
  }
}
