import type { TestApi } from './api.js';
import type { Answer, ApiClient } from './client.js';
import { coder, sampleCode, type CodeProject } from './code.js';
import { borrowApi } from './shared-api.js';

/** The attributes of a commit that tests read. */
export interface MadeCommit {
  readonly id: string;
  readonly title: string;
  readonly parent_ids: string[];
}

/** A developer who creates commits over the API, in one project after another. */
export class CommitWorld {
  /** Path of the project, for names next to it. */
  number = 0;

  private constructor(
    readonly api: TestApi,
    readonly dev: ApiClient,
    /** The project of the test that runs. */
    public project: CodeProject,
  ) {}

  static async start(): Promise<CommitWorld> {
    const api = await borrowApi();
    const dev = await coder(api, 'dev');
    return new CommitWorld(api, dev, await sampleCode(api, 'code0', dev));
  }

  /** Switches the following tests to another project. */
  async fresh(): Promise<void> {
    this.number += 1;
    this.project = await sampleCode(this.api, `code${this.number}`, this.dev);
  }

  /** Commits to `main` unless `values` say otherwise. */
  commit(actions: unknown, values: object = {}): Promise<Answer<MadeCommit>> {
    return this.dev.post<MadeCommit>(`${this.project.base}/commits`, {
      branch: 'main',
      commit_message: 'Change',
      actions,
      ...values,
    });
  }

  /** The content of a file, or null. */
  async file(path: string, ref = 'main'): Promise<string | null> {
    const answer = await this.dev.get(
      `${this.project.base}/files/${encodeURIComponent(path)}/raw?ref=${ref}`,
    );
    return answer.status === 200 ? answer.text : null;
  }
}
