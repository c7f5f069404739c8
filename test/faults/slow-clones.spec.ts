import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../support/api.js';
import { addUser } from '../support/builders/instance.js';
import { buildProject } from '../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../support/git.js';
import { basicHeader, packet, type Login } from '../support/git-http.js';
import { narrow, restoreLimits } from '../support/git-limits.js';
import { until } from '../support/until.js';

/** More than the system buffers for a client that does not read. */
const MEBIBYTES = 64;
const HALF_MEBIBYTE = 512 * 1024;

describe('a client that is slow to read a clone', () => {
  let api: TestApi;
  let work: WorkingCopy;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    api = await startApi({});
    work = await new WorkingCopy().init();
    await work.git('config', 'core.compression', '0');
    await work.git('config', 'core.bigFileThreshold', '1m');
    for (let number = 0; number < 4; number += 1)
      await work.commit({
        [`${number}.txt`]: randomBytes((MEBIBYTES / 4) * HALF_MEBIBYTE).toString('hex'),
      });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    restoreLimits();
    work.remove();
    await api.close();
  });

  /** Ids of the processes that build packs. */
  const packers = (): number[] =>
    execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('upload-pack'))
      .map((line) => Number(line.trim().split(' ', 1)[0]));

  /** Requests a clone, and does not read it. */
  const clone = (path: string, login: Login, agent: string, head: string): void => {
    const body = `${packet('command=fetch')}${packet(`agent=${agent}`)}0001${packet(`want ${head}\n`)}${packet('done\n')}0000`;
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    socket.write(
      `POST ${path}/git-upload-pack HTTP/1.1\r\nHost: x\r\nAuthorization: ${basicHeader(login)['Authorization']}\r\n` +
        'Git-Protocol: version=2\r\nContent-Type: application/x-git-upload-pack-request\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.pause();
  };

  it('keeps its slot while a user waits only for slots of their own', async () => {
    const head = await work.git('rev-parse', 'HEAD');
    for (const path of ['slow', 'busy']) {
      const { id } = await buildProject(api.root, { path, visibility: 'public' });
      await seedRepository(api, projectRepository(id), work);
    }
    const eve: Login = ['eve', (await addUser(api, 'eve')).token];
    narrow('pack', { share: 1, waitMs: 120_000 });
    clone('/root/slow.git', ['root', ROOT_TOKEN], 'slow', head);
    await until(() => packers().length === 1);
    const [slow = 0] = packers();
    clone('/root/busy.git', eve, 'first', head);
    await until(() => packers().length === 2);
    const first = packers().find((pid) => pid !== slow) ?? 0;
    clone('/root/busy.git', eve, 'second', head);
    await until(() => !packers().includes(first), 60_000);
    expect(packers()).toContain(slow);
  });
});
