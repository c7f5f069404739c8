import type { MailScene } from './mail-scene.js';

const PAGES: Readonly<Record<string, string>> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Epic: 'epics',
  Snippet: 'snippets',
  Pipeline: 'pipelines',
};

/** Returns the path of the noteable's page, or null if there is none. */
export function noteablePath({ event: { target }, container, subject, note }: MailScene): string | null {
  const root = container.kind === 'Project' ? `/${container.full_path}` : `/groups/${container.full_path}`;
  if (target.type === 'Project' || target.type === 'Group') return root;
  if (target.type === 'Commit') return note?.commit_id ? `${root}/-/commit/${note.commit_id}` : null;
  const page = PAGES[target.type];
  if (page === undefined) return null;
  return `${root}/-/${page}/${subject.iid ?? subject.id}${note ? `#note_${note.id}` : ''}`;
}
