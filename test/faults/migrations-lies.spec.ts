import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startFilledSource, type FilledSource } from '../support/migration/far-end.js';
import { HastyEnd } from '../support/migration/hasty-end.js';
import {
  downloadOf,
  endlessPages,
  file,
  json,
  pageOf,
  status,
  tooShort,
  truncated,
  whenever,
} from '../support/migration/lies.js';
import { SourceProxy, type Fault } from '../support/migration/source-proxy.js';

let source: FilledSource;
let proxy: SourceProxy;
let end: HastyEnd;
beforeAll(async () => {
  [source, end] = await Promise.all([startFilledSource(3, 60), HastyEnd.start()]);
  proxy = await SourceProxy.start(source.instance.url);
});
afterAll(async () => {
  await proxy.stop();
  await end.close();
  await source.instance.close();
});

/** 100 MB of empty content, 1000 times smaller in transit. */
const bomb = gzipSync(Buffer.alloc(100 * 1024 ** 2, 0x20));
const endlessLine = gzipSync(`{"title":"${randomBytes(2 * 1024 ** 2).toString('hex')}"}\n`);
const garbage = gzipSync('{"title":\nnull\n[[[[\n"text"\n{"iid":"x"}\n\0\xff\n');

const lies = (tools: number): Fault[] => [
  whenever(downloadOf('labels'), tooShort),
  whenever(downloadOf('milestones'), file(Buffer.from('this is no gzip'))),
  whenever(downloadOf('issues'), truncated),
  whenever(downloadOf('snippets'), file(bomb)),
  whenever(downloadOf('deployments'), file(endlessLine)),
  whenever(downloadOf('freeze_periods'), file(garbage)),
  whenever(downloadOf('merge_requests'), status(302, { Location: 'http://169.254.169.254/latest' })),
  whenever(/\/projects\/\d+\/members/, endlessPages('username')),
  // The same page again and again, and groups that contain each other.
  whenever(new RegExp(`/groups/${tools}/subgroups`), (response, request) => {
    response.setHeader('X-Next-Page', String(pageOf(request) + 1));
    json([{ full_path: 'acme' }, { full_path: 'acme/web/tools' }])(response, request);
  }),
  whenever(/relation=ci_pipelines/, (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"relation":');
  }),
];

const REASONS = [
  'ci_pipelines SourceBusy The response of the source instance is not JSON',
  'deployments MalformedLine Line 1 is longer than 1048576 bytes',
  ...[1, 2, 3, 4, 6].map((line) => `freeze_periods MalformedLine Line ${line} is not a JSON object`),
  'freeze_periods RecordRefused freeze_start is missing',
  'issues SourceBusy The file of the source is damaged',
  'labels SourceBusy Connection reset',
  'members SourceRefused A list of the source instance does not end',
  'merge_requests SourceRefused URL is blocked: Requests to the link local network are not allowed',
  'milestones SourceBusy The file of the source is damaged',
  'snippets RelationFailed The file of the source unpacks to far more than its size',
  'subgroups SourceRefused 2 subgroups are not in this group on the source instance',
  'subgroups SourceRefused The pages of the source instance go in circles',
];

/** Invalid lines of a file are not requested again. */
const LOST = { deployments: 0, freeze_periods: 0 };

it('a source that lies loses only the data that it lies about, and can complete it later', async () => {
  const { body } = await source.instance.root.get<{ id: number }>('/groups/acme%2Fweb%2Ftools');
  proxy.faults = lies(body.id);
  const ended = await end.migrate(proxy.url, source.token);
  expect(ended).toMatchObject({ status: 'finished', has_failures: true });
  expect(await end.reasons(ended.id)).toEqual(REASONS);
  const { groups, projects, epics, environments, protected_refs } = source.tally;
  const none = { issues: 0, milestones: 0, snippets: 0, merge_requests: 0, ci_pipelines: 0 };
  expect(await end.tally()).toMatchObject({
    ...{ groups, projects, epics, environments, protected_refs },
    ...{ ...none, ...LOST },
  });
  proxy.heal();
  expect(await end.resume(ended.id)).toMatchObject({ status: 'finished', has_failures: true });
  expect(await end.reasons(ended.id)).toEqual(REASONS.filter((reason) => /^(deploy|freeze)/.test(reason)));
  expect(await end.tally()).toEqual({ ...source.tally, ...LOST });
  const adas = `select count(*)::int as count from members where user_id = (select id from users where username = 'ada')`;
  expect(await end.api.sql(adas)).toEqual(await source.instance.sql(adas));
});
