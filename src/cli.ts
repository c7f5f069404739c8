import { runCommandLine } from './cli/program.js';

// What a command writes into DATA_DIR is for the service alone.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2));
