import { execFileSync, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Version of the API's behaviour: clients compare it (`decisions.md` 2.13). */
export const PRODUCT_VERSION = '16.5.0';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** From src the package file lies three folders up, from dist/src four. */
function ownVersion(): string {
  for (const folder of [root, `${root}../`]) {
    try {
      return (JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { version: string }).version;
    } catch {
      // Tried in the next folder.
    }
  }
  return '0.0.0';
}

/** The commit of a checkout; an installed image has none. */
function commit(): string | null {
  try {
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    return execFileSync('git', ['rev-parse', '--short=11', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio,
      timeout: 2000,
    }).trim();
  } catch {
    return null;
  }
}

/** Own version of Forgeplane, with the commit where there is one. */
export const PRODUCT_REVISION = [ownVersion(), commit()].filter(Boolean).join('-');
