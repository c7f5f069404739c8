import type { Config } from '#kernel/config/config.js';
import { configNames } from '#kernel/config/load-config.js';
import { redactUrl } from '#kernel/log/redaction.js';
import { commandConfig } from './framework/context.js';
import type { CommandResult } from './framework/output.js';

const SECRET = /PASSWORD(?!_MEMORY)|PASSPHRASE|TOKEN|SECRET|KEY/;
const REDACTED = '[redacted]';

/** Prints the effective configuration with secrets hidden, including those in URLs. */
export function printConfig(): Promise<CommandResult> {
  const config = commandConfig();
  const values = { ...(config as unknown as Readonly<Record<string, unknown>>), ...derived(config) };
  const shown = configNames.map((name) => [name, redact(name, values[name])] as const);
  return Promise.resolve({
    json: Object.fromEntries(shown),
    lines: shown.map(([name, value]) => `${name}=${textOf(value)}`),
  });
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value);
}

/** Values derived from other variables if not set. */
function derived(config: Config): Readonly<Record<string, unknown>> {
  const storages = [...config.repositoryStorages].map(([name, path]) => `${name}=${path}`);
  return { EXTERNAL_URL: config.externalUrl, REPOSITORY_STORAGES: storages.join(',') };
}

function redact(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (SECRET.test(name)) return REDACTED;
  return typeof value === 'string' ? redactCredentials(value) : value;
}

/** A password may contain any character, so everything up to the last @ counts as user and password. */
function redactCredentials(text: string): string {
  if (!/^[\w+.-]+:\/\//.test(text)) return text;
  return redactUrl(text.replace(/:\/\/.*@/, `://${REDACTED}@`)).replaceAll('[FILTERED]', REDACTED);
}
