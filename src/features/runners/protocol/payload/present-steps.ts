import type { JobDefinition, JobImage, JobService } from '#core/ci/jobs/definition/job-definition.js';
import type { PayloadHook, PayloadStep } from './job-payload.record.js';
import type { PayloadImage, PayloadService } from './payload-images.record.js';

/** Returns the scripts of a job in order. */
export function presentSteps(
  { beforeScript, script, afterScript }: JobDefinition,
  timeout: number,
): PayloadStep[] {
  const main = {
    name: 'script',
    script: [...beforeScript, ...script],
    timeout,
    when: 'on_success',
    allow_failure: false,
  };
  const after = {
    name: 'after_script',
    script: [...afterScript],
    timeout,
    when: 'always',
    allow_failure: true,
  };
  return afterScript.length > 0 ? [main, after] : [main];
}

/** Returns the hook scripts. */
export const presentHooks = ({ preGetSourcesScript: script }: JobDefinition): PayloadHook[] =>
  script.length > 0 ? [{ name: 'pre_get_sources_script', script: [...script] }] : [];

const listOrNull = (list: readonly string[] | null): string[] | null => (list ? [...list] : null);

const imageFields = ({ name, entrypoint, pullPolicy }: JobImage) => ({
  name,
  entrypoint: listOrNull(entrypoint),
  ports: [],
  pull_policy: listOrNull(pullPolicy),
});

/** Presents the image of a job. */
export const presentImage = (image: JobImage): PayloadImage => imageFields(image);

/** Presents a service of a job. */
export const presentService = (service: JobService): PayloadService => ({
  ...imageFields(service),
  alias: service.alias,
  command: listOrNull(service.command),
  variables: Object.entries(service.variables).map(([key, value]) => ({ key, value })),
});
