import { describe, expect, it } from '@jest/globals';
import { StartProblem } from '#kernel/config/start-problem.js';
import { requireS3Packages } from './s3-packages.js';

describe('requireS3Packages', () => {
  it('accepts an installation with all packages', () => {
    expect(() => requireS3Packages()).not.toThrow();
  });

  it('reports what is missing and what to do', () => {
    const find = (name: string): void => {
      if (name === '@aws-sdk/lib-storage') throw new Error('Cannot find module');
    };
    expect(() => requireS3Packages(find)).toThrow(StartProblem);
    expect(() => requireS3Packages(find)).toThrow(
      'OBJECT_STORE_URL names a bucket, but the packages for S3 are not installed (@aws-sdk/lib-storage): run `npm ci` without --omit=optional, or set ' +
        'OBJECT_STORE_URL to a folder (`file:///...`).',
    );
  });
});
