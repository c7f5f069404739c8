import { conflict, forbidden, HttpError } from '#kernel/http/errors.js';
import type { User } from '../user.entity.js';
import { isInternalType, type UserState } from '../user-values.js';

/** Actions of administrators on the state of an account. */
export type StateAction =
  | 'block'
  | 'unblock'
  | 'deactivate'
  | 'activate'
  | 'ban'
  | 'unban'
  | 'approve'
  | 'reject';

type Subject = Pick<User, 'id' | 'state' | 'userType'>;
type Decision = (user: Subject, actorId: number) => UserState | null;

const BLOCKED: readonly UserState[] = ['blocked', 'ldap_blocked', 'blocked_pending_approval', 'banned'];
const isBlocked = ({ state }: Subject): boolean => BLOCKED.includes(state);

const refuseLdap = ({ state }: Subject): void => {
  if (state === 'ldap_blocked') throw forbidden('LDAP blocked users cannot be modified by the API');
};

const plainForbidden = (text: string): HttpError => new HttpError(403, { message: text });

const decisions: Readonly<Record<StateAction, Decision>> = {
  block(user, actorId) {
    refuseLdap(user);
    if (user.id === actorId) throw forbidden('The API initiating user cannot be blocked by the API');
    if (isInternalType(user.userType)) throw forbidden('An internal user cannot be blocked');
    return isBlocked(user) ? null : 'blocked';
  },

  unblock(user) {
    refuseLdap(user);
    if (user.state === 'deactivated') throw forbidden('Deactivated users cannot be unblocked by the API');
    if (user.state === 'banned') throw forbidden('Banned users cannot be unblocked by the API');
    return user.state === 'active' ? null : 'active';
  },

  deactivate(user, actorId) {
    if (user.state === 'deactivated') return null;
    refuseLdap(user);
    if (isBlocked(user)) throw forbidden('A blocked user cannot be deactivated by the API');
    if (isInternalType(user.userType)) throw forbidden('An internal user cannot be deactivated by the API');
    if (user.id === actorId) throw forbidden('The API initiating user cannot be deactivated by the API');
    return 'deactivated';
  },

  activate(user) {
    refuseLdap(user);
    if (isBlocked(user)) throw forbidden('A blocked user must be unblocked to be activated');
    return user.state === 'active' ? null : 'active';
  },

  ban(user, actorId) {
    refuseLdap(user);
    if (user.id === actorId) throw forbidden('The API initiating user cannot be banned by the API');
    if (isInternalType(user.userType)) throw forbidden('An internal user cannot be banned');
    if (user.state !== 'active') throw plainForbidden(`You cannot ban ${user.state} users.`);
    return 'banned';
  },

  unban(user) {
    if (user.state !== 'banned') throw plainForbidden(`You cannot unban ${user.state} users.`);
    return 'active';
  },

  approve(user) {
    if (user.state !== 'blocked_pending_approval')
      throw conflict('The user you are trying to approve is not pending approval');
    return 'active';
  },

  reject(user) {
    if (user.state !== 'blocked_pending_approval') throw conflict('User does not have a pending request');
    return 'blocked';
  },
};

/** Returns the state after an action; null if the account is already in it. @throws 403 or 409 */
export const decideState = (action: StateAction, user: Subject, actorId: number): UserState | null =>
  decisions[action](user, actorId);
