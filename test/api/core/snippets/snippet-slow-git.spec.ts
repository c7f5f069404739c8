import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { git, gitText } from '#core/repositories/git/git.js';
import { GIT_KINDS, type GitKind } from '#core/repositories/git/processes/git-kinds.js';
import { takeSlot, type TakenSlot } from '#core/repositories/git/processes/git-slots.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { untilBlocking } from '../../../support/lock-waits.js';
import { until } from '../../../support/until.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const namesOf = async (id: number): Promise<readonly string[]> =>
  (await api.sql<{ names: string[] }>('select file_paths as names from snippets where id = $1', [id]))[0]
    ?.names ?? [];

const hold = (...kinds: readonly GitKind[]): Promise<TakenSlot[]> =>
  Promise.all(
    kinds.flatMap((kind) =>
      Array.from({ length: GIT_KINDS[kind].width }, (_, n) => takeSlot(kind, `/held/${n}`)),
    ),
  );

it('a change of a snippet with many refs is recorded without git, as the snippet is locked then', async () => {
  const files = [{ file_path: 'a.txt', content: 'a' }];
  const { id } = (await api.root.post<{ id: number }>('/snippets', { title: 'A', files })).body;
  const { path } = await api.app.get(RepositoriesService, { strict: false }).open(snippetRepository(id));
  const head = await gitText(path, ['rev-parse', 'refs/heads/main']);
  const input = Array.from({ length: 80 }, (_, n) => `create refs/tags/t${n} ${head}\n`).join('');
  await git(path, ['update-ref', '--stdin'], { input });
  let held: TakenSlot[] = [];
  const { changed } = await api.app.get(DataSource).transaction(async (tx) => {
    // As pushes that begin do.
    await tx.query('select 1 from snippets where id = $1 for share', [id]);
    const begun = api.root.put(`/snippets/${id}`, {
      files: [{ action: 'move', previous_path: 'a.txt', file_path: 'b.txt', content: 'b' }],
    });
    await untilBlocking(api, tx);
    held = await hold('read', 'walk', 'background');
    return { changed: begun };
  });
  try {
    await until(async () => (await namesOf(id)).includes('b.txt'), 5_000);
  } finally {
    held.forEach(({ release }) => release());
  }
  expect((await changed).status).toBe(200);
});
