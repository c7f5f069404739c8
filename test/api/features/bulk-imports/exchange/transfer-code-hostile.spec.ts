import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { TestApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { borrowApi } from '../../../../support/shared-api.js';
import {
  handmadeTarget,
  importRecords,
  offered,
  type HandmadeTarget,
} from '../../../../support/transfer-target.js';
import { anyCharacter } from '../../../../support/any-text.js';
import { runs } from '../../../../support/runs.js';

const SHA = 'a'.repeat(40);

const text = fc.oneof(
  fc.string({ maxLength: 30, unit: anyCharacter }),
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    '../x',
    '.git/config',
    '-x',
    'main',
    'a b',
    'x'.repeat(2_000),
    SHA,
    'production',
  ),
);
const number = fc.constantFrom(0, -1, 1, 2, 7, 30, 40, 2 ** 31, 2 ** 53, 1.5, 1e300, NaN);
const time = fc.constantFrom('2020-01-02T03:04:05Z', '0000-00-00T00:00:00Z', '275760-09-13T00:00:00Z', 'now');
const value = fc.oneof(text, number, time, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));

/** Each attribute is missing, arbitrary, or (mostly) valid. */
const recordOf = (nested: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<SourceRecord> =>
  fc.record(
    Object.fromEntries(
      Object.entries(nested).map(([name, one]) => [name, fc.oneof({ weight: 6, arbitrary: one }, value)]),
    ),
    { requiredKeys: [] },
  );
const list = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(fc.oneof({ weight: 5, arbitrary: one }, value), { maxLength: 3 });

const name = fc.oneof(
  fc.constantFrom('main', 'v*', 'production', 'staging'),
  fc.string({ minLength: 1, maxLength: 12 }),
  text,
);
const user = fc.constantFrom(7, 8);
const sha = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(SHA, 'b'.repeat(40)) }, text);
const times = { created_at: time, updated_at: time, started_at: time, finished_at: time };
const level = recordOf({
  access_level: fc.constantFrom(0, 20, 30, 40, 60),
  user_id: user,
  group_id: fc.constant(null),
});
const levels = list(level);
const status = fc.constantFrom('success', 'failed', 'running', 'manual', 'created', 'blocked', 'constructor');
const emoji = recordOf({ name: fc.constantFrom('thumbsup', 'x'), user_id: user });
const note = recordOf({
  note: text,
  author_id: user,
  system: fc.boolean(),
  type: fc.constantFrom('DiffNote', null),
  ...times,
});
const talk = {
  author_id: user,
  notes: list(note),
  award_emoji: list(emoji),
  title: name,
  description: text,
  ...times,
};
const job = recordOf({
  name,
  status,
  type: fc.constantFrom('Ci::Build', 'Ci::Bridge', '__proto__'),
  user_id: user,
  coverage: number,
  stage_idx: number,
  target_url: fc.constantFrom('javascript:alert(1)', 'https://ci.example.com'),
  ...times,
});
const diff = recordOf({ base_commit_sha: sha, start_commit_sha: sha, head_commit_sha: sha, real_size: text });

