import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../client.js';

/** An import, with its facts for the tests. */
export interface ImportBody {
  readonly id: number;
  readonly status: string;
  readonly has_failures: boolean;
  readonly canceled: boolean;
}

/** Returns the import once it has ended. @throws with its progress if that takes longer than `withinMs` */
export async function endedImport(api: ApiClient, id: number, withinMs = 120_000): Promise<ImportBody> {
  const end = Date.now() + withinMs;
  for (;;) {
    const { body } = await api.get<ImportBody>(`/bulk_imports/${id}`);
    if (body.status === 'finished' || body.status === 'failed') return body;
    if (Date.now() > end) {
      const { text } = await api.get(`/bulk_imports/${id}/progress`);
      throw new Error(`The import has not ended: ${text}`);
    }
    await sleep(200);
  }
}
