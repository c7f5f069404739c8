import { expect } from '@jest/globals';
import type { TestApi } from './api.js';
import { buildCodeProject, type CodeProject } from './builders/code-project.js';
import type { Answer, ApiClient } from './client.js';
import { until } from './until.js';

/** The attributes of a merge request that tests of its code read. */
export interface ShownMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly state: string;
  readonly sha: string;
  readonly title: string;
  readonly merge_status: string;
  readonly detailed_merge_status: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
  readonly merge_user: { readonly id: number } | null;
  readonly merged_at: string | null;
  readonly merge_error: string | null;
  readonly merge_when_pipeline_succeeds: boolean;
  readonly changes_count: string | null;
  readonly has_conflicts: boolean;
  readonly rebase_in_progress?: boolean;
  readonly diff_refs: { readonly base_sha: string; readonly head_sha: string; readonly start_sha: string };
}

/** A project whose developer creates branches and merge requests over the API. */
export class MergeWorld {
  private constructor(
    readonly api: TestApi,
    readonly code: CodeProject,
  ) {}

  /** `settings` are attributes of the project, such as `merge_method`. */
  static async build(api: TestApi, settings: Readonly<Record<string, unknown>> = {}): Promise<MergeWorld> {
    return new MergeWorld(api, await buildCodeProject(api, undefined, settings));
  }

  get base(): string {
    return `/projects/${this.code.id}`;
  }

  get dev(): ApiClient {
    return this.code.developer;
  }

  /** Commits files to a branch, which starts at `main` if it is new; returns the id of the commit. */
  async commit(branch: string, files: Readonly<Record<string, string>>, message = 'Change'): Promise<string> {
    const { body: known } = await this.dev.get<{ name?: string }>(
      `${this.base}/repository/branches/${encodeURIComponent(branch)}`,
    );
    const there = known.name !== undefined;
    const answer = await this.dev.post<{ id: string }>(`${this.base}/repository/commits`, {
      branch,
      ...(there ? {} : { start_branch: 'main' }),
      commit_message: message,
      actions: Object.entries(files).map(([path, content]) => ({
        action: path.startsWith('+') ? 'update' : 'create',
        file_path: path.replace('+', ''),
        content,
      })),
    });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  /** Opens a merge request of a branch with one new file, and waits until its mergeability is known. */
  async open(
    branch: string,
    files: Readonly<Record<string, string>> = { [`${branch}.txt`]: 'new\n' },
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<ShownMergeRequest> {
    await this.commit(branch, files);
    const answer = await this.dev.post<ShownMergeRequest>(`${this.base}/merge_requests`, {
      title: `Bring ${branch}`,
      source_branch: branch,
      target_branch: 'main',
      ...values,
    });
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return this.checked(answer.body.iid);
  }

  async find(iid: number): Promise<ShownMergeRequest> {
    const answer = await this.dev.get<ShownMergeRequest>(
      `${this.base}/merge_requests/${iid}?include_rebase_in_progress=true`,
    );
    expect(answer.status).toBe(200);
    return answer.body;
  }

  /** The merge request once it fulfills a condition. */
  async when(iid: number, is: (one: ShownMergeRequest) => boolean): Promise<ShownMergeRequest> {
    await until(async () => is(await this.find(iid)));
    return this.find(iid);
  }

  checked(iid: number): Promise<ShownMergeRequest> {
    return this.when(iid, ({ merge_status: status }) => !['unchecked', 'checking'].includes(status));
  }

  merge(
    iid: number,
    values: Readonly<Record<string, unknown>> = {},
    client = this.dev,
  ): Promise<Answer<ShownMergeRequest>> {
    return client.put<ShownMergeRequest>(`${this.base}/merge_requests/${iid}/merge`, values);
  }

  /** Ids of the parents of a commit, and its message. */
  async commitOf(revision: string): Promise<{ id: string; parent_ids: string[]; message: string }> {
    const path = `${this.base}/repository/commits/${revision}`;
    return (await this.dev.get<{ id: string; parent_ids: string[]; message: string }>(path)).body;
  }

  async hasBranch(name: string): Promise<boolean> {
    return (await this.dev.get(`${this.base}/repository/branches/${name}`)).status === 200;
  }
}
