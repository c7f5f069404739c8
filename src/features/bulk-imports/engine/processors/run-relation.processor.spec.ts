import { describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '#kernel/http/errors.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import type { SourceBusy } from '../../source/source-errors.js';
import { ImportLimits } from '../import-limits.js';
import type { RelationRun } from '../runs/relation-run.js';
import { RunRelationProcessor } from './run-relation.processor.js';

const failed = (code: string): Error => Object.assign(new Error(code), { code });

/** Runs a relation whose step fails; returns the problem it waits for, and the one it ends with. */
async function outcomeOf(error: Error): Promise<{ waitsFor?: string; endsWith?: unknown }> {
  const run = {
    entity: { of: 'project' },
    claimed: { relation: 'avatar' },
    assertAllowed: () => Promise.resolve(),
  } as unknown as RelationRun;
  const afterFailure = jest.fn((_run: RelationRun, _error: SourceBusy) => Promise.resolve(true));
  const fail = jest.fn((_run: RelationRun, _error: unknown) => Promise.resolve());
  const services = [
    { open: () => Promise.resolve(run) },
    { wayOf: () => ({ step: { run: () => Promise.reject(error) } }) },
    {},
    { afterFailure },
    { fail },
    new ImportLimits(),
  ];
  const processor = new RunRelationProcessor(
    ...(services as unknown as ConstructorParameters<typeof RunRelationProcessor>),
  );
  await processor.process({ relationId: 1 }, { signal: new AbortController().signal } as JobContext);
  const [busy, end] = [afterFailure.mock.calls[0]?.[1], fail.mock.calls[0]?.[1]];
  return { ...(busy ? { waitsFor: busy.kind } : {}), ...(end === undefined ? {} : { endsWith: end }) };
}

describe('a relation whose step fails', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])('waits for a disk that rejects writes: %s', async (code) => {
    expect(await outcomeOf(failed(code))).toEqual({ waitsFor: 'full disk' });
  });

  it('waits for what is unavailable here', async () => {
    expect(await outcomeOf(unavailable())).toEqual({ waitsFor: 'unavailable' });
  });

  it('ends with any other error', async () => {
    const error = failed('EACCES');
    expect(await outcomeOf(error)).toEqual({ endsWith: error });
  });
});
