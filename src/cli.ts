import { runCommandLine } from './cli/program.js';

// Files that a command writes to DATA_DIR are accessible only to the service.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2));
