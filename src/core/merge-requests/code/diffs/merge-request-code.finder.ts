import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { mayUsePart } from '#kernel/access/project-parts.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound, unauthorized } from '#kernel/http/errors.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { seeingObjectsOf } from '../source-objects.js';

/** Commit range of a merge request, and where git finds it. */
export interface MergeRequestCode {
  readonly id: number;
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Base of the changes: the merge base, or the target for unrelated histories. */
  readonly from: string;
  /** Head of the source branch. */
  readonly to: string;
  /** Commits reachable from this one are not part of the merge request. */
  readonly startSha: string;
}

interface Row {
  readonly id: number;
  readonly source_project_id: number | null;
  readonly base_sha: string | null;
  readonly start_sha: string | null;
  readonly head_sha: string | null;
}

const FIND = `select id, source_project_id, base_sha, start_sha, head_sha from merge_requests where project_id = $1 and iid = $2`;

const VERSION = `select m.id, m.source_project_id, v.base_sha, v.start_sha, v.head_sha
  from merge_requests m join merge_request_versions v on v.merge_request_id = m.id and v.id = $3
  where m.project_id = $1 and m.iid = $2`;

/** Opens the code of merge requests for callers who may read the code of the project. */
@Injectable()
export class MergeRequestCodeFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
  ) {}

  /** Returns the id of a merge request. @throws as open */
  async find(project: ProjectSubject, caller: Caller, iid: number): Promise<number> {
    return (await this.row(project, caller, iid)).id;
  }

  /**
   * Returns the present code; null if there is none. @throws 404; 401 and 403 if the caller may not read code
   * here
   */
  async open(project: ProjectSubject, caller: Caller, iid: number): Promise<MergeRequestCode | null> {
    return this.opened(project, await this.row(project, caller, iid));
  }

  /** Returns the code of a version. @throws as open */
  async openVersion(
    project: ProjectSubject,
    caller: Caller,
    iid: number,
    versionId: number,
  ): Promise<MergeRequestCode | null> {
    assertSeesCode(project, caller);
    const row = await this.database.one<Row>(VERSION, [project.id, iid, versionId]);
    if (!row) throw notFound('Merge Request Version');
    return this.opened(project, row);
  }

  private async row(project: ProjectSubject, caller: Caller, iid: number): Promise<Row> {
    assertSeesCode(project, caller);
    const row = await this.database.one<Row>(FIND, [project.id, iid]);
    if (!row) throw notFound('Merge Request');
    return row;
  }

  /** Objects that the target does not have yet are read from the fork. */
  private async opened(
    { id: projectId }: ProjectSubject,
    { id, source_project_id: sourceId, base_sha: base, start_sha: startSha, head_sha: to }: Row,
  ): Promise<MergeRequestCode | null> {
    const target = await this.repositories.openOrNull(projectRepository(projectId));
    if (!target || startSha === null || to === null) return null;
    const isFork = sourceId !== null && sourceId !== projectId;
    const source = isFork ? await this.repositories.openOrNull(projectRepository(sourceId)) : null;
    const env = source ? seeingObjectsOf(source, target) : {};
    return { id, path: target.path, env, from: base ?? startSha, to, startSha };
  }
}

/**
 * Asserts that the caller may read code: merge requests of a project may be visible to more users. @throws
 * 401, 403
 */
export function assertSeesCode(subject: ProjectSubject, { role, actor }: Caller): void {
  if (!mayUsePart({ subject, role }, 'repository')) throw actor ? forbidden() : unauthorized();
}
