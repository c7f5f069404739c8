import { spawn } from 'node:child_process';
import vm from 'node:vm';
import { swcOptions } from './scripts/swc-options.mjs';

// ES modules under jest need a flag of Node. A bare `npx jest` starts itself again with it.
if (!vm.SourceTextModule) {
  const args = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', ...process.argv.slice(1)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.exit(await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1))));
}

const servers = {
  rootDir: '.',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

// ES modules under jest: swc compiles one file at a time, `#x/y.js` is src/x/y.ts (see package.json "imports").
const project = (displayName, roots) => ({
  ...servers,
  displayName,
  roots: roots.map((folder) => `<rootDir>/${folder}`),
  testMatch: ['<rootDir>/**/*.spec.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^#(.*)\\.js$': '<rootDir>/src/$1.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
});

// Most specs are compiled before (scripts/compile-specs.mjs), and Node itself loads them.
const native = {
  ...servers,
  displayName: 'native',
  roots: ['<rootDir>/dist/specs'],
  testMatch: ['<rootDir>/dist/specs/**/*.spec.js'],
  testEnvironment: '<rootDir>/scripts/native-environment.cjs',
  runtime: '<rootDir>/scripts/native-runtime.cjs',
  transform: {},
};

export default {
  // jest lists the files of each project, whichever specs run.
  projects: [
    project('loaded', ['src', 'test/unit', 'test/api', 'test/clients', 'test/processes', 'test/deploy']),
    {
      ...project('faults', ['test/faults']),
      setupFilesAfterEnv: ['<rootDir>/test/support/fault-limit.mjs'],
    },
    native,
  ],
  // One more than the cores of the smallest machine: many tests wait for processes and clocks.
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  // Against hanging, not to measure: four times what the longest tests take, on a machine that does other work as well.
  testTimeout: 240_000,
  workerIdleMemoryLimit: '1100MB',
  // A worker that ends stops the products that its specs have borrowed, and drops their databases.
  workerGracefulExitTimeout: 15_000,
};
