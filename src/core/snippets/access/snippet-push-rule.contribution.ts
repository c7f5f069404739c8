import { Injectable, type OnModuleInit } from '@nestjs/common';
import { gitText } from '#core/repositories/git/git.js';
import { branchOf, NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { PushRulesRegistry, type PushAttempt } from '#core/repositories/pushes/push-rules.registry.js';
import { listFiles } from '../files/snippet-files.js';
import {
  MAX_PATH,
  MAX_SNIPPET_BYTES,
  PATH_TOO_LONG,
  TOO_FEW_FILES,
  TOO_LARGE,
  TOO_MANY_FILES,
} from '../files/snippet-limits.js';

const ONLY_ITS_BRANCH = 'You can not create or delete branches.';

/** Push rule of snippets: a single branch with a few files of limited size. */
@Injectable()
export class SnippetPushRuleContribution implements OnModuleInit {
  constructor(private readonly rules: PushRulesRegistry) {}

  onModuleInit(): void {
    this.rules.register((attempt) => (attempt.repository.ownerType === 'Snippet' ? judge(attempt) : null));
  }
}

async function judge(attempt: PushAttempt): Promise<string | null> {
  const { repository, changes, pusher, env } = attempt;
  if (changes.length === 0) return null;
  const branch = await gitText(repository.path, ['symbolic-ref', '--short', 'HEAD']);
  for (const change of changes) {
    const isFirst = change.before === NO_OBJECT;
    // Creating the snippet creates its branch.
    const exists = !isFirst || pusher.via === 'api';
    if (branchOf(change) !== branch || change.after === NO_OBJECT || !exists) return ONLY_ITS_BRANCH;
    const files = await listFiles(repository.path, change.after, env);
    if (files === null) return TOO_MANY_FILES;
    if (files.length === 0) return TOO_FEW_FILES;
    if (files.some((file) => file.path.length > MAX_PATH)) return PATH_TOO_LONG;
    if (sum(files.map(({ size }) => size ?? 0)) > MAX_SNIPPET_BYTES) return TOO_LARGE;
  }
  const sizes = [
    await objectBytes(repository.path),
    ...(isQuarantined(env) ? [await objectBytes(repository.path, env)] : []),
  ];
  return sum(sizes) > MAX_SNIPPET_BYTES ? TOO_LARGE : null;
}

/** New objects are in quarantine; a change without new objects has none. */
const isQuarantined = (env: PushAttempt['env']): boolean => env['GIT_OBJECT_DIRECTORY'] !== undefined;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

async function objectBytes(path: string, env: PushAttempt['env'] = {}): Promise<number> {
  const text = await gitText(path, ['count-objects', '-v'], { env });
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return 1024 * (kilobytes('size') + kilobytes('size-pack'));
}
