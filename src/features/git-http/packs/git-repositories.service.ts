import { Injectable } from '@nestjs/common';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import type { GitSubject } from '../access/git-subject.js';
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
  async forPull(subject: GitSubject): Promise<OpenRepository> {
    const known = await this.find(subject);
    if (known) return known;
    const isProject = subject.ref.ownerType === 'Project' && subject.ref.kind === 'code';
    if (!isProject || subject.readOnly) throw new GitRefusal(404, noRepositoryText(subject.ref));
    return this.ensure(subject);
  }

  /**
   * Opens or creates the repository to push to. @throws 403 if it cannot be created during a storage move of
   * its owner
   */
  async forPush(subject: GitSubject): Promise<OpenRepository> {
    if (subject.readOnly && subject.repository === null) throw notAllowed(READ_ONLY);
    return (await this.find(subject)) ?? this.ensure(subject);
  }

  private ensure({ ref, defaultBranch }: GitSubject): Promise<OpenRepository> {
    return this.repositories.ensure(ref, defaultBranch ?? undefined);
  }

  /** Needs no further statement if the access statement has already read it. */
  private find({ ref, repository }: GitSubject): Promise<OpenRepository | null> {
    if (ref.ownerType === 'Snippet') return this.repositories.openOrNull(ref);
    return repository ? this.repositories.opened(ref, repository) : Promise.resolve(null);
  }
}
