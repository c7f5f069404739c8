import type { Response } from 'express';

/** Number of objects created by a bot that ended with its token. */
export interface EndedWithToken {
  readonly deployTokens: number;
  readonly runners: number;
}

/** For tokens of persons: nothing else ends. */
export const NOTHING_ENDED: EndedWithToken = { deployTokens: 0, runners: 0 };

const DEPLOY_TOKENS = 'X-Revoked-Deploy-Tokens';
const RUNNERS = 'X-Deleted-Runners';

/** Response headers that report what has ended, with descriptions. */
export const ENDED_HEADERS = {
  [DEPLOY_TOKENS]: 'How many deploy tokens that the bot of the token had made were revoked with it',
  [RUNNERS]: 'How many runners that the bot of the token had made were removed with it',
};

/** Adds up both. */
export const endedTogether = (one: EndedWithToken, other: EndedWithToken): EndedWithToken => ({
  deployTokens: one.deployTokens + other.deployTokens,
  runners: one.runners + other.runners,
});

/** Sets the headers of a response without a body. */
export function tellEnded(response: Response, { deployTokens, runners }: EndedWithToken): void {
  response.setHeader(DEPLOY_TOKENS, deployTokens);
  response.setHeader(RUNNERS, runners);
}
