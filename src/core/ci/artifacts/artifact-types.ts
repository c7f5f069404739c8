/** Format of the content of an artifact. */
export type ArtifactFormat = 'raw' | 'zip' | 'gzip';

const TYPES_BY_FORMAT = {
  zip: 'archive lsif cyclonedx',
  raw: `trace sast secret_detection dependency_scanning container_scanning cluster_image_scanning dast license_scanning accessibility
    codequality performance browser_performance load_performance terraform requirements requirements_v2 coverage_fuzzing api_fuzzing`,
  gzip: 'metadata junit metrics metrics_referee network_referee dotenv cobertura cluster_applications cyclonedx annotations repository_xray jacoco',
} as const satisfies Record<ArtifactFormat, string>;

const words = (text: string): string[] => text.split(/\s+/);

/** Types of artifacts that runners may upload, as in v4 (`ci.md` 6.3). */
export const ARTIFACT_TYPES: readonly string[] = [
  ...new Set(Object.values(TYPES_BY_FORMAT).flatMap((types) => words(types))),
];

/** Types that runners and this service make by themselves. */
const OWN_TYPES = words('archive trace metadata metrics_referee network_referee cluster_applications');

/** Types of reports that a configuration may name: runners then upload them, and the job fails if they are refused. */
export const REPORT_TYPES: readonly string[] = ARTIFACT_TYPES.filter(
  (type) => !OWN_TYPES.includes(type),
).toSorted();

/** Formats of artifacts. */
export const ARTIFACT_FORMATS = ['raw', 'zip', 'gzip'] as const satisfies readonly ArtifactFormat[];

/** Returns whether files of this type have this format. */
export const isPackedAs = (type: string, format: ArtifactFormat): boolean =>
  words(TYPES_BY_FORMAT[format]).includes(type);
