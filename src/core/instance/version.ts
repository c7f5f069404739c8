import { execFileSync, type StdioOptions } from 'node:child_process';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import { RELEASE } from '#kernel/config/release.js';

/** Version of the API: clients compare it (`decisions.md` 2.13). */
export const PRODUCT_VERSION = '16.5.0';

/** Returns the commit of a checkout; null in an installed image. */
function commit(): string | null {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', '--short=11', 'HEAD'], {
      cwd: PACKAGE_ROOT,
      encoding: 'utf8',
      stdio,
      timeout: 2000,
    }).trim();
  } catch {
    return null;
  }
}

/** Version of Forgeplane, with the commit if known. */
export const PRODUCT_REVISION = [RELEASE, commit()].filter(Boolean).join('-');
