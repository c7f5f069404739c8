import { expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { sealedKinds } from '#core/first-start/sealed-kinds.js';

it('includes every kind of secret that the service seals', () => {
  // Cookies and pages hold the other three for minutes.
  const users = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .filter((name) => /(box|secrets)\.seal\(/.test(readFileSync(`src/${name}`, 'utf8')))
    .filter(
      (name) =>
        !/(pending-sign-in|shown-requests|two-factor-set-up|secrets-key-check)(?:\.service)?\.ts$/.test(name),
    )
    // It seals by `VariableSecretsService`.
    .filter((name) => !name.endsWith('/variables.service.ts'));
  // `SealedVariablesService` seals those of pipelines and of jobs, `RunnersTokenService` those of groups and of projects.
  expect(sealedKinds).toHaveLength(users.length + 2);
});
