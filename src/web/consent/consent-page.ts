import { html, type Html } from '#kernel/html/html.js';
import type { AuthorizationRequest } from '#features/oauth/authorization/authorization-request.js';
import type { AuthorizingUser } from '#features/oauth/authorization/authorizing-user.queries.js';
import type { SentParameters } from '#features/oauth/authorization/sent-parameters.js';
import { SCOPE_WORDS } from '#features/oauth/scope-texts.js';
import { form, submit } from '../forms/form.view.js';
import { AUTHORIZE_PATH, pathForOtherUser } from './authorize-path.js';
import { redirectTargetOf } from './redirect-target.js';
import { SHOWN_FIELD } from './sent-form.js';

/** Data of the consent page. */
export interface ConsentView {
  readonly request: AuthorizationRequest;
  readonly user: AuthorizingUser;
  /** Username of the application's owner; null for an application of the instance. */
  readonly owner: string | null;
  readonly sealed: string;
  readonly csrfToken: string;
  /** Whether the request came from a form that was not made for it, or differs from what that form showed. */
  readonly isChanged: boolean;
}

/** Removes characters from a name that could hide or reorder the text around it. */
export const plainName = (name: string): string =>
  name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() || 'An application';

/**
 * Renders the consent page: which application asks, for which user, what it may access, and where the
 * response is sent.
 */
export function consentPage(view: ConsentView): Html {
  const { request, user, owner, isChanged } = view;
  const name = html`<bdi>${plainName(request.application.name)}</bdi>`;
  return html`${
      isChanged &&
      html`<div class="notice bad" role="alert">
        <h2>Please look again</h2>
        <p>
          Nothing has been authorized: the request differs from the one that was shown to you. This is what is
          requested now.
        </p>
      </div>`
    }
    <div class="card">
      <p><strong>${name}</strong> asks for access to your account.</p>
      <dl class="facts">
        <dt>Signed in as</dt>
        <dd>
          <bdi>${user.name}</bdi> (@${user.username})
          <a href="${pathForOtherUser(request.parameters)}">Use another account</a>
        </dd>
        <dt>Registered by</dt>
        <dd>
          ${owner === null ? 'the administrators of this instance' : html`the user <bdi>@${owner}</bdi>, not by Forgeplane`}
        </dd>
        <dt>You are taken back to</dt>
        <dd>${targetOf(request.to.redirectUri)}</dd>
      </dl>
      ${warning(request)}
      <h2>What it asks for</h2>
      <ul>
        ${request.scopes.map((scope) => {
          const { title, description } = SCOPE_WORDS[scope];
          return html`<li>
            <strong>${title}</strong> <code>${scope}</code><span class="hint">${description}</span>
          </li>`;
        })}
      </ul>
      <p class="muted">You can revoke this at any time, under Applications.</p>
      <div class="actions equal">
        ${decision(view, 'post', 'Authorize')} ${decision(view, 'delete', 'Deny')}
      </div>
    </div>`;
}

function targetOf(redirectUri: string): Html {
  const target = redirectTargetOf(redirectUri);
  if (!target) return html`this site, which shows you a code to copy`;
  const { name, note, isUnsafe } = target;
  const told = isUnsafe ? html`<strong>${note}</strong>` : note;
  return html`<strong>${name}</strong>${note !== '' && html` (${told})`}`;
}

/** Highlights scopes that grant write access. */
function warning({ scopes }: AuthorizationRequest): Html | null {
  const wide = scopes.filter((scope) => SCOPE_WORDS[scope].isWide);
  if (wide.length === 0) return null;
  return html`<div class="notice bad">
    <h2>This application asks for broad access</h2>
    <p>
      ${wide.map((scope) => SCOPE_WORDS[scope].title).join(', ')}: only continue if you know this application
      and trust its operators.
    </p>
  </div>`;
}

/**
 * Both buttons look the same. Tests and scripts of clients know the plain fields; only the sealed one counts.
 */
function decision(
  { request, sealed, csrfToken }: ConsentView,
  method: 'post' | 'delete',
  label: string,
): Html {
  return form(
    { action: AUTHORIZE_PATH, method, csrfToken },
    plainFields(request.parameters),
    html`<input type="hidden" name="${SHOWN_FIELD}" value="${sealed}" />`,
    submit(label, { look: 'secondary' }),
  );
}

/** Leaves values that a form may alter in transit, such as line breaks, to the sealed field. */
const plainFields = (parameters: SentParameters): Html[] =>
  Object.entries(parameters.toJSON())
    .filter(([, value]) => /^[\x20-\x7e]*$/.test(value))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
