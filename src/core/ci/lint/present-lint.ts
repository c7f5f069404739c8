import { stringify } from 'yaml';
import type { CompiledJob } from '../config/compile-context.js';
import type { WantedJob } from '../config/jobs/wanted-job.js';
import type { YamlMap } from '../config/yaml/yaml-value.js';
import type { LintedJobRecord } from './lint.record.js';

/** Tag that the YAML 1.1 serializer uses for ordered hashes. */
const ORDERED_HASH = 'tag:yaml.org,2002:omap';

/** Formats a configuration as YAML without anchors that reads the same in YAML 1.1 and 1.2. */
export const toYaml = (merged: YamlMap): string =>
  `---\n${stringify(merged, {
    aliasDuplicateObjects: false,
    version: '1.1',
    lineWidth: 0,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== ORDERED_HASH),
  })}`;

/** Presents what a job has whether or not it is selected for a pipeline. */
const presentJob = ({
  name,
  stage,
  definition,
  tagList,
}: Pick<WantedJob, 'name' | 'stage' | 'definition' | 'tagList'>): Omit<
  LintedJobRecord,
  'when' | 'allow_failure'
> => ({
  name,
  stage,
  before_script: definition.beforeScript,
  script: definition.script,
  after_script: definition.afterScript,
  tag_list: tagList,
  environment: definition.environment?.name ?? null,
});

/** Presents a job as written, before it is selected for a pipeline. */
export const presentWanted = ({ allowFailure, when, ...job }: WantedJob): LintedJobRecord => ({
  ...presentJob(job),
  when: when ?? 'on_success',
  allow_failure: allowFailure.all ?? when === 'manual',
});

/** Presents a job of a simulated pipeline. */
export const presentCompiled = ({ when, allowFailure, ...job }: CompiledJob): LintedJobRecord => ({
  ...presentJob(job),
  when,
  allow_failure: allowFailure,
});
