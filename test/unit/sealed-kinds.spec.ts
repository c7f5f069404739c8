import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { sealedKinds } from '#core/first-start/sealed-kinds.js';

it('the list of sealed secrets includes every kind that the service seals', () => {
  // Cookies and pages keep the other three for minutes only.
  const users = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .filter((name) => /(box|secrets)\.seal\(/.test(readFileSync(`src/${name}`, 'utf8')))
    .filter(
      (name) =>
        !/(pending-sign-in|shown-requests|two-factor-set-up|secrets-key-check)(?:\.service)?\.ts$/.test(name),
    )
    // It seals through `VariableSecretsService`.
    .filter((name) => !name.endsWith('/variables.service.ts'));
  // `SealedVariablesService` seals those of pipelines and of jobs, `RunnersTokenService` those of groups and of projects.
  expect(sealedKinds).toHaveLength(users.length + 2);
});
