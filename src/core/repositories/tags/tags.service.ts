import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { badRequest, notFound } from '#kernel/http/errors.js';
import { signatureLine } from '../git/build-commit.js';
import { gitText } from '../git/git.js';
import { resolveCommit } from '../git/resolve.js';
import type { Quarantine } from '../objects/quarantine.js';
import { AuthorsQueries } from '../pushes/authors.queries.js';
import { pusherOf } from '../pushes/pusher.js';
import { NO_OBJECT } from '../pushes/ref-change.js';
import { RepositoryWritesService } from '../pushes/repository-writes.service.js';
import { isValidRefName } from '../ref-name.js';
import { isValidNewRefName } from '../refs/new-ref-name.js';
import { findRefs, obstacleOf, TAGS } from '../refs/read-refs.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';
import { withoutLineEnds } from './line-ends.js';
import type { CreateTagParams } from './tags.params.js';

/** Creates and removes tags by request. */
@Injectable()
export class TagsService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
  ) {}

  /**
   * Creates a tag, an annotated one if there is a message. @throws 400 if its name or target is invalid, or
   * with the text of the push rule that rejects it
   */
  async create(project: ProjectSubject, caller: Caller, params: CreateTagParams): Promise<void> {
    const { tag_name: name, ref, message } = params;
    if (!isValidNewRefName(name)) throw badRequest('Tag name invalid');
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    if (!repository) throw badRequest(`Target ${ref} is invalid`);
    const obstacle = await obstacleOf(repository.path, TAGS, name);
    if (obstacle === name) throw badRequest(`Tag ${name} already exists`);
    if (obstacle !== null) throw badRequest(`Tag name conflicts with the tag ${obstacle}`);
    const commit = await resolveCommit(repository.path, ref);
    if (commit === null) throw badRequest(`Target ${ref} is invalid`);
    const pusher = pusherOf(caller);
    await this.writes.change(repository, pusher, async (quarantine) => {
      const after = message
        ? await this.annotate(quarantine, pusher.userId, commit, { name, message })
        : commit;
      return [{ ref: TAGS + name, before: NO_OBJECT, after }];
    });
  }

  /** Removes a tag. @throws 404 */
  async remove(project: ProjectSubject, caller: Caller, name: string): Promise<void> {
    const repository = await this.repositories.open(projectRepository(project.id), 'Tag');
    const [tag] = isValidRefName(name) ? await findRefs(repository.path, TAGS, [name]) : [];
    if (!tag) throw notFound('Tag');
    const change = { ref: TAGS + name, before: tag.id, after: NO_OBJECT };
    await this.writes.change(repository, pusherOf(caller), () => Promise.resolve([change]));
  }

  private async annotate(
    quarantine: Quarantine,
    userId: number,
    commit: string,
    { name, message }: { readonly name: string; readonly message: string },
  ): Promise<string> {
    const tagger = signatureLine(await this.authors.of(userId));
    const header = `object ${commit}\ntype commit\ntag ${name}\ntagger ${tagger}\n`;
    const { path, env } = await quarantine.directory();
    return gitText(path, ['mktag'], { env, input: `${header}\n${withoutLineEnds(message)}\n` });
  }
}
