import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { requestContext } from '#kernel/log/request-context.js';
import type { TestApi } from './api.js';

const NAMES = ['short', 'long'] as const;

/** One read as it was sent. */
export interface AskedRead {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Whether the running code serves a request; scheduled and other jobs run at the same time. */
export function isInRequest(): boolean {
  const context = requestContext.getStore();
  return context !== undefined && context.method !== 'JOB';
}

/** The reads that `work` sends to the reading database in requests. */
export async function readsDuring(api: TestApi, work: () => Promise<unknown>): Promise<AskedRead[]> {
  const database = api.app.get(ReadDatabase);
  const asked: AskedRead[] = [];
  // A short read without a free name is sent as a long one: it is the same read.
  let isNested = false;
  for (const name of NAMES) {
    const read = database[name].bind(database);
    const watched: ReadDatabase['short'] = (text, values) => {
      if (isNested) return read(text, values);
      if (isInRequest()) asked.push({ text, values });
      isNested = true;
      try {
        return read(text, values);
      } finally {
        isNested = false;
      }
    };
    Object.assign(database, { [name]: watched });
  }
  try {
    await work();
  } finally {
    for (const name of NAMES) Reflect.deleteProperty(database, name);
  }
  return asked;
}
