import type { JobNeed } from '../../jobs/definition/job-definition.js';
import type { Spot } from '../problems.js';
import { isList, isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readMatrix, type MatrixRow } from './parallel.js';
import { readFlag, readText, refuseOthers } from './reading.js';

const MAX_NEEDS = 50;

/** A need as written, before `parallel` splits its job. */
export interface WantedNeed extends JobNeed {
  /** Limits the need to these matrix rows; null for all. */
  readonly matrix: readonly MatrixRow[] | null;
}

/** Reads `needs`: job names, or hashes with a job name. */
export function readNeeds(value: Yaml | undefined, spot: Spot): readonly WantedNeed[] | null {
  if (value === undefined || value === null) return null;
  const list = isList(value) ? value.flat() : [value];
  if (list.length > MAX_NEEDS)
    return spot.fail(`config one job can only need ${MAX_NEEDS} others, but you have listed ${list.length}`);
  const needs = list.map((one) => readNeed(one, spot.in('need'))).filter((need) => need !== null);
  const names = needs.filter((need) => !need.matrix).map((need) => need.job);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? needs : spot.fail(`config has the following needs duplicated: ${twice}`);
}

function readNeed(value: Yaml, spot: Spot): WantedNeed | null {
  if (typeof value === 'string') return { job: value, artifacts: true, optional: false, matrix: null };
  if (!isMap(value)) return spot.fail('has an unsupported type');
  if (value.has('pipeline') || value.has('project'))
    return spot.fail(
      'config of other pipelines or projects is not supported: only jobs of the same pipeline can be needed',
    );
  refuseOthers(value, spot, ['job', 'artifacts', 'optional', 'parallel']);
  const job = readText(value, 'job', spot);
  if (job === null || job === '') return spot.fail("job can't be blank");
  return {
    job,
    artifacts: readFlag(value, 'artifacts', spot) ?? true,
    optional: readFlag(value, 'optional', spot) ?? false,
    matrix: readNeedMatrix(value, spot),
  };
}

function readNeedMatrix(need: YamlMap, spot: Spot): readonly MatrixRow[] | null {
  const value = need.get('parallel');
  if (value === undefined || value === null) return null;
  if (!isMap(value)) return spot.in('parallel').fail('config should be a hash');
  return readMatrix(value.get('matrix'), spot.in('parallel:matrix'));
}
