import { html, type Html } from '#kernel/html/html.js';
import type { UserRow } from '#core/users/records/user.row.js';
import { field, fieldset, select, type FieldError, type FieldOptions } from '../forms/form-fields.view.js';
import { form, submit } from '../forms/form.view.js';
import type { ProfileForm } from './profile-form.js';

/** Path of the profile page. */
export const PROFILE_PATH = '/-/profile';

/** Parameters of the profile view. */
export interface ProfileView {
  readonly user: UserRow;
  /** The submitted values that were rejected, shown again instead of the stored ones. */
  readonly sent: ProfileForm;
  /** Addresses that may be shown or used for commits. */
  readonly confirmed: readonly string[];
  readonly errors: readonly FieldError[];
  readonly csrfToken: string;
}

/** Renders the profile form. */
export function profileView({ user, sent, confirmed, errors, csrfToken }: ProfileView): Html {
  const text = (
    name: Exclude<keyof ProfileForm, 'private_profile'>,
    label: string,
    more: Partial<FieldOptions> = {},
  ): Html => field({ label, name, value: sent[name] ?? user[name], errors, ...more });
  const addresses = (none: string): (readonly [string, string])[] => [
    ['', none],
    ...confirmed.map((address) => [address, address] as const),
  ];
  const isPrivate = sent.private_profile ?? user.private_profile;
  return form(
    { action: PROFILE_PATH, method: 'put', csrfToken },
    fieldset('About you', [
      text('name', 'Name', { required: true, autocomplete: 'name', maxLength: 255 }),
      html`<p class="muted">
        Your username is <strong>${user.username}</strong>.
        <a href="/-/profile/password/edit">Change your password</a>
      </p>`,
      text('pronouns', 'Pronouns', { maxLength: 50 }),
      text('bio', 'Bio', { type: 'textarea', maxLength: 255 }),
      text('location', 'Location', { maxLength: 255 }),
      text('organization', 'Organization', { autocomplete: 'organization', maxLength: 255 }),
      text('job_title', 'Job title', { autocomplete: 'organization-title', maxLength: 200 }),
    ]),
    fieldset('Addresses', [
      select(
        {
          label: 'Public e-mail address',
          name: 'public_email',
          value: sent.public_email ?? user.public_email,
          hint: 'Visible to everyone who can see your profile.',
          errors,
        },
        addresses('Show none'),
      ),
      select(
        {
          label: 'E-mail address of commits',
          name: 'commit_email',
          value: sent.commit_email ?? user.commit_email ?? '',
          hint: 'Used for commits that you make on this site.',
          errors,
        },
        addresses('Use the primary address'),
      ),
      html`<p><a href="${PROFILE_PATH}/emails">Add or confirm e-mail addresses</a></p>`,
    ]),
    fieldset('Elsewhere', [
      text('website_url', 'Website', { autocomplete: 'url', inputmode: 'url', maxLength: 500 }),
      text('linkedin', 'LinkedIn', { maxLength: 500 }),
      text('twitter', 'Twitter', { maxLength: 500 }),
      text('discord', 'Discord user ID', { inputmode: 'numeric', maxLength: 20 }),
      text('skype', 'Skype', { maxLength: 500 }),
    ]),
    select(
      {
        label: 'Visibility',
        name: 'private_profile',
        value: isPrivate ? 'true' : 'false',
        hint: 'A private profile shows only your name and username.',
        errors,
      },
      [
        ['false', 'Public profile'],
        ['true', 'Private profile'],
      ],
    ),
    submit('Save profile'),
  );
}
