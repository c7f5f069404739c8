import type { JobTrigger } from '../../jobs/definition/job-definition.js';
import type { Spot } from '../problems.js';
import { isList, isMap, type Yaml } from '../yaml/yaml-value.js';
import { readFlag, readMap, readText, readWord, refuseOthers } from './reading.js';

const MAX_INCLUDES = 3;
const ONLY_CHILDREN =
  'config: pipelines of other projects are not supported, only child pipelines of the same project (trigger:include)';

/** Reads `trigger`: the child pipeline that a bridge starts. */
export function readTrigger(value: Yaml | undefined, spot: Spot): JobTrigger | null {
  if (typeof value === 'string') return spot.fail(ONLY_CHILDREN);
  if (!isMap(value)) return spot.fail('config should be a hash');
  if (value.has('project')) return spot.fail(ONLY_CHILDREN);
  refuseOthers(value, spot, ['include', 'strategy', 'forward']);
  const forwardValue = value.get('forward') ?? null;
  const inForward = spot.in('forward');
  const forward =
    forwardValue === null ? null : readMap(forwardValue, inForward, ['yaml_variables', 'pipeline_variables']);
  return {
    ...readIncludes(value.get('include'), spot.in('include')),
    depend: readWord(value, 'strategy', spot, ['depend', 'mirror']) !== null,
    forwardYamlVariables: (forward && readFlag(forward, 'yaml_variables', inForward)) ?? true,
    forwardPipelineVariables: (forward && readFlag(forward, 'pipeline_variables', inForward)) ?? false,
  };
}

type Includes = Pick<JobTrigger, 'include' | 'includeArtifacts'>;

function readIncludes(value: Yaml | undefined, spot: Spot): Includes {
  const list = isList(value) ? value : value === undefined || value === null ? [] : [value];
  if (list.length === 0) spot.fail("config can't be blank");
  if (list.length > MAX_INCLUDES) spot.fail(`config is too long (maximum is ${MAX_INCLUDES})`);
  const include: string[] = [];
  const includeArtifacts: { job: string; artifact: string }[] = [];
  for (const one of list) {
    if (typeof one === 'string') include.push(one);
    else if (isMap(one)) {
      refuseOthers(one, spot, ['local', 'artifact', 'job']);
      const local = readText(one, 'local', spot);
      const artifact = readText(one, 'artifact', spot);
      const job = readText(one, 'job', spot);
      if (local !== null) include.push(local);
      else if (artifact !== null && job !== null) includeArtifacts.push({ job, artifact });
      else if (artifact !== null) spot.fail('config must specify the job where to fetch the artifact from');
      else spot.fail('config must specify local, or artifact and job');
    } else spot.fail('config should be a hash or a string');
  }
  return { include, includeArtifacts };
}
