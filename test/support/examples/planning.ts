import { NEXT_YEAR, type ExampleWorld, type Made } from './desk.js';

/** Issues, epics, labels, milestones, notes and other planning. */
export async function showPlanning({ desk, ada, grace, group, project, at }: ExampleWorld): Promise<void> {
  const groups = `/groups/${group}`;
  await ada.shown.post(`${at}/labels`, { name: 'bug', color: '#d9534f', description: 'Something is broken' });
  await ada.shown.post(`${groups}/labels`, { name: 'roadmap', color: '#5cb85c' });
  const { body: milestone } = await ada.shown.post<Made>(`${at}/milestones`, {
    ...{ title: '1.0', description: 'The first release', start_date: '2026-03-02', due_date: NEXT_YEAR },
  });
  const issue = await desk.make(`${at}/issues`, {
    ...{ title: 'The engine stalls when it is cold', description: 'It starts only at the second attempt.' },
    ...{ labels: 'bug', milestone_id: milestone.id, assignee_ids: [grace.id], due_date: NEXT_YEAR },
  });
  const other = await desk.make(`${at}/issues`, { title: 'Write down how to start the engine' });
  const issues = `${at}/issues/${issue.iid}`;
  await ada.shown.post(`${issues}/award_emoji`, { name: 'thumbsup' });
  await grace.shown.post(`${issues}/notes`, { body: 'It is the fuel pump.' });
  await grace.shown.post(`${issues}/notes`, { body: '/label ~roadmap' });
  await grace.shown.post(`${issues}/discussions`, { body: 'Who has a spare pump?' });
  await grace.shown.post(`${issues}/time_estimate`, { duration: '1d' });
  await ada.shown.post(`${issues}/links`, { target_project_id: project, target_issue_iid: other.iid });
  await desk.send('PUT', issues, { state_event: 'close' });
  await desk.send('PUT', issues, { state_event: 'reopen' });
  const epic = await desk.make(`${groups}/epics`, {
    ...{ title: 'A reliable start', description: 'It starts at the first attempt.', labels: 'roadmap' },
    ...{ start_date_is_fixed: true, start_date_fixed: '2026-03-02' },
    ...{ due_date_is_fixed: true, due_date_fixed: NEXT_YEAR },
  });
  await ada.shown.post(`${groups}/epics/${epic.iid}/issues/${issue.id}`);
  for (const path of [
    `${groups}/epics/${epic.iid}`,
    `${groups}/epics/${epic.iid}/issues`,
    issues,
    `${issues}/links`,
    `${issues}/participants`,
    `${issues}/resource_label_events`,
    `${issues}/resource_milestone_events`,
    `${issues}/resource_state_events`,
    `${at}/issues_statistics`,
  ])
    await ada.shown.get(path);
}

/** Snippets and wikis. */
export async function showTexts({ ada, at, desk }: ExampleWorld): Promise<void> {
  const { body: snippet } = await ada.shown.post<Made>(`${at}/snippets`, {
    ...{ title: 'How to deploy', visibility: 'public', description: 'For those on call' },
    files: [{ file_path: 'deploy.sh', content: 'make deploy\n' }],
  });
  await desk.show(`${at}/snippets/${snippet.id}/user_agent_detail`);
  await ada.shown.post(`${at}/wikis`, { title: 'guides/first steps', content: 'Turn the key.' });
  await ada.shown.get(`${at}/wikis`);
  await ada.shown.send(
    'POST',
    `${at}/wikis/attachments`,
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="plan.txt"\r\n\r\nPlan\r\n--edge--\r\n',
    { 'Content-Type': 'multipart/form-data; boundary=edge' },
  );
}
