import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('notes, emoji and time through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let projectId: number;
  let iid: number;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    projectId = (await world.root.Projects.create({ name: 'Web' })).id;
    await world.root.ProjectMembers.add(projectId, AccessLevel.REPORTER, { userId: jane.id });
    iid = (await jane.api.Issues.create(projectId, 'Broken')).iid;
  });
  afterAll(() => world.close());

  it('writes, lists, edits and removes notes', async () => {
    const { IssueNotes } = jane.api;
    const note = await IssueNotes.create(projectId, iid, 'Hello @root', { internal: true });
    expect(note).toMatchObject({ body: 'Hello @root', internal: true, author: { username: 'jane' } });
    expect(await IssueNotes.all(projectId, iid)).toEqual([note]);
    const edited = await IssueNotes.edit(projectId, iid, note.id, { body: 'Hello' });
    expect(await IssueNotes.show(projectId, iid, note.id)).toEqual(edited);
    expect(edited.body).toBe('Hello');
    await IssueNotes.remove(projectId, iid, note.id);
    expect((await refusal(IssueNotes.show(projectId, iid, note.id)))[0]).toBe(404);
  });

  it('runs quick actions in notes', async () => {
    const { IssueNotes, Issues } = jane.api;
    const { iid: number } = await Issues.create(projectId, 'Do it', { description: 'Now\n/due 2030-01-02' });
    const note = await IssueNotes.create(projectId, number, 'Done\n/close\n/estimate 2h');
    expect(note).toMatchObject({
      body: 'Done',
      commands_changes: { state_event: 'close', time_estimate: 7_200 },
    });
    expect(await IssueNotes.create(projectId, number, '/reopen\n/assign me')).toEqual({
      commands_changes: { state_event: 'reopen', assignee_ids: [jane.id] },
      summary: ['Assigned @jane.', 'Reopened this issue.'],
    });
    expect(await Issues.show(number, { projectId })).toMatchObject({
      state: 'opened',
      description: 'Now',
      due_date: '2030-01-02',
      assignees: [{ id: jane.id }],
    });
  });

  it('discusses issues and snippets, and comments on commits', async () => {
    const { IssueDiscussions, ProjectSnippets, ProjectSnippetNotes, Commits } = jane.api;
    const begun = await IssueDiscussions.create(projectId, iid, 'Why?');
    const reply = await IssueDiscussions.addNote(projectId, iid, begun.id, 'Because');
    expect(await IssueDiscussions.show(projectId, iid, begun.id)).toMatchObject({
      individual_note: false,
      notes: [{ body: 'Why?' }, { id: reply.id, body: 'Because' }],
    });
    const snippet = await ProjectSnippets.create(projectId, 'Run', {
      visibility: 'private',
      files: [{ filePath: 'a.sh', content: 'a' }],
    });
    const note = await ProjectSnippetNotes.create(projectId, snippet.id, 'Nice');
    expect(await ProjectSnippetNotes.all(projectId, snippet.id)).toMatchObject([
      { id: note.id, body: 'Nice' },
    ]);
    const { id: sha } = await world.root.Commits.create(projectId, 'main', 'Begin', [
      { action: 'create', filePath: 'README.md', content: '# Web' },
    ]);
    const comment = await Commits.createComment(projectId, sha, 'First!', {
      path: 'README.md',
      line: 1,
      lineType: 'new',
    });
    expect(comment).toMatchObject({ note: 'First!', path: 'README.md', line: 1, line_type: 'new' });
    expect(await Commits.allComments(projectId, sha)).toEqual([comment]);
  });

  it('adds and removes emoji', async () => {
    const { IssueAwardEmojis, IssueNotes, IssueNoteAwardEmojis } = jane.api;
    const award = await IssueAwardEmojis.award(projectId, iid, 'thumbsup');
    expect(await IssueAwardEmojis.all(projectId, iid)).toEqual([award]);
    expect(await IssueAwardEmojis.show(projectId, iid, award.id)).toEqual(award);
    expect((await jane.api.Issues.show(iid, { projectId })).upvotes).toBe(1);
    expect((await refusal(IssueAwardEmojis.award(projectId, iid, 'thumbsup')))[0]).toBe(404);
    await IssueAwardEmojis.remove(projectId, iid, award.id);
    const note = await IssueNotes.create(projectId, iid, 'Well');
    const onNote = await IssueNoteAwardEmojis.award(projectId, iid, note.id, 'tada');
    expect(await IssueNoteAwardEmojis.all(projectId, iid, note.id)).toEqual([onNote]);
    for (const [name, kept] of [
      ['+1', 'thumbsup'],
      ['-1', 'thumbsdown'],
      ['white_check_mark', 'white_check_mark'],
      ['100', '100'],
      ['thumbsup_tone1', 'thumbsup_tone1'],
      ['thinking_face', 'thinking'],
      ['flag_de', 'flag_de'],
    ] as const)
      expect((await IssueAwardEmojis.award(projectId, iid, name)).name).toBe(kept);
    expect(await jane.api.Issues.show(iid, { projectId })).toMatchObject({ upvotes: 1, downvotes: 1 });
  });

  it('tracks time, and lists participants', async () => {
    const { Issues } = jane.api;
    expect(await Issues.addTimeEstimate(projectId, iid, '3h 30m')).toMatchObject({ time_estimate: 12_600 });
    expect(await Issues.addSpentTime(projectId, iid, '1d')).toMatchObject({ human_total_time_spent: '1d' });
    expect(await Issues.resetTimeEstimate(projectId, iid)).toMatchObject({ human_time_estimate: null });
    expect(await Issues.resetSpentTime(projectId, iid)).toMatchObject({ total_time_spent: 0 });
    expect(await Issues.showTimeStats(projectId, iid)).toMatchObject({ time_estimate: 0 });
    expect((await Issues.allParticipants(projectId, iid)).map(({ username }) => username)).toEqual(['jane']);
    expect((await Issues.unsubscribe(projectId, iid)).subscribed).toBe(false);
    expect((await Issues.subscribe(projectId, iid)).subscribed).toBe(true);
  });
});
