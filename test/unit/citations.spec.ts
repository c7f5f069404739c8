import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'docs/specification';
const PAGES = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const CITATION = new RegExp(`\`?\\b(${PAGES.join('|').replaceAll('.', '\\.')})\`? (\\d+(?:\\.\\d+)*)`, 'g');

const sources = ['src', 'migrations', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

/** Sections of a page, and the numbered rules of sections that are lists (`2.12`). */
function sectionsOf(page: string): Set<string> {
  const found = new Set<string>();
  let section = '';
  for (const line of readFileSync(`${FOLDER}/${page}`, 'utf8').split('\n')) {
    const heading = /^#{2,3} (\d+(?:\.\d+)*)/.exec(line)?.[1];
    const rule = /^(\d+)\. /.exec(line)?.[1];
    section = heading ?? section;
    if (heading) found.add(heading);
    if (rule) found.add(`${section}.${rule}`);
  }
  return found;
}

describe('citations of the specification in the source', () => {
  it('refer to existing sections of docs/specification', () => {
    const sections = new Map(PAGES.map((page) => [page, sectionsOf(page)]));
    const cited = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(CITATION)].map(([, page = '', section = '']) => ({
        file,
        page,
        section,
      })),
    );
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(({ page, section }) => !sections.get(page)?.has(section))).toEqual([]);
  });
});
