import { REPORT_TYPES } from '../../artifacts/artifact-types.js';
import type { JobArtifacts } from '../../jobs/definition/job-definition.js';
import { parseDuration } from '#core/instance/duration.js';
import type { Spot } from '../problems.js';
import { isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readFlag, readMap, readScalar, readText, readTexts, readWord, refuseOthers } from './reading.js';

const KEYS = [
  'name',
  'untracked',
  'paths',
  'exclude',
  'reports',
  'when',
  'expire_in',
  'expose_as',
  'public',
  'access',
];

const COVERAGE_FORMATS = ['cobertura', 'jacoco'] as const;

/** Reads `artifacts` of a job. */
export function readArtifacts(value: Yaml | undefined, spot: Spot): JobArtifacts | null {
  if (value === undefined || value === null) return null;
  const map = readMap(value, spot, KEYS);
  if (!map) return null;
  const expireIn = readScalar(map, 'expire_in', spot);
  if (expireIn !== null && !/^never$/i.test(expireIn) && parseDuration(expireIn) === null)
    spot.fail('expire in should be a duration');
  const paths = readTexts(map, 'paths', spot) ?? [];
  const exposeAs = readText(map, 'expose_as', spot);
  if (exposeAs !== null && paths.length === 0) spot.fail("paths can't be blank");
  const access = readWord(map, 'access', spot, ['none', 'developer', 'all']);
  return {
    name: readScalar(map, 'name', spot),
    untracked: readFlag(map, 'untracked', spot) ?? false,
    paths,
    exclude: readTexts(map, 'exclude', spot) ?? [],
    when: readWord(map, 'when', spot, ['on_success', 'on_failure', 'always']),
    expireIn,
    exposeAs,
    public: access === null ? (readFlag(map, 'public', spot) ?? true) : access === 'all',
    reports: readReports(map.get('reports'), spot.in('reports')),
  };
}

function readReports(value: Yaml | undefined, spot: Spot): JobArtifacts['reports'] {
  if (value === undefined || value === null) return {};
  if (!isMap(value)) {
    spot.fail('config should be a hash');
    return {};
  }
  refuseOthers(value, spot, [...REPORT_TYPES, 'coverage_report']);
  const reports = REPORT_TYPES.flatMap((type): [string, readonly string[]][] => {
    const paths = readTexts(value, type, spot, { single: true });
    return paths ? [[type, paths]] : [];
  });
  return Object.fromEntries([...reports, ...readCoverage(value, spot.in('coverage_report'))]);
}

/** Reads `coverage_report`, whose format is the report type. */
function readCoverage(reports: YamlMap, spot: Spot): [string, readonly string[]][] {
  const value = reports.get('coverage_report');
  const map =
    value === undefined || value === null ? null : readMap(value, spot, ['coverage_format', 'path']);
  if (!map) return [];
  const format = readWord(map, 'coverage_format', spot, COVERAGE_FORMATS);
  const path = readText(map, 'path', spot);
  if (format === null) spot.fail("coverage format can't be blank");
  if (path === null) spot.fail("path can't be blank");
  return format !== null && path !== null ? [[format, [path]]] : [];
}
