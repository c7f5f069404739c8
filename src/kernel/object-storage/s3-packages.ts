import { createRequire } from 'node:module';
import { StartProblem } from '#kernel/config/start-problem.js';

/**
 * Packages for S3. They are optional dependencies: installations that store objects in a folder do not need
 * them.
 */
const PACKAGES = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@aws-sdk/s3-request-presigner'];

const here = createRequire(import.meta.url);

/**
 * Detects missing packages now, not when they are first needed.
 * @throws StartProblem that says what to do
 */
export function requireS3Packages(find: (name: string) => unknown = here.resolve): void {
  const missing = PACKAGES.filter((name) => !isFound(name, find));
  if (missing.length > 0)
    throw new StartProblem(
      `OBJECT_STORE_URL names a bucket, but the packages for S3 are not installed (${missing.join(', ')}): run \`npm ci\` without --omit=optional, or set ` +
        'OBJECT_STORE_URL to a folder (`file:///...`).',
    );
}

function isFound(name: string, find: (name: string) => unknown): boolean {
  try {
    find(name);
    return true;
  } catch {
    return false;
  }
}
