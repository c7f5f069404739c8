import { stringify } from 'yaml';
import type { CompiledJob } from '../config/compile-context.js';
import type { WantedJob } from '../config/jobs/wanted-job.js';
import type { YamlMap } from '../config/yaml/yaml-value.js';
import type { LintedJobRecord } from './lint.record.js';

/** What YAML 1.1 would make of hashes that keep their order. */
const ORDERED_HASH = 'tag:yaml.org,2002:omap';

/** A configuration as YAML that reads the same in both versions, without anchors. */
export const toYaml = (merged: YamlMap): string =>
  `---\n${stringify(merged, {
    aliasDuplicateObjects: false,
    version: '1.1',
    lineWidth: 0,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== ORDERED_HASH),
  })}`;

/** A job as written: whether a pipeline has it is not decided. */
export const presentWanted = ({ definition, allowFailure, when, ...job }: WantedJob): LintedJobRecord => ({
  name: job.name,
  stage: job.stage,
  before_script: definition.beforeScript,
  script: definition.script,
  after_script: definition.afterScript,
  tag_list: job.tagList,
  environment: definition.environment?.name ?? null,
  when: when ?? 'on_success',
  allow_failure: allowFailure.all ?? when === 'manual',
});

/** A job of a pipeline that would be. */
export const presentCompiled = ({ definition, ...job }: CompiledJob): LintedJobRecord => ({
  name: job.name,
  stage: job.stage,
  before_script: definition.beforeScript,
  script: definition.script,
  after_script: definition.afterScript,
  tag_list: job.tagList,
  environment: definition.environment?.name ?? null,
  when: job.when,
  allow_failure: job.allowFailure,
});
