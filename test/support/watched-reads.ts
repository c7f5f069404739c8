import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { requestContext } from '#kernel/log/request-context.js';
import type { TestApi } from './api.js';

const NAMES = ['short', 'long'] as const;

/** One read as it was asked. */
export interface AskedRead {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Whether the code that runs serves a request; what runs by schedule and other jobs goes on beside it. */
export function isInRequest(): boolean {
  const context = requestContext.getStore();
  return context !== undefined && context.method !== 'JOB';
}

/** What `work` has asked of the reading database in requests. */
export async function readsDuring(api: TestApi, work: () => Promise<unknown>): Promise<AskedRead[]> {
  const database = api.app.get(ReadDatabase);
  const asked: AskedRead[] = [];
  // A short read for which there is no name left is asked as a long one: it is the same read.
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
