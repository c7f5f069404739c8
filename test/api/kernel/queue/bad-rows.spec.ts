import type { Type } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { DeleteDueEnvironmentsProcessor } from '#core/environments/cleanup/delete-due-environments.processor.js';
import { StopDueEnvironmentsProcessor } from '#core/environments/stop/stop-due-environments.processor.js';
import { PruneGroupLinksProcessor } from '#core/groups/shares/prune-group-links.processor.js';
import { PruneMembersProcessor } from '#core/members/expiry/prune-members.processor.js';
import { TellMemberExpiryProcessor } from '#core/members/expiry/tell-member-expiry.processor.js';
import { KeepCommitsProcessor } from '#core/repositories/keep-around/keep-commits.processor.js';
import { MarkRepositoriesProcessor } from '#core/repositories/storages/mark-repositories.processor.js';
import { PruneBotsProcessor } from '#core/resource-tokens/expiry/prune-bots.processor.js';
import { TellResourceTokenExpiryProcessor } from '#core/resource-tokens/expiry/tell-resource-token-expiry.processor.js';
import { TellTokenExpiryProcessor } from '#core/tokens/expiry/tell-token-expiry.processor.js';
import { TellExpiredKeysProcessor } from '#core/users/keys/tell-expired-keys.processor.js';
import { PruneUnfinishedSnippetsProcessor } from '#core/snippets/writes/prune-unfinished-snippets.processor.js';
import { TidyImportsProcessor } from '#features/bulk-imports/watch/tidy-imports.processor.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildEnvironment } from '../../../support/builders/environment.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildResourceToken, buildToken } from '../../../support/builders/token.js';

const CONTEXT = { signal: new AbortController().signal } as JobContext;

interface Runnable {
  process(payload: Readonly<Record<string, never>>, context: JobContext): Promise<void>;
}

