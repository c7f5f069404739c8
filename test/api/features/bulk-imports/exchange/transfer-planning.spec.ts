import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { fillLabels, fillMilestones } from '../../../../support/filled-planning.js';
import { PlanningTwins } from '../../../../support/planning-twins.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('imported labels and milestones', () => {
  let api: TestApi;
  let twins: PlanningTwins;
  beforeAll(async () => {
    api = await borrowApi();
    twins = await PlanningTwins.build(api);
  });
  afterAll(() => api.close());

  it('keep the colors, priorities and subscriptions of labels', async () => {
    await fillLabels(api, twins);
    await twins.bring('group', 'labels');
    await twins.bring('project', 'labels');
    expect(
      await twins.same((p) => `/projects/${p.project}/labels?with_counts=true`, twins.alice.client),
    ).toHaveLength(3);
    expect(await twins.same((p) => `/groups/${p.group}/labels`, twins.alice.client)).toHaveLength(1);
    await twins.sameRows(
      `select title, color, description, created_at, updated_at from labels where project_id = $1 order by title`,
    );
  });

  it('keep the numbers of milestones, and new ones continue after them', async () => {
    await fillMilestones(api, twins);
    await twins.bring('group', 'milestones');
    await twins.bring('project', 'milestones');
    expect(await twins.same((p) => `/projects/${p.project}/milestones`)).toHaveLength(2);
    expect(await twins.same((p) => `/groups/${p.group}/milestones`)).toHaveLength(1);
    const answer = await api.root.post<{ iid: number }>(`/projects/${twins.to.project}/milestones`, {
      title: 'New',
    });
    expect(answer.body.iid).toBe(4);
    await twins.sameRows(`select live_count - (select count(*) from milestones m where m.project_id = i.project_id) as wrong
        from internal_ids i where usage = 'milestones' and project_id = $1`);
  });
});
