import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ImportLimits } from '#features/bulk-imports/engine/import-limits.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { migrateHere } from '../../../../support/bulk-imports/migrate-here.js';
import { scriptGroup } from '../../../../support/bulk-imports/script-group.js';
import { FakeSource } from '../../../../support/fake-source.js';

describe('imported epics whose parents come later, or never', () => {
  let api: TestApi;
  let source: FakeSource;
  beforeAll(async () => {
    api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
    source = await FakeSource.start();
    api.app.get(ImportLimits, { strict: false }).batchRows = 2;
  });
  afterAll(async () => {
    await source.stop();
    await api.close();
  });

  it('wait without being written again with each batch', async () => {
    const epic = (id: number, parent?: number): string => {
      const named =
        parent === undefined ? {} : { parent: { id: parent, iid: parent, title: 'P', group_id: 7 } };
      return `${JSON.stringify({ id, iid: id, title: `E${id}`, group_id: 7, ...named })}\n`;
    };
    scriptGroup(source, [epic(1, 99), epic(2, 6), epic(3), epic(4), epic(5), epic(6)].join(''));
    const { failures } = await migrateHere(
      api,
      api.root,
      { source_full_path: 'old', destination_slug: 'waiting' },
      source.url,
    );
    expect(failures).toEqual([]);
    const rows = await api.sql(`select e.title, p.title as parent, w.xmin = r.xmin as once from epics e
      join bulk_import_records r on r.relation = 'epics' and r.destination_id = e.id
      left join epics p on p.id = e.parent_id left join imported_epic_parents w on w.epic_id = e.id order by e.iid limit 2`);
    expect(rows).toEqual([
      { title: 'E1', parent: null, once: true },
      { title: 'E2', parent: 'E6', once: null },
    ]);
  });
});
