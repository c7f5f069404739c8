import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { isDocumented } from '#kernel/openapi/document.js';
import { RECORDED } from '../../../../src/api-words/recorded-examples.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { showMergeRequests, showRepository } from '../../../support/examples/code.js';
import { showApproval, showDeploying } from '../../../support/examples/deploying.js';
import { buildExampleWorld, type ExampleWorld } from '../../../support/examples/desk.js';
import { showInstance, showMigrations, showStorageMoves } from '../../../support/examples/instance.js';
import { showAlerts, showErrors } from '../../../support/examples/monitoring.js';
import { showOauth } from '../../../support/examples/oauth.js';
import { showPeople, showPlaces } from '../../../support/examples/people.js';
import { showPackages, showPipelines } from '../../../support/examples/pipelines.js';
import { showPlanning, showTexts } from '../../../support/examples/planning.js';

const FILE = 'src/api-words/recorded-examples.ts';

/** Lists that stay empty: sites are of installations in several places. */
const NOT_HERE = ['GeoNodeRecord'];

/** In this order: later parts show objects of earlier ones. */
const PARTS = [
  showInstance,
  showRepository,
  showPlanning,
  showMergeRequests,
  showDeploying,
  showPipelines,
  showApproval,
  showPackages,
  showTexts,
  showAlerts,
  showErrors,
  showPeople,
  showPlaces,
  showOauth,
  showStorageMoves,
  showMigrations,
];

/** Writes the examples to the file, one per line, as a template expects them. */
function write(examples: Readonly<Record<string, string>>): void {
  const lines = Object.entries(examples).map(
    ([name, json]) => `${name} ${json.replaceAll('`', '\\u0060').replaceAll('$', '\\u0024')}\n`,
  );
  const [begin = '', , end = ''] = readFileSync(FILE, 'utf8').split('`');
  writeFileSync(FILE, `${begin}\`\n${lines.join('')}\`${end}`);
}

const parsed = (examples: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(examples).map(([name, json]) => [name, JSON.parse(json) as unknown]));

describe('the examples of the API document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  let api: TestApi;
  let world: ExampleWorld;
  let kept = RECORDED;
  beforeAll(async () => {
    api = await startApi({
      ALLOW_LOCAL_REQUESTS: 'true',
      REPOSITORY_STORAGES: `default=${folder}/a,second=${folder}/b`,
    });
    world = await buildExampleWorld(api);
    for (const show of PARTS) await show(world);
    if (process.env['UPDATE_EXAMPLES'] !== '1') return;
    kept = world.desk.recorder.all;
    write(kept);
  }, 240_000);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('need no further requests', () => {
    expect(world.desk.recorder.refusals).toEqual([]);
  });

  it('are responses of the service: UPDATE_EXAMPLES=1 records them again', () => {
    expect(parsed(kept)).toEqual(parsed(world.desk.recorder.all));
  });

  it('exist for each record', () => {
    const answered = listRoutes(api.app)
      .filter(isDocumented)
      .flatMap(({ answer }) => answer?.record?.name ?? []);
    expect([...new Set(answered)].filter((name) => !(name in kept))).toEqual(NOT_HERE);
  });

  it('contain nothing that looks like a token in use', () => {
    expect(JSON.stringify(kept)).not.toMatch(/\bgl[a-z]+[-_](?!shown-only-once|d3b07384)[\w-]{8,}/);
  });
});
