import type { UserCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { Links } from '#kernel/http/links.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import {
  openDiscussions,
  settleDiscussions,
  type OpenDiscussion,
} from '#core/notes/discussions/settle-discussions.js';
import type { NoteTarget, SystemNotesService } from '#core/notes/system-notes.service.js';
import { lockNoteable } from '#core/notes/noteables/noteable-lock.js';
import type { CreateIssueParams } from '../issues.params.js';

/** Unresolved discussions of a merge request that a new issue resolves. */
export interface DiscussionsToResolve {
  readonly request: Noteable;
  readonly discussions: readonly OpenDiscussion[];
}

/**
 * Returns the merge request whose discussions the parameters name. @throws 404 also if the caller may not
 * read it
 */
async function requestOf(noteables: NoteableRegistry, caller: UserCaller, iid: number): Promise<Noteable> {
  const source = noteables.of('MergeRequest');
  const request = await source.find(caller, iid);
  const { id: userId } = caller.actor;
  const readers = await source.readersAmong(request.id as number, [userId], false);
  if (!readers.has(userId)) throw notFound('Merge Request');
  return request;
}

/**
 * Returns the discussions for a new issue, with the merge request locked; null for none. A caller who may not
 * resolve them still creates the issue. @throws 404
 */
export async function findDiscussionsToResolve(
  tx: Tx,
  noteables: NoteableRegistry,
  caller: UserCaller,
  { merge_request_to_resolve_discussions_of: iid, discussion_to_resolve: only }: CreateIssueParams,
): Promise<DiscussionsToResolve | null> {
  if (iid === undefined) return null;
  const request = await requestOf(noteables, caller, iid);
  await lockNoteable(tx, request.type, request.id);
  const discussions = await openDiscussions(tx, request, only ?? null);
  const maySettle = caller.role >= Role.Developer || request.authorId === caller.actor.id;
  return maySettle && request.mayComment && discussions.length > 0 ? { request, discussions } : null;
}

/**
 * Returns the default description of such an issue: links only, since its readers may not see the
 * discussions.
 */
export function resolvedText({ request, discussions }: DiscussionsToResolve, links: Links): string {
  const begun = discussions.map(({ noteId }) => `- [ ] ${links.base}${request.webPath}#note_${noteId}`);
  return `Still open in !${request.iid}:\n\n${begun.join('\n')}`;
}

/** Resolves the discussions, with a system note in the merge request about the issue. */
export async function resolveDiscussions(
  tx: Tx,
  notes: SystemNotesService,
  { request, discussions }: DiscussionsToResolve,
  userId: number,
  { iid, confidential }: { readonly iid: number; readonly confidential: boolean },
): Promise<void> {
  await settleDiscussions(tx, request, discussions, userId);
  const issue = confidential ? 'a confidential issue' : `#${iid}`;
  const what = discussions.length === 1 ? 'this discussion' : 'these discussions';
  await notes.write(tx, request as NoteTarget, userId, 'discussion', `created ${issue} to continue ${what}`);
}
