import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '#kernel/config/load-config.js';
import type { Config } from '#kernel/config/config.js';
import { migrate } from '#kernel/database/migrate.js';
import { KernelModule } from '#kernel/kernel.module.js';
import { configureLogging, NestLogger } from '#kernel/log/logger.js';
import { checkSecretsKey } from '#core/first-start/secrets-key-check.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { domainModules } from '../../modules.js';
import { WorkerModule } from '../../worker.module.js';
import { withDatabase } from './database.js';

/** The services of the product without API, pages and workers. */
@Module({})
class CommandModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return { module: CommandModule, imports: [KernelModule.forRoot(config, databaseUrl), ...domainModules] };
  }
}

/** What a command works with. */
export interface CommandContext {
  readonly config: Config;
  readonly app: INestApplicationContext;
}

/** Configuration of the command line: the same environment, but standard output belongs to the command alone. */
export function commandConfig(): Config {
  const config = loadConfig();
  configureLogging('silent');
  return config;
}

/**
 * Runs a command with all services, on a database whose schema is up to date. What the first start has to say (the generated
 * password of root) goes to standard error: nobody will see it again. With `runJobs` this process also does the jobs that the command
 * leads to, where nobody else can.
 */
export async function withServices<T>(
  work: (context: CommandContext) => Promise<T>,
  { runJobs = false } = {},
): Promise<T> {
  const config = commandConfig();
  return withDatabase(config, async ({ url, isShared }) => {
    await migrate(url);
    // What another key has sealed would not open, and what this one seals nobody else could read.
    await checkSecretsKey(config, url, { isGuest: true });
    for (const note of await createFirstData(config, url)) process.stderr.write(`${note}\n`);
    // On a database of its own no service will do what the command asks for.
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
  });
}
