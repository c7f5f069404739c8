import type { Response } from 'express';

/** How much of what a bot has made ended with its token. */
export interface EndedWithToken {
  readonly deployTokens: number;
  readonly runners: number;
}

/** What else ends when the token of a person does. */
export const NOTHING_ENDED: EndedWithToken = { deployTokens: 0, runners: 0 };

const DEPLOY_TOKENS = 'X-Revoked-Deploy-Tokens';
const RUNNERS = 'X-Deleted-Runners';

/** The headers of an answer that tells what has ended, with what they mean. */
export const ENDED_HEADERS = {
  [DEPLOY_TOKENS]: 'How many deploy tokens that the bot of the token had made were revoked with it',
  [RUNNERS]: 'How many runners that the bot of the token had made were removed with it',
};

/** Both together. */
export const endedTogether = (one: EndedWithToken, other: EndedWithToken): EndedWithToken => ({
  deployTokens: one.deployTokens + other.deployTokens,
  runners: one.runners + other.runners,
});

/** Tells it in an answer that has no body. */
export function tellEnded(response: Response, { deployTokens, runners }: EndedWithToken): void {
  response.setHeader(DEPLOY_TOKENS, deployTokens);
  response.setHeader(RUNNERS, runners);
}
