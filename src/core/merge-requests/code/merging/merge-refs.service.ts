import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { badRequest, notFound } from '#kernel/http/errors.js';
import { commitTree } from '#core/repositories/git/build-commit.js';
import { git } from '#core/repositories/git/git.js';
import { findCommit } from '#core/repositories/git/commit-log.js';
import { withQuarantine } from '#core/repositories/objects/quarantine.js';
import { AuthorsQueries } from '#core/repositories/pushes/authors.queries.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { mergeRef, MergeRequestRefsService } from '../following/merge-request-refs.service.js';
import { MergeRequestHeadsService } from '../merge-request-heads.service.js';
import { mergedTree } from '../mergeability.js';
import { MergeableQueries } from './mergeable.queries.js';

const NOT_MERGEABLE = 'Merge request is not mergeable';

/** Creates trial merges of merge requests. */
@Injectable()
export class MergeRefsService {
  constructor(
    private readonly queries: MergeableQueries,
    private readonly heads: MergeRequestHeadsService,
    private readonly refs: MergeRequestRefsService,
    private readonly authors: AuthorsQueries,
  ) {}

  /**
   * Returns the commit of `refs/merge-requests/:iid/merge`, recreated if a branch has moved. @throws 400, 404
   */
  async find(project: ProjectSubject, { actor }: Caller, iid: number): Promise<string> {
    const found = await this.queries.byIid(project.id, iid);
    if (!found) throw notFound('Merge Request');
    const { sourceProjectId } = found;
    const heads = sourceProjectId === null ? null : await this.heads.find({ ...found, sourceProjectId });
    if (!heads || found.state !== 'opened' || !actor) throw badRequest(NOT_MERGEABLE);
    const { target, startSha, headSha } = heads;
    const ref = mergeRef(iid);
    const known = await findCommit(target.path, ref);
    if (known?.parentIds[0] === startSha && known.parentIds[1] === headSha) return known.id;
    await this.refs.follow(iid, heads);
    const message = `Merge ${headSha} into ${startSha}\n`;
    return this.refs.whileWritable(target, () =>
      this.write(target, { ref, parents: [startSha, headSha], message, userId: actor.id }),
    );
  }

  private async write(
    { path }: OpenRepository,
    {
      ref,
      parents,
      message,
      userId,
    }: {
      readonly ref: string;
      readonly parents: readonly [string, string];
      readonly message: string;
      readonly userId: number;
    },
  ): Promise<string> {
    const author = await this.authors.of(userId);
    const commit = await withQuarantine(path, async (quarantine) => {
      const directory = await quarantine.directory();
      const tree = await mergedTree(path, ...parents, directory.env);
      if (tree === null) throw badRequest(NOT_MERGEABLE);
      const made = await commitTree(directory, tree, { parents, message, author, committer: author });
      await quarantine.moveIn();
      return made;
    });
    await git(path, ['update-ref', ref, commit]);
    return commit;
  }
}
