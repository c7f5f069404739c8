import type { JobDefinition } from '../../jobs/definition/job-definition.js';
import type { Spot } from '../problems.js';
import { isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readExitCodes } from './allow-failure.js';
import { readTexts, refuseOthers } from './reading.js';

const MAX_RETRIES = 2;
const REASONS = [
  'always',
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'missing_dependency_failure',
  'user_blocked',
  'no_matching_runner',
  'trace_size_exceeded',
  'builds_disabled',
  'environment_creation_failure',
  'deployment_rejected',
  'failed_outdated_deployment_job',
  'ci_quota_exceeded',
  'pipeline_loop_detected',
];

/** Reads `retry`: how often, and after which failures; exit codes alone exclude all others. */
export function readRetry(value: Yaml | undefined, spot: Spot): JobDefinition['retry'] | null {
  if (value === undefined || value === null) return null;
  const map: Yaml = typeof value === 'number' ? new Map([['max', value]]) : value;
  if (!isMap(map)) return spot.fail('config has to be either an integer or a hash');
  refuseOthers(map, spot, ['max', 'when', 'exit_codes']);
  const exitCodes = map.has('exit_codes') ? readExitCodes(map, spot) : null;
  const reasons = readTexts(map, 'when', spot, { single: true }) ?? (exitCodes ? [] : ['always']);
  const unknown = reasons.filter((reason) => !REASONS.includes(reason));
  if (unknown.length > 0) spot.fail(`when contains unknown values: ${unknown.join(', ')}`);
  return { max: readMax(map, spot) ?? 0, when: reasons, ...(exitCodes ? { exitCodes } : {}) };
}

function readMax(map: YamlMap, spot: Spot): number | null {
  const max = map.get('max') ?? 0;
  if (typeof max !== 'number') return spot.fail('max is not a number');
  if (max < 0) return spot.fail('max must be greater than or equal to 0');
  return max > MAX_RETRIES ? spot.fail(`max must be less than or equal to ${MAX_RETRIES}`) : max;
}
