import { Logger, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '#kernel/config/load-config.js';
import type { Config } from '#kernel/config/config.js';
import { configurePasswords } from '#kernel/crypto/passwords.js';
import { migrate, requireSchema } from '#kernel/database/migrate.js';
import { KernelModule } from '#kernel/kernel.module.js';
import { configureLogging, NestLogger } from '#kernel/log/logger.js';
import { checkSecretsKey } from '#core/first-start/secrets-key-check.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { domainModules } from '../../modules.js';
import { WorkerModule } from '../../worker.module.js';
import { withDatabase, type CommandDatabase } from './database.js';

/** The services of the product without API, pages and workers. */
@Module({})
class CommandModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return { module: CommandModule, imports: [KernelModule.forRoot(config, databaseUrl), ...domainModules] };
  }
}

/** Services and configuration of a command. */
export interface CommandContext {
  readonly config: Config;
  readonly app: INestApplicationContext;
}

/** Configuration of a command: the same environment, but standard output is reserved for the command. */
export function commandConfig(): Config {
  const config = loadConfig();
  configureLogging('silent');
  // Classes of the product that a command uses without Nest log as well.
  Logger.overrideLogger(new NestLogger());
  configurePasswords(config.PASSWORD_MEMORY_KIB);
  return config;
}

/**
 * Runs a command with all services, on a database whose schema is up to date. Messages of the first start,
 * such as the generated password of root, go to standard error, because they are never shown again. With
 * `runJobs` this process also runs the jobs that the command enqueues if no other process can; with `creates`
 * it creates a missing embedded database.
 */
export async function withServices<T>(
  work: (context: CommandContext) => Promise<T>,
  { runJobs = false, creates = false } = {},
): Promise<T> {
  const config = commandConfig();
  const run = async ({ url, isShared }: CommandDatabase): Promise<T> => {
    await (config.MIGRATE_ON_START ? migrate(url) : requireSchema(url));
    // With another key, existing secrets could not be decrypted, and new ones could not be read by the
    // service.
    await checkSecretsKey(config, url, { isGuest: true });
    for (const note of await createFirstData(config, url)) process.stderr.write(`${note}\n`);
    // On a database started for this command alone, no service runs the jobs.
    const root = runJobs && !isShared ? WorkerModule : CommandModule;
    const app = await NestFactory.createApplicationContext(root.forRoot(config, url), {
      logger: new NestLogger(),
      abortOnError: false,
    });
    try {
      return await work({ config, app });
    } finally {
      await app.close();
    }
  };
  return withDatabase(config, run, { creates });
}
