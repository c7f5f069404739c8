// Installs the packages of test/clients/sentry, which two specs need and which are more than a third of all that would be installed: scripts/test.mjs asks
// for them before these specs run.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../test/clients/sentry/', import.meta.url));
const SPECS = /test\/clients\/sentry-[a-z]+\.spec\.ts$/;

/** Sees to it that specs among these find the packages. @throws Error that says what to do */
export async function installClients(specs) {
  if (!specs.some((spec) => SPECS.test(spec)) || isInstalled()) return;
  console.log('Installing the packages of test/clients/sentry ...');
  const code = await npm(
    'ci',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  );
  if (code !== 0)
    throw new Error(
      'the packages of test/clients/sentry cannot be installed, npm says why above. They are needed once: have this machine reach a registry of npm, run ' +
        '`npm ci --prefix test/clients/sentry`, or name the specs that are to run.',
    );
}

/** Whether npm has installed there what the lock file names. */
function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Its output is shown: it tells what is wrong. */
function npm(...args) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => {
      console.log(`npm: ${error.message}`);
      resolve(1);
    });
    child.once('close', resolve);
  });
}
