import { parseDuration } from '#core/instance/duration.js';
import type { Spot } from '../problems.js';
import { isScalar, type YamlMap } from '../yaml/yaml-value.js';

const DAY = 86_400;

/** Reads `timeout` in seconds, at most a month. */
export const readTimeout = (map: YamlMap, spot: Spot): number | null =>
  readSeconds(map, 'timeout', spot, 31 * DAY);

/** Reads `start_in` in seconds, at most a week. */
export const readStartIn = (map: YamlMap, spot: Spot): number | null =>
  readSeconds(map, 'start_in', spot, 7 * DAY);

function readSeconds(map: YamlMap, key: string, spot: Spot, most: number): number | null {
  const value = map.get(key);
  if (value === undefined || value === null) return null;
  const seconds = isScalar(value) ? parseDuration(String(value)) : null;
  const name = key.replace('_', ' ');
  if (seconds === null || seconds <= 0) return spot.fail(`${name} should be a duration`);
  return seconds > most ? spot.fail(`${name} should not exceed the limit`) : seconds;
}
