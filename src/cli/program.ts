import { Command, CommanderError, Option } from 'commander';
import { RELEASE } from '#kernel/config/release.js';
import { flushLogs } from '#kernel/log/logger.js';
import { calendarDate, scopeList, wholeNumber } from './framework/arguments.js';
import { printFailure, printResult, type CommandResult } from './framework/output.js';

/**
 * Runs a command line and returns the exit code: 0 success, 1 failure or problems found, 2 incorrect usage.
 */
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
    .version(RELEASE, '--version', 'print the version')
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

/**
 * Commands are loaded on demand: help and usage errors need no product code, which takes two seconds of CPU
 * time to load.
 */
type Runner = <Options extends object>(
  load: () => Promise<(options: Options, asJson: boolean) => Promise<CommandResult>>,
) => (options: Options) => Promise<void>;

function addCommands(program: Command, run: Runner): void {
  const add = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).option('--json', 'print JSON for machines');
  add(program, 'migrate', 'migrate the schema').action(
    run(async () => (await import('./migrate.js')).migrateCommand),
  );
  add(program, 'migrations', 'show the state of the schema and of back-fills').action(
    run(async () => (await import('./migrations.js')).showMigrations),
  );
  const database = program.command('database').description('the embedded database');
  add(database, 'upgrade', 'upgrade the data folder of an older PostgreSQL')
    .option('--old-binaries <folder>', 'programs of the older PostgreSQL; default: install them with npm')
    .action(run(async () => (await import('./database-upgrade/upgrade-database.js')).upgradeDatabase));
  const user = program.command('user').description('users');
  add(user, 'create', 'create a user; without --password one is generated and printed')
    .requiredOption('--username <name>')
    .requiredOption('--email <address>')
    .option('--name <name>', 'full name; default: the username')
    .option('--password <password>')
    .option('--admin', 'make the user an administrator')
    .action(run(async () => (await import('./user-create.js')).createUser));
  add(user, 'disable-two-factor', 'turn off two-factor authentication for a user who lost access to it')
    .requiredOption('--username <name>')
    .action(run(async () => (await import('./user-disable-two-factor.js')).disableTwoFactor));
  const token = program.command('token').description('personal access tokens');
  add(token, 'create', 'create a personal access token; it is printed once')
    .requiredOption('--user <username>')
    .option('--name <name>', 'name of the token', 'command line')
    .option('--scopes <list>', 'scopes, separated by commas', scopeList, ['api'])
    .option('--expires-at <date>', 'YYYY-MM-DD', calendarDate)
    .action(run(async () => (await import('./token-create.js')).createToken));
  add(program, 'seed', 'fill the database with demo data')
    .option('--projects <number>', 'number of projects', wholeNumber(1, 1000), 12)
    .option('--months <number>', 'number of months with deployments', wholeNumber(1, 60), 6)
    .action(run(async () => (await import('./seed/seed.js')).seed));
  add(program, 'doctor', 'check database, storage and queue for consistency')
    .option('--mend', 'correct counters that differ from their rows')
    .action(run(async () => (await import('./doctor/doctor.js')).doctor));
  const jobs = program.command('jobs').description('background jobs');
  add(jobs, 'list', 'show the queues, or the jobs of one state')
    .addOption(
      new Option('--state <state>', 'only jobs in this state').choices([
        'waiting',
        'running',
        'delayed',
        'failed',
      ]),
    )
    .option('--queue <name>', 'only this queue')
    .option('--limit <number>', 'number of jobs', wholeNumber(1, 1000), 50)
    .action(run(async () => (await import('./jobs/jobs-list.js')).listJobs));
  add(jobs, 'retry', 'retry a failed job, or one that waits for its next attempt')
    .requiredOption('--id <number>', 'its number', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(run(async () => (await import('./jobs/jobs-change.js')).retryJob));
  add(jobs, 'discard', 'discard a failed job, or one that this version does not know')
    .requiredOption('--id <number>', 'its number', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(run(async () => (await import('./jobs/jobs-change.js')).discardJob));
  add(jobs, 'pause', 'pause a queue: no more of its jobs start; running jobs continue')
    .requiredOption('--queue <name>')
    .action(run(async () => (await import('./jobs/jobs-change.js')).pauseQueue));
  add(jobs, 'resume', 'resume a paused queue')
    .requiredOption('--queue <name>')
    .action(run(async () => (await import('./jobs/jobs-change.js')).resumeQueue));
  const storage = program.command('storage').description('repository storages');
  add(storage, 'check', 'compare the database with the storages and the object store')
    .option('--storage <name>', 'only this storage')
    .option('--fsck', 'let git read every object: thorough but slow')
    .option(
      '--grace <minutes>',
      'ignore folders and objects modified within this many minutes',
      wholeNumber(0, 10_000),
      10,
    )
    .option('--remove-objects', 'let the service remove objects that nothing names; changes nothing else')
    .action(run(async () => (await import('./storage-check/storage-check.js')).storageCheck));
  add(storage, 'adopt', 'accept the mounted folder as the root of a storage, after its disk was replaced')
    .requiredOption('--storage <name>')
    .option('--accept-missing', 'even if repositories are missing there')
    .action(run(async () => (await import('./storage-roots/storage-adopt.js')).storageAdopt));
  add(storage, 'set-aside', 'list what was set aside for new repositories')
    .option('--remove <name>', 'permanently remove one entry')
    .action(run(async () => (await import('./storage-roots/storage-set-aside.js')).storageSetAside));
  add(storage, 'move', 'move repositories to another storage, and wait until they are moved')
    .requiredOption('--source <name>', 'current storage')
    .option('--destination <name>', 'destination storage; default: chosen by weight')
    .addOption(
      new Option('--kind <kind>', 'whose').choices(['project', 'snippet', 'group']).default('project'),
    )
    .option('--id <number>', 'only the one with this id', wholeNumber(1, 999_999_999))
    .option('--dry-run', 'only show what would be moved')
    .action(run(async () => (await import('./storage-move/storage-move.js')).storageMove));
  const backup = program.command('backup').description('backups of everything');
  const toTarget = (name: string, description: string): Command =>
    add(backup, name, description).requiredOption('--target <target>', 'folder, or s3://bucket/prefix?...');
  toTarget('create', 'back up database, repositories and objects beside the running service')
    .option('--keep <number>', 'remove older backups than so many', wholeNumber(1, 1_000))
    .option('--full', 'copy everything, not only what is new since the backup before')
    .option('--new-target', 'accept a folder that has lost all backups that were made there')
    .action(run(async () => (await import('./backup/create-backup.js')).createBackup));
  toTarget('list', 'list the whole backups').action(
    run(async () => (await import('./backup/show-backups.js')).listBackups),
  );
  toTarget('verify', 'read every file of a backup and compare its digest')
    .option('--name <backup>', 'default: the newest')
    .action(run(async () => (await import('./backup/show-backups.js')).verifyBackup));
  toTarget(
    'restore',
    'restore into an empty database, empty storages and an empty object store; continue an interrupted restore',
  )
    .option('--name <backup>', 'default: the one that was begun, or the newest')
    .option('--project <path>', 'only the repository of this project, into the database that is there')
    .action(run(async () => (await import('./backup/restore-backup.js')).restoreBackup));
  const oauth = program.command('oauth').description('OAuth provider');
  add(
    oauth,
    'rotate-keys',
    'sign id_tokens with a new key; former keys are served while they are needed',
  ).action(run(async () => (await import('./rotate-keys.js')).rotateKeys));
  const secrets = program.command('secrets').description('secrets at rest');
  add(secrets, 'reseal', 'reseal secrets of older keys with the first key of SECRETS_KEY').action(
    run(async () => (await import('./secrets.js')).resealSecrets),
  );
  add(secrets, 'accept-loss', 'let the service start even though the key of some secrets is lost').action(
    run(async () => (await import('./secrets.js')).acceptLostSecrets),
  );
  const config = program.command('config').description('configuration');
  add(config, 'print', 'print the effective configuration, with secrets redacted').action(
    run(async () => (await import('./config-print.js')).printConfig),
  );
  add(program, 'openapi', 'write the API document to standard output').action(
    run(async () => (await import('./openapi.js')).openapi),
  );
}
