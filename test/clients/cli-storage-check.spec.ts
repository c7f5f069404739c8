import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  projectRepository,
  relativePath,
  wikiRepository,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../support/api.js';
import { runCli, runCommand, type CliRun } from '../support/cli.js';
import { seedRepository, WorkingCopy } from '../support/git.js';

interface Answer {
  readonly ok: boolean;
  readonly storages: string[];
  readonly repositories: number;
  readonly problems: { storage: string; path: string; problem: string; advice: string }[];
}

/** Commands refuse a key that differs from that of the service. */
const SECRETS_KEY = 'a key of the tests with 32 characters or more';

let api: TestApi;
let folder: string;
let work: WorkingCopy;
let ids: number[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-check-'));
  api = await startApi({ LOG_LEVEL: 'silent', REPOSITORY_STORAGES: storages(), SECRETS_KEY });
  work = await new WorkingCopy().init();
  await work.commit({ a: '1' });
  ids = [];
  for (const name of ['well', 'missing', 'elsewhere', 'headless', 'corrupt', 'unowned']) {
    const { body } = await api.root.post<{ id: number }>('/projects', { name });
    await seedRepository(api, projectRepository(body.id), work);
    ids.push(body.id);
  }
  await seedRepository(api, wikiRepository('Project', ids[0] as number), work);
});
afterAll(async () => {
  work.remove();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const storages = (): string => `default=${folder}/default,second=${folder}/second`;

const check = (args: readonly string[] = [], configured = storages()): Promise<CliRun> =>
  runCommand(['storage', 'check', ...args], {
    DATABASE_URL: api.databaseUrl,
    DATA_DIR: '/nonexistent',
    REPOSITORY_STORAGES: configured,
  });

const place = (ref: RepositoryRef, storage = 'default'): string => join(folder, storage, relativePath(ref));
const project = (index: number): RepositoryRef => projectRepository(ids[index] as number);
const path = (index: number): string => relativePath(project(index));

const found = (run: CliRun): string[] =>
  (run.json() as Answer).problems.map(({ storage, path, problem }) => `${storage}:${path} ${problem}`);

describe('storage check', () => {
  it('finds no problems in intact storages', async () => {
    expect(await check()).toMatchObject({
      code: 0,
      stdout: '7 repositories on default, second: all is well.\n',
      stderr: '',
    });
    const run = await check(['--json', '--fsck', '--storage', 'second', '--grace', '0']);
    expect(run.code).toBe(0);
    expect(run.json()).toEqual({ ok: true, storages: ['second'], repositories: 0, problems: [] });
  });

  it('reports commits that the database refers to and a repository lacks', async () => {
    const kept = `insert into kept_commits (project_id, sha, is_missing) values
      ($1, $2, false), ($1, repeat('d', 40), false), ($1, repeat('e', 40), true)`;
    await api.sql(kept, [ids[0], await work.git('rev-parse', 'HEAD')]);
    const run = await check();
    expect([run.code, run.stdout.split('\n')]).toEqual([
      1,
      [
        `PROBLEM  default:${path(0)} of project ${ids[0]} lacks 1 commit that the database names (${'d'.repeat(40)}). Restore it from a backup.`,
        expect.stringMatching(/^NOTE .*lacks 1 commit that the database names \(e{40}\)/),
        '7 repositories on default, second: 1 problems.',
        '',
      ],
    ]);
    await api.sql(`delete from kept_commits where sha = repeat('d', 40)`);
    expect((await check()).code).toBe(0);
    await api.sql('delete from kept_commits');
  });

  it.each([
    ['garbage', 'ignoring broken ref'],
    ['1234567890'.repeat(4), 'missing object'],
  ])('reports refs that git cannot read: %s', async (content, said) => {
    const head = join(place(project(0)), 'refs/heads/main');
    const whole = readFileSync(head, 'utf8');
    writeFileSync(head, `${content}\n`);
    const run = await check();
    writeFileSync(head, whole);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(new RegExp(`of project ${ids[0]} is broken: git for-each-ref: .*${said}`));
    expect((await check()).code).toBe(0);
  });

  it('reports every problem with a remedy, and changes nothing', async () => {
    rmSync(place(project(1)), { recursive: true });
    mkdirSync(dirname(place(project(2), 'second')), { recursive: true });
    renameSync(place(project(2)), place(project(2), 'second'));
    rmSync(join(place(project(3)), 'HEAD'));
    cpSync(place(project(0)), place(project(0), 'second'), { recursive: true });
    await api.sql(`delete from repositories where owner_id = $1 and kind = 'code'`, [ids[5]]);
    const unfinished = `${place(project(0))}.${randomUUID()}.new`;
    const move = join(folder, 'default/+moves', `7-${randomUUID()}`);
    const aside = join(folder, 'second/+moves', `8-${randomUUID()}.old-x.git`);
    for (const left of [unfinished, move, aside, join(folder, 'second/strange')])
      mkdirSync(left, { recursive: true });
    const pack = join(place(project(4)), 'objects');
    for (const name of readdirSync(pack, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )) {
      rmSync(join(name.parentPath, name.name));
      writeFileSync(join(name.parentPath, name.name), 'broken');
    }
    const before = readdirSync(folder, { recursive: true }).sort();

    const run = await check(['--json', '--grace', '0', '--fsck']);
    expect(run.code).toBe(1);
    const corrupt = found(run).filter((line) => line.includes(path(4)));
    expect(corrupt).toEqual([expect.stringContaining(`of project ${ids[4]} is broken: git fsck`)]);
    expect(
      found(run)
        .filter((line) => !corrupt.includes(line))
        .sort(),
    ).toEqual(
      [
        `default:${path(1)} of project ${ids[1]} is missing`,
        `default:${path(2)} of project ${ids[2]} is on second instead`,
        `default:${path(3)} of project ${ids[3]} is broken: HEAD is missing`,
        `default:${path(5)} has no owner in the database`,
        `default:${unfinished.slice(folder.length + 9)} is left over from something that was interrupted`,
        `default:${move.slice(folder.length + 9)} is left over from a move that has ended`,
        `second:${path(0)} is a copy of a repository that is on default`,
        `second:${path(2)} is a copy of a repository that is on default`,
        `second:${aside.slice(folder.length + 8)} is a repository that move 8 set aside and could not compare with its copy`,
        'second:strange does not belong to the service',
      ].sort(),
    );
    expect((run.json() as Answer).problems.every(({ advice }) => advice.endsWith('.'))).toBe(true);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  });

  it('reports storages and repositories with the identity of others, and folders that were set aside', async () => {
    const file = join(folder, 'second/.forgeplane-storage');
    const config = join(place(project(0)), 'config');
    const former = readFileSync(config, 'utf8');
    writeFileSync(file, `${randomUUID()}\n`);
    writeFileSync(config, former.replace(/owner = .*/, `owner = ${randomUUID()}`));
    await api.sql(
      `insert into repository_storages (name, identity, adopted_at) values ('second', $1, now())`,
      [randomUUID()],
    );
    const kept = '20260101T000000Z-project-1-0123abcd.git';
    cpSync(place(project(0)), join(folder, 'second/+set-aside', kept), { recursive: true });
    const lines = found(await check(['--json']));
    expect(lines).toContain(`default:${path(0)} of project ${ids[0]} belongs to another owner`);
    expect(lines).toContain(`second: the folder ${folder}/second carries the identity of another storage`);
    expect(lines).toContain(`second:+set-aside/${kept} was set aside for another repository`);

    const env = {
      DATABASE_URL: api.databaseUrl,
      DATA_DIR: folder,
      REPOSITORY_STORAGES: storages(),
      SECRETS_KEY,
    };
    const shown = await runCommand(['storage', 'set-aside', '--json'], env);
    expect(shown.json()).toMatchObject({ kept: [{ storage: 'second', name: kept, branches: ['main'] }] });
    expect((await runCommand(['storage', 'set-aside', '--remove', '../@hashed'], env)).code).toBe(1);
    const [line = ''] = (await runCommand(['storage', 'set-aside'], env)).stdout.split('  ');
    expect((await runCommand(['storage', 'set-aside', '--remove', line], env)).code).toBe(0);
    expect(readdirSync(join(folder, 'second/+set-aside'))).toEqual([]);
    const adopted = await runCli(['storage', 'adopt', '--storage', 'second'], env);
    expect([adopted.code, adopted.stderr]).toEqual([0, '']);
    writeFileSync(config, former);
    const after = found(await check(['--json']));
    expect(after.filter((line) => /another owner|identity/.test(line))).toEqual([]);
  });

  it('skips recent folders, and shows the same report as text', async () => {
    const { code, stdout } = await check(['--storage', 'default']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `PROBLEM  default:${path(1)} of project ${ids[1]} is missing. Restore it from a backup.\n`,
    );
    expect(stdout).toMatch(/\n6 repositories on default: 4 problems\.\n$/);
  });

  it('reports each missing storage once, and those that are not configured', async () => {
    const gone = found(await check(['--json'], `default=${folder}/gone`));
    expect(gone).toEqual([`default: the folder ${folder}/gone is missing`]);
    const other = found(await check(['--json'], `other=${folder}/second`));
    expect(other).toHaveLength(7);
    expect(other[0]).toContain(`of project ${ids[0]} is on a storage that is not configured`);
  });

  it('accepts only configured storages, as the other commands do', async () => {
    const refused = { code: 1, stderr: 'There is no storage third, only default, second\n' };
    expect(await check(['--storage', 'third'])).toMatchObject(refused);
    const env = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder, SECRETS_KEY };
    for (const names of [['third'], ['default', '--destination', 'third']])
      expect(
        await runCommand(['storage', 'move', '--source', ...names], {
          ...env,
          REPOSITORY_STORAGES: storages(),
        }),
      ).toMatchObject(refused);
  });

  it('is part of doctor in a short form', async () => {
    const doctor = await runCli(['doctor', '--json'], {
      DATABASE_URL: api.databaseUrl,
      DATA_DIR: folder,
      REPOSITORY_STORAGES: storages(),
    });
    const { checks } = doctor.json() as { checks: { check: string; problem: string | null }[] };
    const problem = checks.find((one) => one.check === 'repositories lie where the database says')?.problem;
    expect(problem).toBe(`project ${ids[2]} on default, project ${ids[1]} on default`);
  });
});
