import { describe, expect, it } from '@jest/globals';
import { Tier } from '#kernel/access/roles.js';
import type { SettingsService } from '#core/instance/settings/settings.service.js';
import type { StepRun } from '../../engine/entity-step.js';
import { SourceRefused } from '../../source/source-errors.js';
import { RepositoryStep } from './repository.step.js';

const REFUSED = new SourceRefused('The source instance refuses its repository', 403);
const settings = { tier: Tier.Ultimate } as SettingsService;
const copies = new RepositoryStep(
  ...([{}, {}, {}, settings] as unknown as ConstructorParameters<typeof RepositoryStep>),
);

/** Creates a run whose source rejects the wiki, and returns `answer` for the project. */
const runOf = (answer: () => Promise<object>): StepRun =>
  ({
    entity: { of: 'project', sourceId: 7, sourceFullPath: 'a/b' },
    target: () => Promise.resolve({ of: 'project', ownerId: 1 }),
    source: { gitAccess: () => Promise.reject(REFUSED), get: answer },
  }) as unknown as StepRun;

describe('a wiki that the source refuses to serve', () => {
  it('is skipped if the project can be read', async () => {
    await expect(copies.wiki(runOf(() => Promise.resolve({ id: 7 })))).resolves.toBeUndefined();
  });

  it('is a failure if nothing can be read', async () => {
    await expect(copies.wiki(runOf(() => Promise.reject(REFUSED)))).rejects.toThrow(REFUSED);
  });
});
