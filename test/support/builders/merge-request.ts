import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import { buildCodeProject, type CodeProject } from './code-project.js';

/** Facts about a merge request for the tests. */
export interface MergeRequestBody extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly state: string;
  readonly description: string | null;
  readonly labels: readonly string[];
  readonly sha: string;
  readonly target_branch: string;
  readonly draft: boolean;
  readonly detailed_merge_status: string;
}

/** A project with commits on `main` and branches `one` to `four`, each with its own file. */
export const buildMergeRequestProject = (
  api: TestApi,
  attributes: Readonly<Record<string, unknown>> = {},
): Promise<CodeProject> =>
  buildCodeProject(
    api,
    async (work) => {
      for (const branch of ['one', 'two', 'three', 'four']) {
        await work.git('checkout', '--quiet', '-b', branch, 'main');
        await work.commit({ [`${branch}.txt`]: `${branch}\n` }, `Add ${branch}`);
      }
      await work.git('checkout', '--quiet', 'main');
    },
    attributes,
  );

/** Opens a merge request of a branch into `main`. */
export async function buildMergeRequest(
  client: ApiClient,
  projectId: number,
  branch: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<MergeRequestBody> {
  const answer = await client.post<MergeRequestBody>(`/projects/${projectId}/merge_requests`, {
    source_branch: branch,
    target_branch: 'main',
    title: `Bring ${branch}`,
    ...values,
  });
  if (answer.status !== 201) throw new Error(`No merge request: ${answer.status} ${answer.text}`);
  return answer.body;
}
