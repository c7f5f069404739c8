import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAlertIntegration } from '../support/builders/alert-integration.js';
import { buildTrackedProject } from '../support/builders/tracked-project.js';
import { envelopeOf, sendToIntake, sentEvent } from '../support/error-sender.js';
import { buildHeavyProject, type HeavyProject } from '../support/heavy/heavy-project.js';
import { HEAVY_MARKDOWN, HEAVY_TEXTS, longText } from '../support/heavy/heavy-texts.js';
import { Installation, type Member } from '../support/installation.js';
import { longestStop } from '../support/longest-stop.js';

/** Milliseconds for which one request may block all others. */
const LIMIT_MS = 100;

const times = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join('');

// One at a time: the effect of a request on others is the longest block of the event loop.
describe('the event loop is not blocked', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-loop-'));
  const figures: Record<string, number> = {};
  let installation: Installation;
  let product: Member;
  let heavy: HeavyProject;
  let path: string;
  beforeAll(async () => {
    installation = await Installation.create();
    // With NODE_ENV=test every response is read once more, which costs as much as creating it.
    product = await installation.start('all', { DATA_DIR: dataDir, NODE_ENV: 'production' });
    heavy = await buildHeavyProject(product);
    path = `/projects/${heavy.id}`;
  }, 300_000);
  afterAll(async () => {
    const lines = Object.entries(figures).map(([what, ms]) => `${String(ms).padStart(5)} ms ${what}`);
    process.stdout.write(`${lines.join('\n')}\n`);
    heavy.remove();
    await installation.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** The inputs that block it for too long. */
  async function tooLong(inputs: Readonly<Record<string, () => Promise<unknown>>>): Promise<string[]> {
    const found: string[] = [];
    for (const [what, send] of Object.entries(inputs)) {
      const ms = await longestStop(product, LIMIT_MS, send);
      figures[what] = ms;
      if (ms > LIMIT_MS) found.push(`${what}: ${ms} ms`);
    }
    return found;
  }

  const get =
    (below: string, status = 200) =>
    async (): Promise<void> => {
      const answer = await product.client.get(below);
      expect([below, answer.status, answer.status === status ? '' : answer.text.slice(0, 300)]).toEqual([
        below,
        status,
        '',
      ]);
    };

  /** Reports are read once. */
  const unread = (send: () => Promise<unknown>) => async (): Promise<void> => {
    await installation.sql('delete from ci_test_reports');
    await send();
  };

  it('by checking configurations', async () => {
    const lint = (content: string) => () => product.client.post(`${path}/ci/lint`, { content });
    expect(
      await tooLong({
        'lint: rules': lint(`a: { script: x, rules: [${times(15_000, () => "{ if: '$A =~ /(a+)+b/' },")}] }`),
        'lint: needs': lint(
          times(
            900,
            (at) => `j${at}: { script: x, needs: [${times(Math.min(50, at), (need) => `j${need},`)}] }\n`,
          ),
        ),
        'lint: extends': lint(`.t: { script: x }\n${times(20_000, (at) => `j${at}: { extends: .t }\n`)}`),
        'lint: references': lint(
          `.t: { s: [x] }\na: { script: [${times(15_000, () => '!reference [.t, s],')}] }`,
        ),
        'lint: merge keys': lint(`.t: &t { script: x }\n${times(2_500, (at) => `j${at}: { <<: *t }\n`)}`),
      }),
    ).toEqual([]);
  }, 600_000);

  it('by reading reports and archives of jobs', async () => {
    expect(
      await tooLong({
        'test report': unread(get(`${path}/pipelines/${heavy.pipelineId}/test_report`)),
        'test report that is kept': get(`${path}/pipelines/${heavy.pipelineId}/test_report`),
        'test report summary': unread(get(`${path}/pipelines/${heavy.pipelineId}/test_report_summary`)),
        'archive of 200,000 files': heavy.sendArchive,
      }),
    ).toEqual([]);
  }, 600_000);

  it('by rendering wiki pages', async () => {
    const inputs: Record<string, () => Promise<unknown>> = {};
    for (const [what, content] of Object.entries(HEAVY_MARKDOWN)) {
      const { status } = await product.client.post(`${path}/wikis`, { title: what, content });
      expect([what, status]).toEqual([what, 201]);
      inputs[`markdown: ${what}`] = get(`${path}/wikis/${what}?render_html=true`);
    }
    inputs['markdown: all pages'] = get(`${path}/wikis?with_content=1`);
    expect(await tooLong(inputs)).toEqual([]);
  }, 600_000);

  it('by reading the repository', async () => {
    const code = `${path}/repository`;
    expect(
      await tooLong({
        blame: get(`${code}/files/long.txt/blame?ref=main`),
        file: get(`${code}/files/long.txt?ref=main`),
        raw: get(`${code}/files/long.txt/raw?ref=main`),
        commits: get(`${code}/commits?per_page=100`),
        'commits with statistics': get(`${code}/commits?per_page=100&with_stats=true`),
        diff: get(`${code}/commits/${heavy.after}/diff?per_page=100`),
        compare: get(`${code}/compare?from=${heavy.before}&to=${heavy.after}`),
        'compare with long messages': get(`${code}/compare?from=${heavy.first}&to=${heavy.after}`),
        tree: get(`${code}/tree?recursive=true&per_page=100`),
      }),
    ).toEqual([]);
  }, 600_000);

  it('by reading a merge request', async () => {
    const code = `${path}/repository`;
    await product.client.post(`${code}/branches`, { branch: 'old', ref: heavy.before });
    const made = await product.client.post(`${path}/merge_requests`, {
      source_branch: 'main',
      target_branch: 'old',
      title: 'Wide',
    });
    expect(made.status).toBe(201);
    const mr = `${path}/merge_requests/${String(made.body['iid'])}`;
    expect(
      await tooLong({
        changes: get(`${mr}/changes`),
        diffs: get(`${mr}/diffs?per_page=100`),
        'raw diffs': get(`${mr}/raw_diffs`),
        'merge request': get(`${mr}?include_diverged_commits_count=true`),
      }),
    ).toEqual([]);
  }, 600_000);

  it('by writing long texts', async () => {
    const issue = await product.client.post(`${path}/issues`, { title: 'One' });
    const notes = `${path}/issues/${String(issue.body['iid'])}/notes`;
    const inputs: Record<string, () => Promise<unknown>> = {};
    for (const [what, text] of Object.entries(HEAVY_TEXTS)) {
      inputs[`issue: ${what}`] = () =>
        product.client.post(`${path}/issues`, { title: 'T', description: text });
      inputs[`comment: ${what}`] = () => product.client.post(notes, { body: text });
    }
    expect(await tooLong(inputs)).toEqual([]);
  }, 900_000);

  it('by listing long texts', async () => {
    const issue = await product.client.post<{ id: number; iid: number }>(`${path}/issues`, {
      title: 'Long',
      description: longText('"é\n '),
    });
    await installation.sql(
      `insert into issues (project_id, iid, title, author_id, description)
       select project_id, 100000 + n, title, author_id, description from issues, generate_series(1, 100) n where id = $1`,
      [issue.body.id],
    );
    expect(
      await tooLong({ 'fifteen long issues': get(`${path}/issues?per_page=15&search=Long&in=title`) }),
    ).toEqual([]);
  }, 900_000);

  it('by receiving alerts and errors', async () => {
    const integration = await buildAlertIntegration(product.client, heavy.id);
    const tracked = await buildTrackedProject(product.client, { name: 'tracked' });
    const post = (body: string) => () =>
      fetch(new URL(new URL(integration.url).pathname, product.url), {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${integration.token}` },
      }).then((answer) => answer.text());
    const FIVE = 5 * 1024 * 1024 - 1_000;
    // Connections that are refused immediately are closed when their sender continues; the measurement itself
    // shows that the service is alive.
    const send = (body: string) => () => sendToIntake(product.url, tracked, body).catch(() => undefined);
    expect(
      await tooLong({
        'alert: values': post(`{"title":"t","a":[${longText('1,', FIVE)}1]}`),
        'alert: hashes': post(`{"title":"t","a":[${longText('{"a":1},', FIVE)}1]}`),
        'alert: keys': post(`{"title":"t",${times(300_000, (at) => `"k${at}":1,`)}"z":1}`),
        'alert: text': post(`{"title":"t","description":"${longText('x', FIVE)}"}`),
        'alert: escapes': post(`{"title":"t","description":"${longText('\\n', FIVE)}"}`),
        'error: values': send(
          envelopeOf([['event', { ...sentEvent(), extra: Array.from({ length: 400_000 }, () => 1) }]]),
        ),
        'error: frames': send(
          envelopeOf([
            [
              'event',
              {
                ...sentEvent(),
                exception: {
                  values: Array.from({ length: 20_000 }, (_, at) => ({
                    type: `T${at}`,
                    value: 'v',
                    stacktrace: { frames: [{}] },
                  })),
                },
              },
            ],
          ]),
        ),
        'error: headers': send(
          `{}\n${longText(`{"type":"x","a":[${'1,'.repeat(30_000)}1]}\n\n`, 20 * 1024 * 1024)}`,
        ),
        'error: lines': send(`{}\n${longText('{}\n', 20 * 1024 * 1024)}`),
        'error: empty lines': send(`{}${longText('\n', 20 * 1024 * 1024 - 10)}`),
        'error: events': send(
          envelopeOf(
            Array.from(
              { length: 19 },
              () => ['event', { ...sentEvent(), extra: Array.from({ length: 250_000 }, () => 100) }] as const,
            ),
          ),
        ),
        'error: nuls': send(
          envelopeOf([
            [
              'event',
              JSON.stringify({ ...sentEvent(), message: 'x' }).replace(
                '"x"',
                `"${longText('\\u0000', 1000_000)}"`,
              ),
            ],
          ]),
        ),
      }),
    ).toEqual([]);
  }, 900_000);

  it('by large bodies', async () => {
    const TEN = 10 * 1024 * 1024 - 10_000;
    const json = { 'Content-Type': 'application/json' };
    const post =
      (body: string, headers: Record<string, string> = json) =>
      () =>
        product.client.send('POST', `${path}/issues`, body, headers);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(
      await tooLong({
        'body: values': post(`{"title":"t","labels":[${longText('1,', TEN)}1]}`),
        'body: many values': post(`{"title":"t","labels":[${times(49_000, (at) => `"${at}",`)}"x"]}`),
        'body: keys': post(`{"title":"t",${times(49_000, (at) => `"k${at}":1,`)}"z":1}`),
        'body: text': post(`{"title":"t","description":"${longText('x', TEN)}"}`),
        'body: escapes': post(`{"title":"t","description":"${longText('\\u0041', TEN)}"}`),
        'form: text': post(`title=t&description=${longText('%41', TEN)}`, form),
        'form: plus signs': post(`title=t&description=${longText('%41+b', TEN)}`, form),
        'form: fields': post(`title=t&${times(900, (at) => `a[${at}]=${'x'.repeat(1_000)}&`)}`, form),
        'labels in a text': () =>
          product.client.post(`${path}/issues`, { title: 't', labels: times(200_000, (at) => `l${at},`) }),
      }),
    ).toEqual([]);
  }, 900_000);
});
