import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/cli.js';
import { DEPLOY_TOOLS, type Rendered, renderChart as render } from '../support/deploy/chart.js';

type Model = new (object: object) => { validate: () => void };

/** What a pod of a job runs. */
interface Job {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly args: readonly string[];
            readonly env: unknown;
            readonly volumeMounts: readonly unknown[];
          },
        ];
      };
    };
  };
}

const EVERYTHING = [
  'api.autoscaling.enabled=true',
  'api.autoscaling.inFlight=20',
  'serviceMonitor.enabled=true',
  'bundledPostgres.enabled=true',
  'ingress.enabled=true',
  'ingress.host=forge.example.com',
  'ingress.tlsSecret=tls',
  'trustedProxies=10.0.0.0/8',
];

const EXAMPLES = [
  'cloudnative-pg.yaml',
  'pgbouncer.yaml',
  'read-replica.yaml',
  's3-and-redis.yaml',
  'redis-sentinel.yaml',
  'keda.yaml',
];

/** Validates an object by the published schema of its kind; kinds that Kubernetes does not know have none. */
async function judge(object: Rendered): Promise<void> {
  if (object.apiVersion.startsWith('monitoring.coreos.com/')) return;
  const file = join(DEPLOY_TOOLS, 'kubernetes-models', object.apiVersion, `${object.kind}.js`);
  const found = (await import(pathToFileURL(file).href)) as Record<string, Model>;
  const model = found[object.kind];
  if (!model) throw new Error(`no schema of ${object.kind}`);
  new model(object).validate();
}

const names = (objects: readonly Rendered[]): string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
const one = (objects: readonly Rendered[], name: string): string =>
  JSON.stringify(objects.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name));

describe('the chart', () => {
  let plain: Rendered[];
  let full: Rendered[];
  beforeAll(async () => {
    [plain, full] = await Promise.all([render(), render(EVERYTHING)]);
  });

  it('renders valid Kubernetes objects', async () => {
    const examples = await Promise.all(EXAMPLES.map((file) => render([], [file])));
    await Promise.all([plain, full, ...examples].flat().map(judge));
    const broken = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 'two' },
    };
    await expect(judge(broken)).rejects.toThrow('replicas');
  });

  it('starts API, workers and a migration by default', () => {
    expect(names(plain)).toEqual([
      'Deployment forgeplane-api',
      'Deployment forgeplane-worker',
      'Job forgeplane-migrate',
      'NetworkPolicy forgeplane',
      'PersistentVolumeClaim forgeplane-data',
      'PodDisruptionBudget forgeplane-api',
      'PodDisruptionBudget forgeplane-worker',
      'Service forgeplane',
    ]);
    expect(one(plain, 'Deployment forgeplane-api')).toContain('"replicas":2');
    expect(one(plain, 'Deployment forgeplane-api')).toContain('"name":"MIGRATE_ON_START","value":"false"');
  });

  it('leaves the number of pods to the autoscaler', async () => {
    expect(one(full, 'Deployment forgeplane-api')).not.toContain('"replicas"');
    expect(one(full, 'HorizontalPodAutoscaler forgeplane-api')).toContain('http_requests_in_flight');
    const scaled = await render([], ['keda.yaml']);
    expect(one(scaled, 'Deployment forgeplane-worker')).not.toContain('"replicas"');
  });

  it('migrates the bundled PostgreSQL at each start, because a job before it would not find it', () => {
    expect(names(full)).toContain('StatefulSet forgeplane-postgres');
    expect(names(full)).not.toContain('Job forgeplane-migrate');
    expect(one(full, 'Deployment forgeplane-api')).toContain('"name":"MIGRATE_ON_START","value":"true"');
  });

  it('runs nothing but a restore while one is asked for', async () => {
    const target = mkdtempSync(join(tmpdir(), 'forgeplane-target-'));
    const scaled = EVERYTHING.filter((set) => !set.startsWith('bundledPostgres'));
    const restoring = await render([
      ...scaled,
      `restore.target=${target}`,
      'restore.backup=20260101T000000Z',
    ]);
    await Promise.all(restoring.map(judge));
    expect(
      names(restoring).filter((name) => !/^(Ingress|NetworkPolicy|Service|ServiceMonitor) /.test(name)),
    ).toEqual(['Job forgeplane-restore-1', 'PersistentVolumeClaim forgeplane-data']);
    const job = restoring.find(({ kind }) => kind === 'Job') as unknown as Job;
    const { args, env, volumeMounts } = job.spec.template.spec.containers[0];
    expect(JSON.stringify(env)).toContain('{"name":"DATABASE_URL","valueFrom"');
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
    expect(args.slice(0, 2)).toEqual(['node', 'dist/app/cli.js']);
    const run = await runCommand(args.slice(2), { DATA_DIR: target });
    rmSync(target, { recursive: true });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('There is no backup')]);
  });

  it('grants pods no more than they need', () => {
    const pods = full.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind));
    expect(pods).toHaveLength(3);
    for (const pod of [...pods, plain.find(({ kind }) => kind === 'Job')].map((each) => JSON.stringify(each)))
      for (const rule of [
        '"automountServiceAccountToken":false',
        '"runAsNonRoot":true',
        '"readOnlyRootFilesystem":true',
        '"type":"RuntimeDefault"',
        '"drop":["ALL"]',
      ])
        expect(pod).toContain(rule);
  });

  it('kills no pod before it has drained and stopped', async () => {
    const slow = await render(['drainSeconds=20', 'stopTimeoutSeconds=60']);
    expect(one(slow, 'Deployment forgeplane-api')).toContain('"terminationGracePeriodSeconds":105');
    expect(one(slow, 'Deployment forgeplane-api')).toContain('"command":["sleep","20"]');
  });

  it('accepts secrets only by reference', async () => {
    for (const name of ['DATABASE_URL', 'SECRETS_KEY'])
      expect(one(plain, 'Deployment forgeplane-worker')).toContain(
        `{"name":"${name}","valueFrom":{"secretKeyRef":{"name":"forgeplane","key":"${name}"}}}`,
      );
    await expect(render(['env.DATABASE_URL=postgres://a:b@c/d'])).rejects.toThrow('DATABASE_URL');
    await expect(render(['secretEnv.SECRETS_KEY=inline'])).rejects.toThrow('SECRETS_KEY');
  });

  it.each([
    ['api.replica=3'],
    ['api.replicas=0'],
    ['ingres.enabled=true'],
    ['ingress.enabled=true'],
    ['env.DATABASE_POOLER=transaction'],
    ['env.BACKUP_PASSPHRASE=correct horse battery'],
    ['restore.target=s3://user:password@bucket/backups'],
  ])('refuses %s', async (set) => {
    await expect(render([set])).rejects.toThrow();
  });
});
