import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunnerJob } from './job.js';

const REFERENCE = /\$\$|\$\{(\w+)\}|\$(\w+)/g;

/** The environment of the scripts of a job: later variables override earlier ones; files are written into `folder`. */
export async function environmentOf(
  job: RunnerJob,
  projectFolder: string,
  folder: string,
): Promise<Record<string, string>> {
  const last = new Map(job.variables.map((variable) => [variable.key, variable]));
  const expand = (text: string, depth = 0): string =>
    text.replace(REFERENCE, (whole, braced?: string, plain?: string) => {
      if (whole === '$$') return '$';
      const found = last.get(braced ?? plain ?? '');
      if (!found || depth > 10) return '';
      return found.raw || found.file ? found.value : expand(found.value, depth + 1);
    });
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    CI_PROJECT_DIR: projectFolder,
    CI_JOB_STATUS: 'running',
  };
  for (const { key, value, raw, file } of last.values()) {
    environment[key] = raw ? value : expand(value);
    if (!file) continue;
    environment[key] = join(folder, `variable-${key}`);
    await writeFile(environment[key], value, { mode: 0o600 });
  }
  return environment;
}
