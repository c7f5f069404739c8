import { execFileSync, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';

/** Version of the API's behaviour: clients compare it (`decisions.md` 2.13). */
export const PRODUCT_VERSION = '16.5.0';

/** The commit of a checkout; an installed image has none. */
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

const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

/** Own version of Forgeplane, with the commit where there is one. */
export const PRODUCT_REVISION = [version, commit()].filter(Boolean).join('-');
