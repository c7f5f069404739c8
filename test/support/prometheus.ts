import { describe } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './processes.js';
import { until } from './until.js';

const program = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'prometheus'))
  .find((file) => existsSync(file));

/** `describe` where the machine has a Prometheus; otherwise its tests are loudly reported as skipped. */
export const describeWithPrometheus = program === undefined ? describe.skip : describe;
if (program === undefined) console.warn('There is no prometheus on the PATH: the tests with it are SKIPPED.');

interface Alerts {
  readonly data: { readonly alerts: readonly { state: string; labels: Readonly<Record<string, string>> }[] };
}

/** An unmodified Prometheus that scrapes the given addresses every five seconds and evaluates the given rules. */
export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** Starts a Prometheus; `rules` is the text of a rule file, `targets` are `host:port`. */
  static async start(rules: string, targets: readonly string[]): Promise<Prometheus> {
    if (program === undefined) throw new Error('There is no prometheus on the PATH');
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-prometheus-'));
    const file = join(folder, 'prometheus.yml');
    writeFileSync(join(folder, 'rules.yml'), rules);
    const job = { job_name: 'forgeplane', metrics_path: '/-/metrics', static_configs: [{ targets }] };
    // Metrics wait for dependencies that are down.
    const global = { scrape_interval: '5s', scrape_timeout: '5s', evaluation_interval: '1s' };
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ global, rule_files: ['rules.yml'], scrape_configs: [job] }));
    const port = await freePort();
    const options = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`];
    const child = spawn(program, [...options, `--web.listen-address=127.0.0.1:${port}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    const url = `http://127.0.0.1:${port}`;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`Prometheus ended:\n${output}`);
      return fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    }, 30_000);
    return new Prometheus(child, folder, url);
  }

  /** The firing alerts: `name`, or `name/value` with the value of one of these labels. */
  async firing(...about: readonly string[]): Promise<readonly string[]> {
    const { data } = (await (await fetch(`${this.url}/api/v1/alerts`)).json()) as Alerts;
    return data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => [labels['alertname'], ...about.flatMap((label) => labels[label] ?? [])].join('/'))
      .sort();
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
