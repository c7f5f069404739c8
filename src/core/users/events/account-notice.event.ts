/** What happened to an account, or to what its owner manages. Names and titles are people's own words. */
export type News =
  | { readonly kind: 'email_added'; readonly address: string }
  | { readonly kind: 'token_created' | 'token_replaced' | 'token_revoked'; readonly name: string }
  | { readonly kind: 'tokens_expiring' | 'tokens_expired'; readonly names: readonly string[] }
  | {
      readonly kind: 'resource_tokens_expiring' | 'resource_tokens_expired';
      readonly names: readonly string[];
      /** The project or group by its path. */
      readonly place: string;
    }
  | { readonly kind: 'key_added'; readonly title: string; readonly fingerprint: string }
  | { readonly kind: 'keys_expired'; readonly names: readonly string[] }
  | { readonly kind: 'two_factor_disabled' }
  /** Signed in from where they have not been lately, or somebody has given a wrong code after the right password. */
  | { readonly kind: 'unknown_sign_in' | 'wrong_code'; readonly ip: string | null };

/** Something happened to an account that its owner is to know of, whatever mails they want otherwise; in the transaction that does it. */
export class AccountNotice {
  constructor(
    readonly userId: number,
    readonly news: News,
  ) {}
}
