import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('branches, tags and their protections through gitbeaker', () => {
  let world: ClientWorld;
  let dev: ClientUser;
  let id: number;
  let head: string;

  beforeAll(async () => {
    world = await startClientWorld();
    dev = await world.user('dev');
    const { Projects, ProjectMembers, Commits } = world.root;
    id = (await Projects.create({ name: 'Code' })).id;
    await ProjectMembers.add(id, AccessLevel.DEVELOPER, { userId: dev.id });
    const actions = [{ action: 'create', filePath: 'README.md', content: '# Code\n' }] as const;
    head = (await Commits.create(id, 'main', 'First', [...actions])).id;
  });
  afterAll(() => world.close());

  it('creates, shows, lists and removes branches', async () => {
    const { Branches } = dev.api;
    expect(await Branches.create(id, 'feature/one', 'main')).toMatchObject({
      name: 'feature/one',
      can_push: true,
      commit: { id: head },
    });
    expect(await Branches.show(id, 'feature/one')).toMatchObject({ merged: false, default: false });
    for (const name of ['feature/two', 'feature/three']) await Branches.create(id, name, head);
    const names = async (options: object): Promise<string[]> =>
      (await Branches.all(id, options)).map(({ name }) => name);
    expect(await names({})).toEqual(['feature/one', 'feature/three', 'feature/two', 'main']);
    expect(await names({ perPage: 1 })).toHaveLength(4);
    expect(await names({ pagination: 'keyset', perPage: 1 })).toHaveLength(4);
    expect(await names({ search: '^feature/t' })).toEqual(['feature/three', 'feature/two']);
    expect(await names({ regex: '^(main|feature/one)$' })).toEqual(['feature/one', 'main']);
    expect(await refusal(Branches.create(id, 'main', 'main'))).toEqual([400, 'Branch already exists']);
    expect(await refusal(Branches.create(id, 'x', 'none'))).toEqual([400, 'Invalid reference name: none']);
    expect(await refusal(Branches.show(id, 'none'))).toEqual([404, '404 Branch Not Found']);
    await Branches.remove(id, 'feature/two');
    expect((await refusal(Branches.remove(id, 'feature/two')))[0]).toBe(404);
    expect((await refusal(Branches.remove(id, 'main')))[0]).toBe(403);
    await Branches.removeMerged(id);
    // None of them is behind the default branch.
    expect(await names({})).toEqual(['feature/one', 'feature/three', 'main']);
  });

  it('protects branches', async () => {
    const { ProtectedBranches } = world.root;
    // The first commit has protected the default branch.
    expect(await ProtectedBranches.all(id)).toMatchObject([{ name: 'main' }]);
    const made = await ProtectedBranches.create(id, 'release/*', {
      pushAccessLevel: AccessLevel.NO_ACCESS,
      mergeAccessLevel: AccessLevel.DEVELOPER,
      allowForcePush: true,
    });
    expect(made).toMatchObject({
      name: 'release/*',
      allow_force_push: true,
      push_access_levels: [{ access_level: 0, access_level_description: 'No one' }],
      merge_access_levels: [{ access_level: 30 }],
    });
    expect(await ProtectedBranches.show(id, 'release/*')).toEqual(made);
    expect(await ProtectedBranches.all(id, { search: 'release' })).toEqual([made]);
    expect(await refusal(dev.api.Branches.create(id, 'release/1', 'main'))).toEqual([
      400,
      'You are not allowed to create protected branches on this project.',
    ]);
    const edited = await ProtectedBranches.edit(id, 'release/*', {
      allowForcePush: false,
      allowedToPush: [{ userId: dev.id }],
    });
    expect(edited.allow_force_push).toBe(false);
    expect(await dev.api.Branches.create(id, 'release/1', 'main')).toMatchObject({
      protected: true,
      can_push: true,
    });
    const named = await ProtectedBranches.protect(id, 'named', { allowedToPush: [{ userId: dev.id }] });
    expect(named.push_access_levels).toMatchObject([{ user_id: dev.id }]);
    await ProtectedBranches.unprotect(id, 'release/*');
    expect(await refusal(ProtectedBranches.show(id, 'release/*'))).toEqual([
      404,
      '404 Protected Branch Not Found',
    ]);
    expect((await refusal(dev.api.ProtectedBranches.all(id)))[0]).toBe(403);
  });

  it('creates, shows, lists and removes tags', async () => {
    const { Tags } = world.root;
    expect(await Tags.create(id, 'v1.2', 'main')).toMatchObject({
      name: 'v1.2',
      target: head,
      message: null,
    });
    const annotated = await dev.api.Tags.create(id, 'v1.10', 'main', { message: 'The tenth' });
    expect(annotated).toMatchObject({ message: 'The tenth', commit: { id: head }, protected: false });
    expect(await Tags.show(id, 'v1.10')).toEqual(annotated);
    const names = async (options: object): Promise<string[]> =>
      (await Tags.all(id, options)).map(({ name }) => name);
    expect(await names({ orderBy: 'version', sort: 'asc' })).toEqual(['v1.2', 'v1.10']);
    expect(await names({ search: '10$' })).toEqual(['v1.10']);
    expect(await refusal(Tags.create(id, 'v1.2', 'main'))).toEqual([400, 'Tag v1.2 already exists']);
    await Tags.remove(id, 'v1.2');
    expect(await refusal(Tags.show(id, 'v1.2'))).toEqual([404, '404 Tag Not Found']);
  });

  it('protects tags', async () => {
    const { ProtectedTags } = world.root;
    const made = await ProtectedTags.create(id, 'stable-*', { createAccessLevel: AccessLevel.MAINTAINER });
    expect(made).toMatchObject({ name: 'stable-*', create_access_levels: [{ access_level: 40 }] });
    expect(await ProtectedTags.all(id)).toEqual([made]);
    expect(await ProtectedTags.show(id, 'stable-*')).toEqual(made);
    expect((await refusal(dev.api.Tags.create(id, 'stable-1', 'main')))[0]).toBe(400);
    await ProtectedTags.unprotect(id, 'stable-*');
    expect(await dev.api.Tags.create(id, 'stable-1', 'main')).toMatchObject({ name: 'stable-1' });
  });
});
