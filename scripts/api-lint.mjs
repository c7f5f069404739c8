// Lints openapi.json by redocly.yaml: what OpenAPI 3.1 asks for, and how this document speaks.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--max-problems=100', 'openapi.json'],
  {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: 'inherit',
    // It neither tells its makers of the run nor asks them for a newer release.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);
process.exitCode = status ?? 1;
