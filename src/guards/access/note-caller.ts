import type { Caller } from '#kernel/access/caller.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { requestContext } from '#kernel/log/request-context.js';
import { addTiming } from '#kernel/log/slow-requests.js';

/** Adds the caller to the request log. */
export function noteCaller(caller: Caller, request: ApiRequest): void {
  const context = requestContext.getStore();
  if (!context) return;
  context.userId = caller.actor?.id;
  context.username = caller.actor?.username;
  if (caller.actor?.admin === true && context.response) addTiming(context.response, context);
  if (caller.sudo === 'other') context.sudoUserId = caller.owner?.id;
  context.route = (request.route as { path?: string } | undefined)?.path;
}
