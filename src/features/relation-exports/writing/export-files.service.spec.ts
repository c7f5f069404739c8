import { describe, expect, it } from '@jest/globals';
import type { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import type { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { ExportFilesService, type Pieces } from './export-files.service.js';

const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
const signal = new AbortController().signal;

async function* lines(problem?: Error): Pieces {
  for (let number = 0; number < 100; number += 1) yield `{"number":${await Promise.resolve(number)}}\n`;
  if (problem) throw problem;
}

/** Creates the service with a store that stores by `put`, and notes the keys given up. */
function filesOf(put: (content: AsyncIterable<Buffer>) => Promise<unknown>): {
  files: ExportFilesService;
  givenUp: string[];
} {
  const givenUp: string[] = [];
  const claims = {
    claim: (folder: string) => Promise.resolve(`${folder}/a`),
    renewedWhile: (_key: string, write: () => Promise<unknown>) => write(),
    giveUp: (key: string) => Promise.resolve(givenUp.push(key)),
  };
  const storage = { put: (_key: string, content: AsyncIterable<Buffer>) => put(content) };
  const files = new ExportFilesService(
    claims as unknown as ObjectClaims,
    storage as unknown as ObjectStorage,
  );
  return { files, givenUp };
}

describe('a file of an export that cannot be written', () => {
  it('fails with the error of the store', async () => {
    const { files, givenUp } = filesOf(() => Promise.reject(FULL));
    await expect(files.stage(7, lines(), signal)).rejects.toBe(FULL);
    expect(givenUp).toEqual(['relation-exports/7/a']);
  });

  it('fails with the error of its records, whatever the store says', async () => {
    const problem = new Error('The pages of a relation go backwards');
    const { files, givenUp } = filesOf(async (content) => {
      for await (const piece of content) expect(piece.length).toBeGreaterThan(0);
    });
    await expect(files.stage(7, lines(problem), signal)).rejects.toBe(problem);
    expect(givenUp).toEqual(['relation-exports/7/a']);
  });
});
