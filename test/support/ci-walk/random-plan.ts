import type { Chance } from '../hostile/chance.js';
import { STAGES, type Plan, type PlannedJob } from './walk-plan.js';

/**
 * A random plan of six to nine jobs; only one that is no child has bridges. A bridge that holds what its child waits
 * for would wait for good: a child has resources of its own.
 */
export function randomPlan(chance: Chance, child: string | null): Plan {
  const plan: Record<string, PlannedJob> = {};
  const count = 6 + chance.below(4);
  for (let index = 0; index < count; index += 1) {
    const place = Math.floor((index * STAGES.length) / count);
    const earlier = Object.keys(plan);
    const when = chance.of([
      'on_success',
      'on_success',
      'on_success',
      'manual',
      'on_failure',
      'always',
      'delayed',
    ] as const);
    const base: PlannedJob = {
      stage: STAGES[place] ?? 'first',
      ...(when === 'on_success' ? {} : { when }),
      ...(when === 'delayed' ? { start_in: '1 day' } : {}),
      ...(chance.oneIn(3) ? { allow_failure: chance.of([true, false, { exit_codes: 3 }]) } : {}),
      ...(chance.oneIn(3) ? { needs: chance.some(earlier.slice(-3)) } : {}),
      ...(chance.oneIn(4) ? { resource_group: chance.of(child === null ? ['green'] : ['red', 'blue']) } : {}),
      ...(chance.oneIn(2) ? { interruptible: true } : {}),
    };
    plan[`job ${index}`] =
      child !== null && chance.oneIn(5)
        ? {
            ...base,
            ...(typeof base.allow_failure === 'object' ? { allow_failure: false } : {}),
            trigger: { include: child, ...(chance.oneIn(3) ? {} : { strategy: 'depend' as const }) },
          }
        : {
            ...base,
            script: 'x',
            ...(chance.oneIn(5) ? { parallel: 2 } : {}),
            ...(chance.oneIn(4) ? { retry: 1 } : {}),
            ...(chance.oneIn(3) ? { environment: { name: chance.of(['guarded', 'plain']) } } : {}),
          };
  }
  if (child !== null) {
    plan['deploy'] = { stage: 'second', script: 'x', environment: { name: 'review', on_stop: 'halt' } };
    plan['halt'] = {
      stage: 'third',
      script: 'x',
      when: 'manual',
      environment: { name: 'review', action: 'stop' },
    };
  }
  return plan;
}
