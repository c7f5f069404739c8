import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { keysetUnavailable } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { orFewer } from '../commits/or-fewer.js';
import { ProtectionsQueries } from '../protection/protections.queries.js';
import type { Protections } from '../protection/protections.js';
import { isValidRefName } from '../ref-name.js';
import { NameFilterService } from '../refs/name-filter.service.js';
import { BRANCHES, commitsById, findRefs, listRefs, mergedBranches, type Ref } from '../refs/read-refs.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import type { Branch } from './branch.record.js';
import type { ListBranchesParams } from './branches.params.js';

const ORDERS = {
  name_asc: 'refname',
  updated_asc: 'committerdate:raw',
  updated_desc: '-committerdate:raw',
} as const;

/** Reads branches, with two statements and three short git processes for any number of them. */
@Injectable()
export class BranchesQueries {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly protections: ProtectionsQueries,
    private readonly names: NameFilterService,
  ) {}

  /**
   * Returns a page of the branches of a project; empty if nothing was pushed yet. @throws 400 if a filter is
   * invalid
   */
  async list(
    project: ProjectSubject,
    { actor, role }: Caller,
    params: ListBranchesParams,
    page: Page,
  ): Promise<Branch[]> {
    const [repository, protections] = await Promise.all([
      this.repositories.openOrNull(projectRepository(project.id)),
      this.protections.of(project.id, { userId: actor?.id ?? 0, role }),
    ]);
    const all = repository
      ? await listRefs(repository.path, BRANCHES, ORDERS[params.sort ?? 'name_asc'])
      : [];
    const found = await this.names.filter(all, params);
    const shown = page.isKeyset ? walk(page, found, params) : page.slice(found);
    if (!repository) return [];
    const base = all.find(({ name }) => name === protections.defaultBranch) ?? null;
    return load(repository.path, shown, base, protections).catch(orFewer);
  }

  /** Returns a branch, or null. */
  async find(project: ProjectSubject, { actor, role }: Caller, name: string): Promise<Branch | null> {
    if (!isValidRefName(name)) return null;
    const [repository, protections] = await Promise.all([
      this.repositories.openOrNull(projectRepository(project.id)),
      this.protections.of(project.id, { userId: actor?.id ?? 0, role }),
    ]);
    if (!repository) return null;
    const { defaultBranch } = protections;
    const refs = await findRefs(repository.path, BRANCHES, [...new Set([name, defaultBranch ?? name])]);
    const shown = refs.filter((ref) => ref.name === name);
    const base = refs.find((ref) => ref.name === defaultBranch) ?? null;
    const [branch] = await load(repository.path, shown, base, protections);
    return branch ?? null;
  }
}

/** Returns a keyset page: the branches after a name, ordered by name only. */
function walk(
  page: Page,
  refs: readonly Ref[],
  { sort, page_token: token }: ListBranchesParams,
): readonly Ref[] {
  if (sort !== undefined && sort !== 'name_asc') throw keysetUnavailable();
  // Git orders names by their bytes.
  const after = token ? Buffer.from(token) : null;
  const rest = after ? refs.filter(({ name }) => Buffer.compare(Buffer.from(name), after) > 0) : refs;
  const shown = rest.slice(0, page.perPage);
  const last = rest.length > shown.length ? shown.at(-1) : undefined;
  page.walked(last ? { page_token: last.name, page: undefined } : null);
  return shown;
}

/** Reads details of branches; `base`: the default branch, if there is one. */
async function load(
  path: string,
  refs: readonly Ref[],
  base: Ref | null,
  protections: Protections,
): Promise<Branch[]> {
  // Branches at the commit of the default branch are not merged: they have just been created.
  const others = refs.filter(({ id }) => base !== null && id !== base.id).map(({ name }) => name);
  const [commits, merged] = await Promise.all([
    commitsById(path, [...new Set(refs.map(({ id }) => id))]),
    base ? mergedBranches(path, base.name, others) : [],
  ]);
  const mergedNames = new Set(merged.map(({ name }) => name));
  return refs.flatMap(({ name, id }) => {
    const commit = commits.get(id);
    if (!commit) return [];
    const protection = protections.of('branch', name);
    return [{ name, commit, merged: mergedNames.has(name), default: name === base?.name, protection }];
  });
}
