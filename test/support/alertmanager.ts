import { describe } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from './until.js';

/** Debian's name, then that of the project's own archives. */
const NAMES = ['prometheus-alertmanager', 'alertmanager'];

const program = NAMES.flatMap((name) =>
  (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
).find((file) => existsSync(file));

/** `describe` where the machine has an Alertmanager; otherwise its tests are loudly reported as skipped. */
export const describeWithAlertmanager = program === undefined ? describe.skip : describe;
if (program === undefined) {
  console.warn('There is no prometheus-alertmanager on the PATH: the tests with it are SKIPPED.');
}

/** One alert as Prometheus sends it; a resolved one has `endsAt`. */
export interface PostedAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly generatorURL?: string;
}

/** Its webhook metrics. */
export interface Deliveries {
  readonly sent: number;
  readonly failed: number;
}

/** An unmodified Alertmanager with our configuration, on a free port. */
export class Alertmanager {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** Starts an Alertmanager; JSON is YAML. */
  static async start(config: object): Promise<Alertmanager> {
    if (program === undefined) throw new Error('There is no prometheus-alertmanager on the PATH');
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-alertmanager-'));
    const file = join(folder, 'config.yml');
    writeFileSync(file, JSON.stringify(config));
    const options = [`--config.file=${file}`, `--storage.path=${join(folder, 'data')}`];
    const alone = ['--web.listen-address=127.0.0.1:0', '--cluster.listen-address='];
    const child = spawn(program, [...options, ...alone], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    let address: string | undefined;
    await until(() => {
      if (child.exitCode !== null) throw new Error(`Alertmanager ended:\n${output}`);
      address = /msg="Listening on" address=(\S+)/.exec(output)?.[1];
      return address !== undefined;
    });
    return new Alertmanager(child, folder, `http://${address}`);
  }

  /** Hands alerts over as Prometheus does. */
  async post(...alerts: readonly PostedAlert[]): Promise<void> {
    const response = await fetch(`${this.url}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(alerts),
    });
    if (response.status !== 200) throw new Error(`Not taken: ${response.status} ${await response.text()}`);
  }

  /** Number of attempted notifications, and number of failed ones. */
  async deliveries(): Promise<Deliveries> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const count = (name: string): number =>
      Number(new RegExp(`^${name}\\{integration="webhook"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
    return {
      sent: count('alertmanager_notifications_total'),
      failed: count('alertmanager_notifications_failed_total'),
    };
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
