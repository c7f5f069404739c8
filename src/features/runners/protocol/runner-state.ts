import { plainObjectOf, type PlainObject } from '#kernel/http/plain-object.js';
import type { RunnerInfo } from './runner-info.params.js';

/** Stored facts of a runner. */
export interface RunnerState {
  readonly name: string | null;
  readonly version: string | null;
  readonly revision: string | null;
  readonly platform: string | null;
  readonly architecture: string | null;
  readonly executor: string | null;
  readonly features: Readonly<Record<string, boolean>>;
  readonly config: Readonly<Record<string, string>>;
}

const MAX_FEATURES = 100;
const MAX_GPUS = 255;
const FEATURE_NAME = /^[a-z0-9_]{1,64}$/;

/** Limits what a runner reports: boolean features, and only the GPUs of its configuration. */
export function runnerState(info: RunnerInfo = {}): RunnerState {
  return {
    name: info.name ?? null,
    version: info.version ?? null,
    revision: info.revision ?? null,
    platform: info.platform ?? null,
    architecture: info.architecture ?? null,
    executor: info.executor ?? null,
    features: Object.fromEntries(
      Object.entries(plainObjectOf(info.features) ?? {})
        .filter((entry): entry is [string, boolean] => isFeature(entry))
        .slice(0, MAX_FEATURES),
    ),
    config: gpusOf(plainObjectOf(info.config) ?? {}),
  };
}

const isFeature = ([name, value]: [string, unknown]): boolean =>
  typeof value === 'boolean' && FEATURE_NAME.test(name);

function gpusOf({ gpus }: PlainObject): Record<string, string> {
  const isKept =
    typeof gpus === 'string' && gpus.length <= MAX_GPUS && !gpus.includes('\0') && gpus.isWellFormed();
  return isKept ? { gpus } : {};
}