const RECORDS: Readonly<Record<string, fc.Arbitrary<SourceRecord>>> = {
  protected_branches: recordOf({
    name,
    push_access_levels: levels,
    merge_access_levels: levels,
    unprotect_access_levels: levels,
  }),
  protected_tags: recordOf({ name, create_access_levels: levels }),
  environments: recordOf({
    name,
    slug: text,
    tier: text,
    state: status,
    external_url: text,
    auto_stop_at: time,
    ...times,
  }),
  protected_environments: recordOf({
    name,
    required_approval_count: number,
    deploy_access_levels: levels,
    approval_rules: levels,
  }),
  freeze_periods: recordOf({
    freeze_start: fc.constantFrom('0 1 * * *', '* *', '0 0 31 2 *'),
    freeze_end: fc.constantFrom('0 2 * * 1', '99 * * * *'),
    cron_timezone: fc.constantFrom('UTC', '../etc/passwd', 'Berlin'),
    ...times,
  }),
  snippets: recordOf({
    ...talk,
    visibility_level: number,
    file_name: text,
    content: text,
    files: list(recordOf({ path: name, content: fc.constantFrom('YQ==', '', 'a', '????') })),
  }),
  ci_pipelines: recordOf({
    ref: name,
    sha,
    before_sha: sha,
    status,
    source: text,
    user_id: user,
    duration: number,
    parent_iid: number,
    yaml_errors: text,
    stages: list(
      recordOf({ name, position: number, builds: list(job), statuses: list(job), bridges: list(job) }),
    ),
    ...times,
  }),
  merge_requests: recordOf({
    ...talk,
    source_branch: name,
    target_branch: name,
    source_project_id: number,
    target_project_id: number,
    state: fc.constantFrom('closed', 'merged', 'locked', 'toString'),
    merge_status: text,
    merge_params: recordOf({ force_remove_source_branch: value }),
    metrics: recordOf({ merged_at: time, merged_by_id: user }),
    merge_request_diff: diff,
    merge_request_versions: list(diff),
    merge_request_assignees: list(recordOf({ user_id: user })),
    merge_request_reviewers: list(recordOf({ user_id: user, state: text })),
    approvals: list(recordOf({ user_id: user, created_at: time })),
    label_links: list(recordOf({ label: recordOf({ title: name, color: text }) })),
    milestone: recordOf({ title: name }),
    timelogs: list(recordOf({ time_spent: number, user_id: user })),
    time_estimate: number,
  }),
  deployments: recordOf({
    ref: name,
    sha,
    status,
    environment: fc.constant({ name: 'production' }),
    deployment_merge_requests: list(recordOf({ merge_request_iid: number })),
    approvals: list(recordOf({ user_id: user, status: fc.constantFrom('approved', 'x'), comment: text })),
    ...times,
  }),
};

describe('records of code of a hostile source', () => {
  let api: TestApi;
  let target: () => HandmadeTarget;

  beforeAll(async () => {
    api = await borrowApi();
    const { id } = await buildProject(api.root);
    await api.root.post(`/projects/${id}/environments`, { name: 'production' });
    target = () => handmadeTarget({ of: 'project', ownerId: id, users: new Map([[7, 1]]) });
  });
  afterAll(() => api.close());

  it.each(Object.entries(RECORDS))(
    'of %s are refused, or written completely',
    async (relation, arbitrary) => {
      const { pipeline } = offered(api, 'project', relation);
      const there = target();
      const kept = new Map<string, SourceRecord>();
      let iid = 0;
      for (const sampled of fc.sample(arbitrary, { numRuns: runs(400), seed: 8 })) {
        iid += 1;
        const record = { ...sampled, iid };
        expect(typeof pipeline.title(record)).toMatch(/string|object/);
        expect(pipeline.userIds(record).every((id) => Number.isSafeInteger(id))).toBe(true);
        try {
          pipeline.transform(record, there);
        } catch (error) {
          expect(error).toBeInstanceOf(RecordRefused);
          continue;
        }
        kept.set(pipeline.key(record), record);
      }
      expect(kept.size).toBeGreaterThan(0);
      const ids = await importRecords(api, there, relation, [...kept.values()]);
      expect(ids).toHaveLength(kept.size);
      expect(ids.every((id) => id !== null) || relation === 'protected_environments').toBe(true);
    },
  );

  it('reference objects by their identity at the source', () => {
    for (const relation of ['merge_requests', 'ci_pipelines', 'deployments'])
      expect(offered(api, 'project', relation).pipeline.key({ id: 5, iid: 3 })).toBe('3');
    const { pipeline } = offered(api, 'project', 'protected_branches');
    expect(pipeline.key({ id: 5, name: 'main' })).toBe('main');
    expect(pipeline.key({})).toMatch(/^[0-9a-f]{64}$/);
  });
});
