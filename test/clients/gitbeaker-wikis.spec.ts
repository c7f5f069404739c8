import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('wikis through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let projectId: number;
  let groupId: number;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    groupId = (await world.root.Groups.create('Docs', 'docs')).id;
    projectId = (await world.root.Projects.create({ name: 'Web', namespaceId: groupId })).id;
    await world.root.GroupMembers.add(groupId, AccessLevel.DEVELOPER, { userId: jane.id });
  });
  afterAll(() => world.close());

  it.each(['ProjectWikis', 'GroupWikis'] as const)(
    '%s: pages, folders, versions, attachments',
    async (name) => {
      const wikis = jane.api[name];
      const id = name === 'ProjectWikis' ? projectId : 'docs';
      expect(await wikis.all(id)).toEqual([]);
      const created = await wikis.create(id, '# Hi', 'Getting started');
      expect(created).toEqual({
        format: 'markdown',
        slug: 'Getting-started',
        title: 'Getting started',
        encoding: 'UTF-8',
        content: '# Hi',
      });
      await wikis.create(id, '* org', 'guides/Set up', { format: 'org' });
      expect(await wikis.show(id, 'guides/Set-up')).toMatchObject({ title: 'Set up', format: 'org' });
      expect(await wikis.show(id, 'Getting-started', { renderHtml: true })).toMatchObject({
        content: '<h1>Hi</h1>\n',
      });
      const all = await wikis.all(id, { withContent: true });
      expect(all.map(({ slug, content }) => [slug, content])).toEqual([
        ['Getting-started', '# Hi'],
        ['guides/Set-up', '* org'],
      ]);
      expect((await wikis.all(id)).every((page) => !('content' in page))).toBe(true);
      await wikis.edit(id, 'guides/Set-up', { content: 'x', format: 'rdoc' });
      expect(await wikis.edit(id, 'guides/Set-up', { title: 'Set down' })).toMatchObject({
        slug: 'guides/Set-down',
        content: 'x',
        format: 'rdoc',
      });
      const attached = await wikis.uploadAttachment(id, {
        content: new Blob(['image']),
        filename: 'dk.png',
      });
      expect(attached).toMatchObject({ file_name: 'dk.png', branch: 'main' });
      expect(attached.link.markdown).toBe(`![dk](${attached.link.url})`);
      await wikis.remove(id, 'guides/Set-down');
      expect(await refusal(wikis.show(id, 'guides/Set-down'))).toEqual([404, '404 Wiki Page Not Found']);
      expect(await refusal(wikis.create(id, 'x', 'Getting started'))).toEqual([
        400,
        expect.stringContaining('Duplicate page'),
      ]);
    },
  );

  it('lists pages page by page', async () => {
    for (let number = 0; number < 23; number += 1)
      await world.root.ProjectWikis.create(projectId, 'x', `many/${String(number).padStart(2, '0')}`);
    const slugs = (await jane.api.ProjectWikis.all(projectId)).map(({ slug }) => slug);
    expect(slugs.filter((slug) => slug.startsWith('many/'))).toHaveLength(23);
  });
});
