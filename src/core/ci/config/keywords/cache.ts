import type { JobCache } from '../../jobs/definition/job-definition.js';
import type { Spot } from '../problems.js';
import { isList, isMap, isScalar, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readFlag, readMap, readScalar, readTexts, readWord } from './reading.js';

const KEYS = ['key', 'untracked', 'paths', 'when', 'policy', 'unprotect', 'fallback_keys'];
const MAX_CACHES = 4;
const MAX_FILES = 2;

/** Files whose content determines a cache key. */
export interface KeyFiles {
  readonly files: readonly string[];
  readonly prefix: string | null;
}

/** A cache whose key may still have to be computed. */
export interface WantedCache extends Omit<JobCache, 'key'> {
  readonly key: string | KeyFiles;
}

/** Reads `cache`: one cache, or a list of up to four. */
export function readCaches(value: Yaml | undefined, spot: Spot): readonly WantedCache[] | null {
  if (value === undefined || value === null) return null;
  const list = isList(value) ? value : [value];
  if (list.length > MAX_CACHES) return spot.fail(`config no more than ${MAX_CACHES} caches can be created`);
  return list.map((one) => readCache(one, spot)).filter((cache) => cache !== null);
}

function readCache(value: Yaml, spot: Spot): WantedCache | null {
  const map = readMap(value, spot, KEYS);
  if (!map) return null;
  return {
    key: readKey(map, spot) ?? 'default',
    untracked: readFlag(map, 'untracked', spot) ?? false,
    paths: readTexts(map, 'paths', spot) ?? [],
    policy: readPolicy(map, spot),
    when: readWord(map, 'when', spot, ['on_success', 'on_failure', 'always']) ?? 'on_success',
    fallbackKeys: readTexts(map, 'fallback_keys', spot) ?? [],
  };
}

function readKey(map: YamlMap, spot: Spot): string | KeyFiles | null {
  const value = map.get('key');
  if (value === undefined || value === null) return null;
  if (isScalar(value)) return checkedKey(String(value), spot);
  const inner = spot.in('key');
  if (!isMap(value)) return inner.fail('should be a hash, a string or a symbol');
  const known = readMap(value, inner, ['files', 'prefix']);
  const files = readTexts(value, 'files', inner);
  if (!files || files.length === 0 || files.length > MAX_FILES)
    return inner.fail(
      `files config requires at least 1 item and has too many items (maximum is ${MAX_FILES})`,
    );
  return known && { files, prefix: readScalar(value, 'prefix', inner) };
}

/** Some runners use the key as a file name. */
function checkedKey(key: string, spot: Spot): string | null {
  if (/\/|%2f/i.test(key))
    return spot.in('key').fail('config cannot contain the "/" character or its URI-encoded form');
  return /^(\.|%2e)+$/i.test(key) ? spot.in('key').fail('config cannot be "." or ".."') : key;
}

/** The policy may contain a variable that only the runner expands. */
function readPolicy(map: YamlMap, spot: Spot): JobCache['policy'] {
  return readWord(map, 'policy', spot, ['pull-push', 'push', 'pull']) ?? 'pull-push';
}
