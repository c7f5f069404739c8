import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { readFileSync } from 'node:fs';
import { Config } from './config.js';
import { StartProblem } from './start-problem.js';

/** All problems of the environment, one line each; a single problem shares the line of the introduction. */
export class ConfigError extends StartProblem {
  constructor(readonly problems: readonly string[]) {
    super(
      problems.length === 1
        ? `The configuration is not valid: ${problems[0]}`
        : `The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
}

/** Names of all variables of Config. */
export const configNames: readonly string[] = [
  ...Object.keys(new Config()),
  'API_PROCESSES',
  'EXTERNAL_URL',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'REPOSITORY_STORAGES',
  'OBJECT_STORE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'BACKUP_PASSPHRASE',
  'BACKUP_TARGET',
  'OBJECT_STORE_ACCESS_KEY_ID',
  'OBJECT_STORE_SECRET_ACCESS_KEY',
  'SENDFILE_HEADER',
  'INITIAL_ROOT_PASSWORD',
  'INITIAL_ROOT_TOKEN',
  'SECRETS_KEY',
  'SMTP_URL',
  'DRAIN_SECONDS',
];

/**
 * Reads, validates and freezes the configuration. Each variable may also be given as `NAME_FILE`, a path whose
 * content (without trailing line end) is the value. Empty variables count as unset.
 * @throws ConfigError naming every problem.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const plain: Record<string, string> = {};
  for (const name of configNames) {
    const value = readVariable(env, name, problems);
    if (value !== undefined && value !== '') plain[name] = value;
  }
  const config = plainToInstance(Config, plain, { exposeDefaultValues: true });
  for (const error of validateSync(config)) {
    problems.push(
      `${error.property} ${[...new Set(Object.values(error.constraints ?? {}))]
        .map((text) => text.replace(`${error.property} `, ''))
        .join(', ')}`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

function readVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  problems: string[],
): string | undefined {
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return env[name];
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}
