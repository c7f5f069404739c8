import { Injectable } from '@nestjs/common';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import type { GitPlace } from '../access/git-place.js';
import { noRepositoryText } from '../access/git-rules.js';
import { GitRefusal, notAllowed } from '../git-answer.js';

/** Opens the repositories of admitted requests. */
@Injectable()
export class GitRepositoriesService {
  constructor(private readonly repositories: RepositoriesService) {}

  /**
   * Opens the repository to fetch from. Clients expect projects to have one from the start, so it is created
   * here if needed; wikis appear with their first page. @throws 404
   */
  async forPull(place: GitPlace): Promise<OpenRepository> {
    const known = await this.find(place);
    if (known) return known;
    const isProject = place.ref.ownerType === 'Project' && place.ref.kind === 'code';
    if (!isProject || place.readOnly) throw new GitRefusal(404, noRepositoryText(place.ref));
    return this.ensure(place);
  }

  /**
   * Opens or creates the repository to push to. @throws 403 if it cannot be created during a storage move of
   * its owner
   */
  async forPush(place: GitPlace): Promise<OpenRepository> {
    if (place.readOnly && place.repository === null) throw notAllowed(READ_ONLY);
    return (await this.find(place)) ?? this.ensure(place);
  }

  private ensure({ ref, defaultBranch }: GitPlace): Promise<OpenRepository> {
    return this.repositories.ensure(ref, defaultBranch ?? undefined);
  }

  /** Needs no further statement if the access statement has already read it. */
  private find({ ref, repository }: GitPlace): Promise<OpenRepository | null> {
    if (ref.ownerType === 'Snippet') return this.repositories.openOrNull(ref);
    return repository ? this.repositories.opened(ref, repository) : Promise.resolve(null);
  }
}
