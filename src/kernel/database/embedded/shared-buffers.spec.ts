import { describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseBytes, sharedBuffersOf } from './shared-buffers.js';

const GIGABYTE = 1024 ** 3;

describe('sharedBuffersOf', () => {
  it.each([
    [0, 12],
    [0.1, 12],
    [0.5, 32],
    [1, 64],
    [2, 128],
    [100, 128],
  ])('%s GB of data: %s MB', (gigabytes, expected) => {
    expect(sharedBuffersOf(gigabytes * GIGABYTE, 16 * GIGABYTE)).toBe(expected);
  });

  it('leaves enough memory on a small machine', () => {
    expect(sharedBuffersOf(10 * GIGABYTE, 0.5 * GIGABYTE)).toBe(32);
  });
});

describe('databaseBytes', () => {
  it('counts the files of our databases only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-bytes-'));
    try {
      for (const database of ['1', '16384', '20001']) {
        mkdirSync(join(folder, 'base', database), { recursive: true });
        for (const name of ['1247', '16385', '16385.1', '16385_fsm', 'pg_filenode.map'])
          writeFileSync(join(folder, 'base', database, name), Buffer.alloc(1000));
      }
      writeFileSync(join(folder, 'base', '30000'), Buffer.alloc(500));
      expect(databaseBytes(folder)).toBe(4000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
