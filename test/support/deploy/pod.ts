import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageFolder } from './image-folder.js';
import { mountsOf, type PodTemplate } from './pod-template.js';

/** Whether this machine allows a test to mount file systems for a process and change its user. */
export const canRunPods =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs forgeplane-test /mnt && setpriv --version'])
    .status === 0;

/** The environment of a pod. */
export interface PodPlace {
  readonly image: ImageFolder;
  /** The folder behind claims of volumes. */
  readonly volume: string;
  /** Content of Secrets, by key. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * The process of a rendered pod, started as a Kubernetes node does it: with the environment, user,
 * capabilities and mounts of the template, on its own root file system. It shares the network and the
 * processes of the machine.
 */
export class Pod {
  /** Exit code or signal. */
  readonly ended: Promise<number | string>;
  private text = '';

  private constructor(
    private readonly template: PodTemplate,
    private readonly child: ChildProcess,
    folder: string,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => (this.text += String(data)));
    this.ended = new Promise((resolve) =>
      child.once('close', (code, signal) => {
        rmSync(folder, { recursive: true, force: true });
        resolve(code ?? signal ?? '');
      }),
    );
  }

  /** Starts it; `env` replaces addresses that this machine does not have. */
  static start(template: PodTemplate, place: PodPlace, env: Readonly<Record<string, string>> = {}): Pod {
    const [container] = template.spec.containers;
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-pod-'));
    const child = spawn(
      'unshare',
      [
        '--mount',
        'sh',
        '-c',
        layOut(template, place, folder),
        'sh',
        ...(container.args ?? place.image.command),
      ],
      {
        env: {
          PATH: '/node:/usr/local/bin:/usr/bin:/bin:/usr/sbin',
          HOME: '/home/node',
          ...place.image.env,
          ...environmentOf(template, place.secrets),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return new Pod(template, child, folder, Number(env['PORT'] ?? 0));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** All of its output. */
  output(): string {
    return this.text;
  }

  /** Resolves when the readiness probe of the template succeeds. @throws if the process ends before */
  async ready(withinMs = 120_000): Promise<void> {
    const { path = '' } = this.template.spec.containers[0].readinessProbe?.httpGet ?? {};
    const end = Date.now() + withinMs;
    while (Date.now() < end) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) break;
      const answer = await fetch(`http://127.0.0.1:${this.port}${path}`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return;
      await sleep(100);
    }
    throw new Error(`The pod is not ready:\n${this.text}`);
  }

  /** Ends it as Kubernetes does: preStop, SIGTERM, and SIGKILL once the grace period of the template, which counts from the beginning, is over. */
  async terminate(): Promise<number | string> {
    const { terminationGracePeriodSeconds = 30, containers } = this.template.spec;
    const force = setTimeout(() => this.child.kill('SIGKILL'), terminationGracePeriodSeconds * 1_000);
    const [program = 'true', ...args] = containers[0].lifecycle?.preStop.exec.command ?? [];
    const before = spawn(program, args, { stdio: 'ignore' });
    await new Promise((resolve) => before.once('close', resolve));
    this.child.kill('SIGTERM');
    const code = await this.ended;
    clearTimeout(force);
    return code;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** The environment of the first container: values, and keys of Secrets. */
function environmentOf(template: PodTemplate, secrets: PodPlace['secrets']): Record<string, string> {
  return Object.fromEntries(
    template.spec.containers[0].env.map(({ name, value, valueFrom }) => {
      const found = value ?? secrets[valueFrom?.secretKeyRef.key ?? ''];
      if (found === undefined) throw new Error(`No Secret of the test has what ${name} takes`);
      return [name, found];
    }),
  );
}

/**
 * A script that builds the root file system in its own mount namespace, closes it, and becomes the command:
 * its mounts end with the process.
 */
function layOut(template: PodTemplate, { image, volume }: PodPlace, root: string): string {
  const { runAsUser, runAsGroup, fsGroup } = template.spec.securityContext;
  const { readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities } =
    template.spec.containers[0].securityContext;
  const rights = [
    `--reuid=${runAsUser} --regid=${runAsGroup} --groups=${fsGroup}`,
    ...(allowPrivilegeEscalation ? [] : ['--no-new-privs']),
    ...(capabilities.drop.includes('ALL') ? ['--bounding-set=-all --inh-caps=-all'] : []),
  ];
  return [
    'set -e',
    `mount -t tmpfs -o mode=755,size=1m forgeplane-test ${root}`,
    `cd ${root}`,
    'mkdir -p usr etc proc dev app node home/node',
    // Of a machine with a merged /usr, as in Debian.
    'for name in bin sbin lib lib64; do ln -s usr/$name $name; done',
    'for name in usr etc; do mount --bind -o ro /$name $name; done',
    'for name in proc dev; do mount --rbind /$name $name; done',
    `touch node/node && mount --bind -o ro ${process.execPath} node/node`,
    `mount --bind -o ro ${image.app} app`,
    ...mountsOf(template).map(({ path, isClaim, size }) =>
      isClaim
        ? `mkdir -p .${path} && mount --bind ${volume} .${path}`
        : `mkdir -p .${path} && mount -t tmpfs -o mode=2777,gid=${fsGroup},size=${size} forgeplane-test .${path}`,
    ),
    ...(readOnlyRootFilesystem ? [`mount -o remount,ro ${root}`] : []),
    `exec chroot ${root} setpriv ${rights.join(' ')} -- env --chdir=/app -- "$@"`,
  ].join('\n');
}
