import { expect, it } from '@jest/globals';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { AdoptStorage } from '#core/repositories/storages/adopt-storage.use-case.js';
import { StorageRootsService } from '#core/repositories/storages/storage-roots.service.js';
import { startApi } from '../../../../support/api.js';

it('a storage is not treated as lost while another process adopts it', async () => {
  const api = await startApi();
  try {
    const database = api.app.get(ReadDatabase, { strict: false });
    const adoption = api.app.get(AdoptStorage, { strict: false });
    const one = database.one.bind(database);
    let adopted = 0;
    database.one = async (text, values) => {
      // The file has been checked, but not yet the row.
      if (text.includes('repository_storages') && (adopted += 1) === 1) await adoption.adopt('default', true);
      return one(text, values);
    };
    const problem = await api.app.get(StorageRootsService, { strict: false }).problem('default', true);
    expect([problem, adopted]).toEqual([null, 1]);
  } finally {
    await api.close();
  }
});
