import { runCommandLine } from './cli/program.js';

/** Time for what a finished command has left to end by itself. */
const LEFT_MS = 5_000;

// Files that a command writes to DATA_DIR are accessible only to the service.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2));
// A look at a lost network disk never ends, and keeps the process; an exit waits for it, too.
setTimeout(() => {
  if (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq')))
    process.kill(process.pid, 'SIGKILL');
}, LEFT_MS).unref();
