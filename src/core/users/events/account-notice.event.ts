/** A notice about an account, or about what its owner manages. Names and titles are written by users. */
export type NoticeContent =
  | { readonly kind: 'email_added'; readonly address: string }
  | { readonly kind: 'token_created' | 'token_replaced' | 'token_revoked'; readonly name: string }
  | { readonly kind: 'tokens_expiring' | 'tokens_expired'; readonly names: readonly string[] }
  | {
      readonly kind: 'resource_tokens_expiring' | 'resource_tokens_expired';
      readonly names: readonly string[];
      /** Path of the project or group. */
      readonly container: string;
    }
  | { readonly kind: 'key_added'; readonly title: string; readonly fingerprint: string }
  | { readonly kind: 'keys_expired'; readonly names: readonly string[] }
  | { readonly kind: 'two_factor_disabled' }
  /** A sign-in from a new address, or a wrong code after the correct password. */
  | { readonly kind: 'unknown_sign_in' | 'wrong_code'; readonly ip: string | null };

/**
 * A security event that the owner of an account must be notified of regardless of notification settings;
 * published in the transaction that causes it.
 */
export class AccountNotice {
  constructor(
    readonly userId: number,
    readonly content: NoticeContent,
  ) {}
}
