import type { JobDefinition } from '../../jobs/definition/job-definition.js';
import { readAllowFailure } from '../keywords/allow-failure.js';
import { readArtifacts } from '../keywords/artifacts.js';
import { readCaches } from '../keywords/cache.js';
import { readEnvironment } from '../keywords/environment.js';
import { readImage, readServices } from '../keywords/image.js';
import { readNeeds } from '../keywords/needs.js';
import { readParallel } from '../keywords/parallel.js';
import { readFlag, readMap, readText, readTexts, readWord, refuseOthers } from '../keywords/reading.js';
import { readRefPolicy } from '../keywords/ref-policies.js';
import { readRetry } from '../keywords/retry.js';
import { readRules } from '../keywords/rules.js';
import { readScript } from '../keywords/script.js';
import { readStartIn, readTimeout } from '../keywords/timing.js';
import { readTrigger } from '../keywords/trigger.js';
import { readVariables } from '../keywords/variables.js';
import { compilePattern } from '../expressions/pattern.js';
import type { Spot } from '../problems.js';
import { DEFAULT_ONLY } from '../rules/ref-policy.js';
import { isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { DEFAULT_KEYS, readInheritance, type Inheritance } from './job-defaults.js';
import type { WantedJob } from './wanted-job.js';

const COMMON_KEYS = [
  'extends',
  'inherit',
  'stage',
  'when',
  'start_in',
  'allow_failure',
  'rules',
  'only',
  'except',
  'variables',
  'needs',
  'parallel',
  'resource_group',
  'environment',
  'manual_confirmation',
  'interruptible',
];
const BRIDGE_KEYS = [...COMMON_KEYS, 'trigger'];
const BUILD_KEYS = [
  ...COMMON_KEYS,
  ...DEFAULT_KEYS,
  'script',
  'dependencies',
  'coverage',
  'type',
  'release',
  'pages',
  'publish',
  'secrets',
  'dast_configuration',
];
const WHEN = ['on_success', 'on_failure', 'always', 'manual', 'delayed', 'never'] as const;
const MAX_NAME = 255;
const MAX_TAGS = 50;

/** Reads a job that is not hidden; null if it is invalid. */
export function readJob(name: string, value: Yaml, defaults: YamlMap, jobs: Spot): WantedJob | null {
  const spot = jobs.in(name.slice(0, 100));
  if (name.length > MAX_NAME) spot.fail(`name is too long (maximum is ${MAX_NAME} characters)`);
  if (name.trim() === '') jobs.fail("job name can't be blank");
  if (!isMap(value)) return spot.fail('config should be a hash');
  const isBridge = value.has('trigger');
  if (!isBridge && (value.get('script') ?? null) === null)
    return spot.fail('config should implement the script:, run:, or trigger: keyword');
  refuseOthers(value, spot, isBridge ? BRIDGE_KEYS : BUILD_KEYS);
  const inherit = readInheritance(value.get('inherit'), spot.in('inherit'));
  const map = isBridge ? value : withDefaults(value, defaults, inherit);
  const needs = readNeeds(map.get('needs'), spot.in('needs'));
  return {
    name,
    kind: isBridge ? 'bridge' : 'build',
    stage: readText(map, 'stage', spot) ?? 'test',
    tagList: readTags(map, spot),
    ...readConditions(map, spot),
    variables: readVariables(map.get('variables'), spot.in('variables')),
    inherit,
    needs,
    dependencies: readTexts(map, 'dependencies', spot),
    parallel: readParallel(map.get('parallel'), spot.in('parallel')),
    cache: readCaches(map.get('cache'), spot.in('cache')) ?? [],
    definition: readDefinition(map, spot, isBridge),
  };
}

function withDefaults(job: YamlMap, defaults: YamlMap, inherit: Inheritance): YamlMap {
  const inherited = [...defaults].filter(([key]) => inherit.defaults(key) && !job.has(key));
  return inherited.length > 0 ? new Map([...job, ...inherited]) : job;
}

type Conditioned = Pick<WantedJob, 'when' | 'startIn' | 'allowFailure' | 'rules' | 'only' | 'except'>;

function readConditions(map: YamlMap, spot: Spot): Conditioned {
  const rules = readRules(map.get('rules'), spot.in('rules'), 'job');
  const when = readWord(map, 'when', spot, WHEN);
  const startIn = readStartIn(map, spot);
  if (rules && ['only', 'except', 'start_in'].some((key) => map.has(key)))
    spot.fail('config key may not be used with `rules`: only, except, start_in');
  if (!rules && when === 'delayed' && !map.has('start_in')) spot.fail('start in should be a duration');
  if (!rules && when !== 'delayed' && startIn !== null) spot.fail('start in must be blank');
  const only = readRefPolicy(map.get('only'), spot.in('only'));
  return {
    when,
    startIn,
    allowFailure: readAllowFailure(map.get('allow_failure'), spot.in('allow_failure')),
    rules,
    only: rules ? null : { ...DEFAULT_ONLY, ...only, refs: only?.refs ?? DEFAULT_ONLY.refs },
    except: readRefPolicy(map.get('except'), spot.in('except')),
  };
}

function readDefinition(map: YamlMap, spot: Spot, isBridge: boolean): WantedJob['definition'] {
  const script = readScript(map.get('script'), spot.in('script'));
  if (script?.length === 0) spot.fail("script can't be blank");
  return {
    beforeScript: readScript(map.get('before_script'), spot.in('before_script')) ?? [],
    script: script ?? [],
    afterScript: readScript(map.get('after_script'), spot.in('after_script')) ?? [],
    image: readImage(map.get('image'), spot.in('image')),
    services: readServices(map.get('services'), spot.in('services')) ?? [],
    artifacts: readArtifacts(map.get('artifacts'), spot.in('artifacts')),
    environment: readEnvironment(map.get('environment'), spot.in('environment')),
    retry: readRetry(map.get('retry'), spot.in('retry')) ?? { max: 0, when: [] },
    timeout: readTimeout(map, spot),
    coverage: readCoverage(map, spot),
    interruptible: readFlag(map, 'interruptible', spot) ?? false,
    resourceGroup: readText(map, 'resource_group', spot),
    preGetSourcesScript: readHooks(map.get('hooks'), spot.in('hooks')),
    trigger: isBridge ? readTrigger(map.get('trigger'), spot.in('trigger')) : null,
    manualConfirmation: readText(map, 'manual_confirmation', spot),
  };
}

function readTags(map: YamlMap, spot: Spot): readonly string[] {
  const value = map.get('tags');
  const tags = readTexts(map, 'tags', spot, { single: true }) ?? [];
  if (value !== undefined && tags.length > MAX_TAGS)
    spot.fail(`tags config must be less than the limit of ${MAX_TAGS} tags`);
  return [...new Set(tags)];
}

function readCoverage(map: YamlMap, spot: Spot): JobDefinition['coverage'] {
  const written = readText(map, 'coverage', spot);
  if (written === null) return null;
  const [, source] = /^\/([^]+)\/$/.exec(written) ?? [];
  return source !== undefined && compilePattern(source)
    ? source
    : spot.fail('coverage must be a regular expression');
}

function readHooks(value: Yaml | undefined, spot: Spot): readonly string[] {
  const map = value === undefined || value === null ? null : readMap(value, spot, ['pre_get_sources_script']);
  return (map && readScript(map.get('pre_get_sources_script'), spot.in('pre_get_sources_script'))) ?? [];
}