const LEFT = /^1 row could not be processed/;

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A row for which the work of a scheduled job throws, here because of a trigger, before others that are due as well. */
describe('a row that a scheduled job cannot process', () => {
  let api: TestApi;
  let projectId: number;
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'fatal' });
    ({ id: projectId } = await buildProject(api.root));
  });
  afterAll(() => api.close());
  afterEach(() => api.sql('drop function if exists refuse() cascade'));

  const run = (processor: Type<Runnable>): Promise<void> =>
    api.app.get(processor, { strict: false }).process({}, CONTEXT);

  /** Refuses changes of some rows, such as `delete on members`. */
  const refuse = async (change: string, rows: string): Promise<void> => {
    await api.sql(`create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'refused' using errcode = '22023'; end $$`);
    await api.sql(
      `create trigger refuse before ${change} for each row when (${rows}) execute function refuse()`,
    );
  };

  const ids = async (text: string): Promise<number[]> =>
    (await api.sql<{ id: number }>(text)).map(({ id }) => id);

  const dueEnvironments = async (name: string, due: string): Promise<[number, number]> => {
    const made: number[] = [];
    for (const each of ['bad', 'good'])
      made.push((await buildEnvironment(api.root, projectId, { name: `${name}-${each}` })).id);
    await api.sql(`update environments set ${due} where id = any($1)`, [made]);
    return made as [number, number];
  };

  const twoUsers = async (name: string): Promise<[number, number]> => [
    (await addUser(api, `${name}-bad`)).id,
    (await addUser(api, `${name}-good`)).id,
  ];

  it('does not block the removal of other environments', async () => {
    const [bad] = await dueEnvironments(
      'removed',
      `state = 'stopped', auto_delete_at = now() - interval '1 hour'`,
    );
    await refuse('delete on environments', `old.id = ${bad}`);
    await expect(run(DeleteDueEnvironmentsProcessor)).rejects.toThrow(LEFT);
    expect(await ids(`select id from environments where name like 'removed-%'`)).toEqual([bad]);
  });

  it('does not block the stop of other environments', async () => {
    const [bad] = await dueEnvironments('stopped', `auto_stop_at = now() - interval '1 hour'`);
    await refuse('update on environments', `old.id = ${bad}`);
    await expect(run(StopDueEnvironmentsProcessor)).rejects.toThrow(LEFT);
    expect(
      await ids(`select id from environments where name like 'stopped-%' and state = 'available'`),
    ).toEqual([bad]);
  });

  it('does not block the removal of other memberships', async () => {
    const [bad, good] = await twoUsers('member');
    for (const id of [bad, good]) await buildMember(api, `projects/${projectId}`, id, 30, inDays(3));
    await api.sql(`update members set expires_at = current_date where user_id in (${bad}, ${good})`);
    await refuse('delete on members', `old.user_id = ${bad}`);
    await expect(run(PruneMembersProcessor)).rejects.toThrow(LEFT);
    expect(await ids(`select user_id as id from members where user_id in (${bad}, ${good})`)).toEqual([bad]);
  });

  it('does not block the mails about the end of other memberships', async () => {
    const [bad, good] = await twoUsers('ending');
    for (const id of [bad, good]) await buildMember(api, `projects/${projectId}`, id, 30, inDays(3));
    await refuse('update on members', `old.user_id = ${bad}`);
    await expect(run(TellMemberExpiryProcessor)).rejects.toThrow(LEFT);
    const told = 'select user_id as id from members where expiry_told_for is not null';
    expect(await ids(told)).toEqual([good]);
  });

  it('does not block the end of other shares with groups', async () => {
    const groups = [await buildGroup(api), await buildGroup(api)];
    for (const { id } of groups) {
      const share = { group_id: id, group_access: 30, expires_at: inDays(3) };
      expect((await api.root.post(`/projects/${projectId}/share`, share)).status).toBe(201);
    }
    await api.sql('update group_links set expires_at = current_date');
    await refuse('delete on group_links', `old.group_id = ${groups[0]?.id}`);
    await expect(run(PruneGroupLinksProcessor)).rejects.toThrow(LEFT);
    expect(await ids('select group_id as id from group_links')).toEqual([groups[0]?.id]);
  });

  it('does not block the removal of other bots', async () => {
    const bots: number[] = [];
    for (let each = 0; each < 2; each += 1)
      bots.push((await buildResourceToken(api.root, `projects/${projectId}`)).user_id);
    await api.sql('update personal_access_tokens set revoked = true where user_id = any($1)', [bots]);
    await refuse('update on users', `old.id = ${bots[0]}`);
    await expect(run(PruneBotsProcessor)).rejects.toThrow(LEFT);
    expect(await ids('select id from users where bot_source_id is not null and not pending_delete')).toEqual([
      bots[0],
    ]);
  });

  it('does not block the mails about tokens of others', async () => {
    const [bad, good] = await twoUsers('token');
    for (const id of [bad, good]) await buildToken(api, id, { expires_at: inDays(3) });
    await refuse('update on personal_access_tokens', `old.user_id = ${bad}`);
    await expect(run(TellTokenExpiryProcessor)).rejects.toThrow(LEFT);
    const told = 'select user_id as id from personal_access_tokens where expiry_told is not null';
    expect(await ids(told)).toEqual([good]);
  });

  it('does not block the mails about tokens of other projects', async () => {
    const bots: number[] = [];
    for (const name of ['first', 'second']) {
      const { id } = await buildProject(api.root, { name });
      bots.push((await buildResourceToken(api.root, `projects/${id}`, { expires_at: inDays(3) })).user_id);
    }
    await refuse('update on personal_access_tokens', `old.user_id = ${bots[0]}`);
    await expect(run(TellResourceTokenExpiryProcessor)).rejects.toThrow(LEFT);
    const told = `select t.user_id as id from personal_access_tokens t join users u on u.id = t.user_id
      where t.expiry_told is not null and u.bot_source_id is not null`;
    expect(await ids(told)).toEqual([bots[1]]);
  });

  it('does not block the mails about keys of others', async () => {
    const [bad, good] = await twoUsers('key');
    await api.sql(
      `insert into ssh_keys (user_id, title, key, fingerprint_sha256, expires_at)
       select id, 'key', 'ssh-ed25519 ' || id, id::text, now() - interval '1 hour' from unnest($1::bigint[]) id`,
      [[bad, good]],
    );
    await refuse('update on ssh_keys', `old.user_id = ${bad}`);
    await expect(run(TellExpiredKeysProcessor)).rejects.toThrow(LEFT);
    expect(await ids('select user_id as id from ssh_keys where expiry_told')).toEqual([good]);
  });

  it('does not block the removal of other snippets', async () => {
    const rows = await api.sql<{ id: number }>(
      `insert into snippets (author_id, title, visibility, created_at)
       select id, 'unfinished', 'private', now() - interval '2 hours' from users, generate_series(1, 2) where username = 'root' returning id`,
    );
    await refuse('delete on snippets', `old.id = ${rows[0]?.id}`);
    await expect(run(PruneUnfinishedSnippetsProcessor)).rejects.toThrow(LEFT);
    expect(await ids('select id from snippets')).toEqual([rows[0]?.id]);
  });

  it('does not block the end of other migrations without progress', async () => {
    const rows = await api.sql<{ id: number }>(
      `insert into bulk_imports (user_id, source_url, source_version, updated_at)
       select id, 'https://source.example', '17.0.0', now() - interval '40 days' from users, generate_series(1, 2) where username = 'root'
       returning id`,
    );
    await refuse('update on bulk_imports', `old.id = ${rows[0]?.id}`);
    await expect(run(TidyImportsProcessor)).rejects.toThrow(LEFT);
    expect(await ids('select id from bulk_imports where not timed_out')).toEqual([rows[0]?.id]);
  });

  describe('of repositories', () => {
    let repositories: number[];
    beforeAll(async () => {
      for (const name of ['left', 'right'])
        await buildProject(api.root, { name, initialize_with_readme: true });
      repositories = await ids(`select id from repositories where kind = 'code' order by id desc limit 2`);
      repositories.reverse();
    });

    it('does not keep others without their identity', async () => {
      await api.sql('update repositories set identity = null where id = any($1)', [repositories]);
      await refuse('update on repositories', `old.id = ${repositories[0]}`);
      await expect(run(MarkRepositoriesProcessor)).rejects.toThrow(LEFT);
      expect(await ids('select id from repositories where identity is null')).toEqual([repositories[0]]);
    });

    it('does not keep the commits of others from being collected', async () => {
      await api.sql(
        `update repositories set commits_collected_at = null, created_at = now() - interval '1 hour' where id = any($1)`,
        [repositories],
      );
      await refuse('update on repositories', `old.id = ${repositories[0]}`);
      await run(KeepCommitsProcessor);
      expect(await ids('select id from repositories where commits_collected_at is null')).toEqual([
        repositories[0],
      ]);
    });
  });
});
