import { Injectable } from '@nestjs/common';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import type { GitPlace } from '../access/git-place.js';
import { noRepositoryText } from '../access/git-rules.js';
import { GitRefusal, notAllowed } from '../git-answer.js';

/** Opens the repositories that requests have been let through to. */
@Injectable()
export class GitRepositoriesService {
  constructor(private readonly repositories: RepositoriesService) {}

  /**
   * The repository to fetch from. A project has one from its beginning, as its clients expect, even if it is made only now; wikis
   * appear with their first page. @throws 404
   */
  async forPull(place: GitPlace): Promise<OpenRepository> {
    const known = await this.find(place);
    if (known) return known;
    const isProject = place.ref.ownerType === 'Project' && place.ref.kind === 'code';
    if (!isProject || place.readOnly) throw new GitRefusal(404, noRepositoryText(place.ref));
    return this.ensure(place);
  }

  /** The repository to push to, made when there is none. @throws 403 where none can be made, because the owner moves */
  async forPush(place: GitPlace): Promise<OpenRepository> {
    if (place.readOnly && place.repository === null) throw notAllowed(READ_ONLY);
    return (await this.find(place)) ?? this.ensure(place);
  }

  private ensure({ ref, defaultBranch }: GitPlace): Promise<OpenRepository> {
    return this.repositories.ensure(ref, defaultBranch ?? undefined);
  }

  /** Without a further statement where the rights have been asked together with it. */
  private find({ ref, repository }: GitPlace): Promise<OpenRepository | null> {
    if (ref.ownerType === 'Snippet') return this.repositories.openOrNull(ref);
    return repository ? this.repositories.opened(ref, repository) : Promise.resolve(null);
  }
}
