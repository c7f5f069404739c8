import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { GROUP_SETTINGS } from '#core/groups/settings/group-settings.js';
import { SETTINGS_DEFAULTS } from '#core/instance/settings/settings.js';
import { PREMIUM_DEFAULTS } from '#core/projects/settings/premium-settings.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import {
  GROUP_READERS,
  GUARDED_PARTS,
  INSTANCE_READERS,
  PROJECT_READERS,
  type Reader,
} from '../support/setting-readers.js';

/** Files that accept, store, show and copy settings without acting on them. */
const KEEPERS =
  /(?:settings|setting-fields|features|record|params|presenter|row|group-changes|project-values|feature-switches)\.ts$|\/(?:exchange|relation-exports\/relations|graphql-source|cli)\//;

/** Returns what is wrong with the entry of a setting in the table, or null. */
function problemOf(name: string, reader: Reader): string | null {
  if ('section' in reader)
    return /^[a-z-]+\.md \d/.test(reader.section) && reader.lacks !== '' ? null : 'no section';
  const { file, symbol, via = name } = reader;
  if (KEEPERS.test(file)) return `${file} keeps it only`;
  const text = readFileSync(file, 'utf8');
  if (!new RegExp(`(?:class|function|const) ${symbol}\\b`).test(text)) return `no ${symbol} in ${file}`;
  return text.includes(via) ? null : `no ${via} in ${file}`;
}

describe.each([
  ['instance', SETTINGS_DEFAULTS, INSTANCE_READERS],
  ['group', GROUP_SETTINGS, GROUP_READERS],
  ['project', { ...PROJECT_DEFAULTS, ...PREMIUM_DEFAULTS }, PROJECT_READERS],
] as const)('every setting of the %s', (_, settings, readers) => {
  it('has an entry in the table, which has no other entries', () => {
    expect(Object.keys(readers).sort()).toEqual(Object.keys(settings).sort());
  });

  it('is read where the table states, or only stored and shown, as specified', () => {
    const problems = Object.entries(readers).map(([name, reader]) => [name, problemOf(name, reader)]);
    expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
  });
});

it('every feature of a project whose access level the guard reads is used by a route', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const text = files.map((name) => readFileSync(`src/${name}`, 'utf8')).join('\n');
  expect(GUARDED_PARTS.filter((part) => !text.includes(`feature: '${part}'`))).toEqual([]);
});
