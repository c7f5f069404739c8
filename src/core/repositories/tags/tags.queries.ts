import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { orFewer } from '../commits/or-fewer.js';
import { ProtectionsQueries } from '../protection/protections.queries.js';
import { isValidRefName } from '../ref-name.js';
import { NameFilterService } from '../refs/name-filter.service.js';
import { findRefs, listRefs, TAGS } from '../refs/read-refs.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { readTags } from './read-tags.js';
import type { Tag } from './tag.record.js';
import type { ListTagsParams } from './tags.params.js';

const ORDERS = { name: 'refname', updated: 'creatordate:raw', version: 'version:refname' } as const;

/** Whether a tag is protected does not depend on the user. */
const NOBODY = { userId: 0, role: Role.None } as const;

/** Reads tags, with two statements and three or four short git processes for any number of them. */
@Injectable()
export class TagsQueries {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly protections: ProtectionsQueries,
    private readonly names: NameFilterService,
  ) {}

  /** Returns a page of the tags of a project; empty if nothing was pushed yet. */
  async list(project: ProjectSubject, params: ListTagsParams, page: Page): Promise<Tag[]> {
    const { order_by: orderBy = 'updated', sort = 'desc' } = params;
    const [repository, protections] = await Promise.all([
      this.repositories.openOrNull(projectRepository(project.id)),
      this.protections.of(project.id, NOBODY),
    ]);
    const order = `${sort === 'desc' ? '-' : ''}${ORDERS[orderBy]}`;
    const all = repository ? await listRefs(repository.path, TAGS, order) : [];
    const shown = page.slice(await this.names.filter(all, params));
    if (!repository) return [];
    return readTags(repository.path, shown, (name) => protections.of('tag', name) !== null).catch(orFewer);
  }

  /** Returns a tag, or null. */
  async find(project: ProjectSubject, name: string): Promise<Tag | null> {
    if (!isValidRefName(name)) return null;
    const [repository, protections] = await Promise.all([
      this.repositories.openOrNull(projectRepository(project.id)),
      this.protections.of(project.id, NOBODY),
    ]);
    if (!repository) return null;
    const refs = await findRefs(repository.path, TAGS, [name]);
    const [tag] = await readTags(repository.path, refs, () => protections.of('tag', name) !== null);
    return tag ?? null;
  }
}
