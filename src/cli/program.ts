import { Command, CommanderError, Option } from 'commander';
import { flushLogs } from '#kernel/log/logger.js';
import { calendarDate, scopeList, wholeNumber } from './arguments.js';
import { printConfig } from './config-print.js';
import { doctor } from './doctor.js';
import { migrateCommand } from './migrate.js';
import { openapi } from './openapi.js';
import { printFailure, printResult, type CommandResult } from './output.js';
import { rotateKeys } from './rotate-keys.js';
import { seed } from './seed/seed.js';
import { storageCheck } from './storage-check/storage-check.js';
import { storageMove } from './storage-move/storage-move.js';
import { createToken } from './token-create.js';
import { createUser } from './user-create.js';
import { disableTwoFactor } from './user-disable-two-factor.js';

/** Runs one command line; returns the exit code: 0 success, 1 failure or something found wrong, 2 wrong usage. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const asJson = args.includes('--json');
  let exitCode = 0;
  const run: Runner = (command) => async (options) => {
    try {
      const result = await command(options, asJson);
      printResult(result, asJson);
      exitCode = result.exitCode ?? 0;
    } catch (error) {
      printFailure(error, asJson);
      exitCode = 1;
    }
  };
  const program = new Command('forgeplane')
    .description('Command line of Forgeplane')
    .option('--json', 'print JSON for machines')
    .showHelpAfterError()
    .exitOverride();
  if (asJson) program.configureOutput({ writeErr: () => undefined });
  addCommands(program, run);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (asJson) printFailure(error, true);
    return 2;
  } finally {
    flushLogs();
  }
  return exitCode;
}

type Runner = <Options extends object>(
  command: (options: Options, asJson: boolean) => Promise<CommandResult>,
) => (options: Options) => Promise<void>;

function addCommands(program: Command, run: Runner): void {
  const add = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).option('--json', 'print JSON for machines');
  add(program, 'migrate', 'bring the schema up to date').action(run(migrateCommand));
  const user = program.command('user').description('users');
  add(user, 'create', 'create a user; without --password one is generated and printed')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--name <name>', 'full name; default: the username')
    .option('--password <password>')
    .option('--admin', 'make the user an administrator')
    .action(run(createUser));
  add(user, 'disable-two-factor', 'turn off the two-factor authentication of somebody who has lost it')
    .requiredOption('--username <name>')
    .action(run(disableTwoFactor));
  const token = program.command('token').description('personal access tokens');
  add(token, 'create', 'create a personal access token; it is printed once')
    .requiredOption('--user <username>')
    .option('--name <name>', 'name of the token', 'command line')
    .option('--scopes <list>', 'scopes, separated by commas', scopeList, ['api'])
    .option('--expires-at <date>', 'YYYY-MM-DD', calendarDate)
    .action(run(createToken));
  add(program, 'seed', 'fill the database with a demonstration world')
    .option('--projects <number>', 'how many projects', wholeNumber(1, 1000), 12)
    .option('--months <number>', 'how many months of deployments', wholeNumber(1, 60), 6)
    .action(run(seed));
  add(program, 'doctor', 'check database, storage and queue for consistency').action(run(doctor));
  const storage = program.command('storage').description('storages of repositories');
  add(storage, 'check', 'compare the database with what lies on the storages; nothing is changed')
    .option('--storage <name>', 'only this one')
    .option('--fsck', 'have git read every object: thorough and slow')
    .option(
      '--grace <minutes>',
      'leave folders alone that changed so shortly before',
      wholeNumber(0, 10_000),
      10,
    )
    .action(run(storageCheck));
  add(storage, 'move', 'move repositories to another storage, and wait for the end')
    .requiredOption('--source <name>', 'storage that they are on')
    .option('--destination <name>', 'storage to move to; default: one by weight')
    .addOption(
      new Option('--kind <kind>', 'whose').choices(['project', 'snippet', 'group']).default('project'),
    )
    .option('--id <number>', 'only this one', wholeNumber(1, 999_999_999))
    .option('--dry-run', 'only tell what would move')
    .action(run(storageMove));
  const oauth = program.command('oauth').description('OAuth provider');
  add(
    oauth,
    'rotate-keys',
    'sign id_tokens with a new key; the former ones are served until they are not needed',
  ).action(run(rotateKeys));
  const config = program.command('config').description('configuration');
  add(config, 'print', 'print the configuration in force, secrets redacted').action(run(printConfig));
  add(program, 'openapi', 'write the API document to standard output').action(run(openapi));
}
