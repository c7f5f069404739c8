import { isPackedAs } from '#core/ci/artifacts/artifact-types.js';
import type { JobArtifacts, JobCache } from '#core/ci/jobs/definition/job-definition.js';
import type { PayloadArtifact, PayloadCache } from './payload-files.record.js';

/** File names of reports that v4 clients know; others are named by their type. */
const REPORT_FILES: Readonly<Record<string, string>> = {
  junit: 'junit.xml',
  cobertura: 'cobertura-coverage.xml',
  dotenv: '.env',
  metrics: 'metrics.txt',
  terraform: 'tfplan.json',
  lsif: 'lsif.json',
  codequality: 'gl-code-quality-report.json',
};

/** Returns what the runner must upload: the archive first, then the reports; null for nothing. */
export function presentArtifacts(artifacts: JobArtifacts | null): PayloadArtifact[] | null {
  if (!artifacts) return null;
  const { name, untracked, paths, exclude, when, expireIn, reports } = artifacts;
  const hasArchive = paths.length > 0 || untracked;
  const archive = {
    name,
    untracked,
    paths: [...paths],
    ...(exclude.length > 0 ? { exclude: [...exclude] } : {}),
    when,
    expire_in: expireIn,
    artifact_type: 'archive',
    artifact_format: 'zip',
  };
  const all = [
    ...(hasArchive ? [archive] : []),
    ...Object.entries(reports).map(([type, files]) => report(type, files, expireIn)),
  ];
  return all.length > 0 ? all : null;
}

const report = (type: string, paths: readonly string[], expireIn: string | null): PayloadArtifact => ({
  name: REPORT_FILES[type] ?? `gl-${type.replaceAll('_', '-')}-report.json`,
  paths: [...paths],
  when: 'always',
  expire_in: expireIn,
  artifact_type: type,
  artifact_format: formatOf(type),
});

const formatOf = (type: string): string =>
  (['gzip', 'zip'] as const).find((format) => isPackedAs(type, format)) ?? 'raw';

/**
 * Returns the caches; if enabled in the project, jobs of protected refs do not share theirs with others,
 * which could poison them.
 */
export function presentCache(
  caches: readonly JobCache[],
  { separated, isProtected }: { readonly separated: boolean; readonly isProtected: boolean },
): PayloadCache[] {
  const suffix = separated ? (isProtected ? '-protected' : '-non_protected') : '';
  return caches.map(({ key, untracked, policy, paths, when, fallbackKeys }) => ({
    key: `${key}${suffix}`,
    untracked,
    policy,
    paths: [...paths],
    when,
    fallback_keys: fallbackKeys.map((fallback) => `${fallback}${suffix}`),
  }));
}
