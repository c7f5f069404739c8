// Installs large packages that the product and its build do not need, before the specs and checks that do.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folders of packages, and the specs that need them. */
const NEEDED = [
  ['test/clients/sentry', /test\/processes\/clients\/sentry-[a-z]+\.spec\.ts$/],
  ['test/clients/former-postgres', /test\/processes\/database\/database-upgrade\.spec\.ts$/],
  ['test/deploy/tools', /test\/(?:deploy\/chart|faults\/deploy)\.spec\.ts$/],
];

/** Installs the packages that the given specs need. @throws Error that says what to do */
export async function installClients(specs) {
  for (const [folder, pattern] of NEEDED) if (specs.some((spec) => pattern.test(spec))) await install(folder);
}

/** Installs what the static checks and many specs need. @throws Error that says what to do */
export const installTools = () => install('test/tools');

async function install(folder) {
  if (isInstalled(folder)) return;
  console.log(`Installing the packages of ${folder} ...`);
  const code = await npmCi(join(root, folder));
  if (code !== 0)
    throw new Error(
      `the packages of ${folder} cannot be installed; the output of npm above says why. They are installed only once: give this machine access to an npm registry, run ` +
        `\`(cd ${folder} && npm ci)\`, or name the specs to run.`,
    );
}

/** Whether npm has installed there what the lock file lists. */
function isInstalled(folder) {
  const installed = packagesOf(folder, 'node_modules/.package-lock.json');
  return Object.entries(packagesOf(folder, 'package-lock.json')).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function packagesOf(folder, file) {
  try {
    return JSON.parse(readFileSync(join(root, folder, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Its output is shown, since it explains errors. It runs in the folder: with `--prefix` npm would not find its global settings. */
function npmCi(cwd) {
  return new Promise((resolve) => {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => {
      console.log(`npm: ${error.message}`);
      resolve(1);
    });
    child.once('close', resolve);
  });
}
