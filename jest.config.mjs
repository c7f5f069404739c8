import { spawn } from 'node:child_process';
import vm from 'node:vm';

// ES modules under jest need a flag of Node. A bare `npx jest` starts itself again with it.
if (!vm.SourceTextModule) {
  const args = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', ...process.argv.slice(1)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.exit(await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1))));
}

// ES modules under jest: swc compiles one file at a time, `#x/y.js` is src/x/y.ts (see package.json "imports").
const project = (displayName, testMatch) => ({
  displayName,
  testMatch,
  rootDir: '.',
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^#(.*)\\.js$': '<rootDir>/src/$1.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
});

export default {
  projects: [
    project('unit', ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/unit/**/*.spec.ts']),
    project('api', ['<rootDir>/test/api/**/*.spec.ts']),
    // For runs of everything: most in groups (scripts/group-specs.mjs), and those that are in none.
    project('groups', ['<rootDir>/dist/specs/*.spec.ts']),
    project('test-unit', ['<rootDir>/test/unit/**/*.spec.ts']),
    project('test-clients', ['<rootDir>/test/clients/!(gitbeaker-*).spec.ts']),
    project('clients', ['<rootDir>/test/clients/**/*.spec.ts']),
    project('faults', ['<rootDir>/test/faults/**/*.spec.ts']),
  ],
  // One more than the cores of the smallest machine: many tests wait for processes and clocks.
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  // A machine that has other things to do as well takes its time.
  testTimeout: 60_000,
  workerIdleMemoryLimit: '700MB',
};
