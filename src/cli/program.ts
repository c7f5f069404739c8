import { Command, CommanderError, Option } from 'commander';
import { flushLogs } from '#kernel/log/logger.js';
import { calendarDate, scopeList, wholeNumber } from './framework/arguments.js';
import { printFailure, printResult, type CommandResult } from './framework/output.js';

/** Runs one command line; returns the exit code: 0 success, 1 failure or something found wrong, 2 wrong usage. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const asJson = args.includes('--json');
  let exitCode = 0;
  const run: Runner = (load) => async (options) => {
    try {
      const command = await load();
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
    await flushLogs();
  }
  return exitCode;
}

/** A command is loaded when it is called: help and wrong usage need nothing of the product, which takes two seconds of CPU to load. */
type Runner = <Options extends object>(
  load: () => Promise<(options: Options, asJson: boolean) => Promise<CommandResult>>,
) => (options: Options) => Promise<void>;

function addCommands(program: Command, run: Runner): void {
  const add = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).option('--json', 'print JSON for machines');
  add(program, 'migrate', 'bring the schema up to date').action(
    run(async () => (await import('./migrate.js')).migrateCommand),
  );
  const user = program.command('user').description('users');
  add(user, 'create', 'create a user; without --password one is generated and printed')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--name <name>', 'full name; default: the username')
    .option('--password <password>')
    .option('--admin', 'make the user an administrator')
    .action(run(async () => (await import('./user-create.js')).createUser));
  add(user, 'disable-two-factor', 'turn off the two-factor authentication of somebody who has lost it')
    .requiredOption('--username <name>')
    .action(run(async () => (await import('./user-disable-two-factor.js')).disableTwoFactor));
  const token = program.command('token').description('personal access tokens');
  add(token, 'create', 'create a personal access token; it is printed once')
    .requiredOption('--user <username>')
    .option('--name <name>', 'name of the token', 'command line')
    .option('--scopes <list>', 'scopes, separated by commas', scopeList, ['api'])
    .option('--expires-at <date>', 'YYYY-MM-DD', calendarDate)
    .action(run(async () => (await import('./token-create.js')).createToken));
  add(program, 'seed', 'fill the database with a demonstration world')
    .option('--projects <number>', 'how many projects', wholeNumber(1, 1000), 12)
    .option('--months <number>', 'how many months of deployments', wholeNumber(1, 60), 6)
    .action(run(async () => (await import('./seed/seed.js')).seed));
  add(program, 'doctor', 'check database, storage and queue for consistency')
    .option('--mend', 'put counters right that differ from what they count')
    .action(run(async () => (await import('./doctor/doctor.js')).doctor));
  const storage = program.command('storage').description('storages of repositories');
  add(storage, 'check', 'compare the database with what lies on the storages; nothing is changed')
    .option('--storage <name>', 'only this one')
    .option('--fsck', 'have git read every object: thorough and slow')
    .option(
      '--grace <minutes>',
      'ignore folders modified within this many minutes',
      wholeNumber(0, 10_000),
      10,
    )
    .action(run(async () => (await import('./storage-check/storage-check.js')).storageCheck));
  add(storage, 'adopt', 'take what is mounted now for the root of a storage: after its disk was replaced')
    .requiredOption('--storage <name>')
    .option('--accept-missing', 'although repositories are missing there')
    .action(run(async () => (await import('./storage-roots/storage-adopt.js')).storageAdopt));
  add(storage, 'set-aside', 'show what had to make room for new repositories')
    .option('--remove <name>', 'remove one of it for good')
    .action(run(async () => (await import('./storage-roots/storage-set-aside.js')).storageSetAside));
  add(storage, 'move', 'move repositories to another storage, and wait for the end')
    .requiredOption('--source <name>', 'storage that they are on')
    .option('--destination <name>', 'storage to move to; default: one by weight')
    .addOption(
      new Option('--kind <kind>', 'whose').choices(['project', 'snippet', 'group']).default('project'),
    )
    .option('--id <number>', 'only this one', wholeNumber(1, 999_999_999))
    .option('--dry-run', 'only tell what would move')
    .action(run(async () => (await import('./storage-move/storage-move.js')).storageMove));
  const oauth = program.command('oauth').description('OAuth provider');
  add(
    oauth,
    'rotate-keys',
    'sign id_tokens with a new key; the former ones are served until they are not needed',
  ).action(run(async () => (await import('./rotate-keys.js')).rotateKeys));
  const secrets = program.command('secrets').description('secrets at rest');
  add(secrets, 'reseal', 'seal with the first key of SECRETS_KEY what older ones have sealed').action(
    run(async () => (await import('./secrets.js')).resealSecrets),
  );
  add(secrets, 'accept-loss', 'let the service start although the key of some secrets is lost').action(
    run(async () => (await import('./secrets.js')).acceptLostSecrets),
  );
  const config = program.command('config').description('configuration');
  add(config, 'print', 'print the configuration in force, secrets redacted').action(
    run(async () => (await import('./config-print.js')).printConfig),
  );
  add(program, 'openapi', 'write the API document to standard output').action(
    run(async () => (await import('./openapi.js')).openapi),
  );
}
