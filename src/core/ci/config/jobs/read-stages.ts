import { textsOf } from '../keywords/reading.js';
import type { Spot } from '../problems.js';
import type { Yaml } from '../yaml/yaml-value.js';

const DEFAULT_STAGES = ['build', 'test', 'deploy'];
const MAX_STAGES = 200;

/** Reads the stages in order, with `.pre` first and `.post` last. */
export function readStages(value: Yaml | undefined, spot: Spot): readonly string[] {
  const stages = value === undefined || value === null ? DEFAULT_STAGES : textsOf(value);
  if (!stages) spot.fail('config should be an array of strings');
  if (stages && stages.length > MAX_STAGES) spot.fail(`config is too long (maximum is ${MAX_STAGES} stages)`);
  const own = (stages ?? []).filter((stage) => stage !== '.pre' && stage !== '.post');
  return ['.pre', ...new Set(own), '.post'];
}
