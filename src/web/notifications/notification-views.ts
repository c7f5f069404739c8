import { html, type Html } from '#kernel/html/html.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import type { GlobalSetting } from '#features/notifications/settings/notification-settings.queries.js';
import { isOn, type EventSwitches, type MailEvent } from '#features/notifications/settings/mail-events.js';
import { checkbox, fieldset, select, type FieldError } from '../forms/form-fields.view.js';
import { dataTable } from '../layout/data-table.view.js';
import { form, submit } from '../forms/form.view.js';
import { pageLinks } from '../layout/page-links.view.js';
import { eventWords, GLOBAL_LEVELS, LEVEL_WORDS, SOURCE_LEVELS } from './level-texts.js';
import {
  FIRST_SOURCES,
  type NotificationSourceRow,
  type SourceKind,
} from './notification-sources.queries.js';

/** Path of the notification page. */
export const NOTIFICATIONS_PATH = '/-/profile/notifications';

/** Parameters common to all notification forms. */
export interface FormView {
  /** Addresses that emails can be sent to. */
  readonly confirmed: readonly string[];
  /** Events that can be switched on or off. */
  readonly offered: readonly MailEvent[];
  readonly errors: readonly FieldError[];
  readonly csrfToken: string;
}

const addressSelect = (
  confirmed: readonly string[],
  value: string | null,
  none: string,
  hint: string,
  errors: readonly FieldError[],
): Html =>
  select(
    {
      label: 'Notification e-mail address',
      name: 'notification_email',
      value: value ?? '',
      hint,
      errors,
    },
    [['', none], ...confirmed.map((address) => [address, address] as const)],
  );

const levelChoice = (
  levels: readonly (keyof typeof LEVEL_WORDS)[],
  chosen: string,
  errors: readonly FieldError[],
): Html =>
  fieldset(
    'Level',
    levels.map((value) => {
      const [label, hint] = LEVEL_WORDS[value];
      return checkbox({ type: 'radio', name: 'level', value, label, hint, checked: value === chosen });
    }),
    { name: 'level', errors },
  );

/** Renders the event checkboxes if the level is custom. */
const eventBoxes = (level: string, events: EventSwitches, offered: readonly MailEvent[]): Html | null =>
  level === 'custom'
    ? fieldset(
        'Events',
        html`<input type="hidden" name="with_events" value="1" /> ${offered.map((value) =>
            checkbox({ name: 'events[]', value, label: eventWords(value), checked: isOn(events, value) }),
          )}`,
      )
    : null;

/** Renders the form of the global setting. */
export function globalForm(
  setting: GlobalSetting,
  { confirmed, offered, errors, csrfToken }: FormView,
): Html {
  const level = setting.level === 'global' ? 'participating' : setting.level;
  return form(
    { action: NOTIFICATIONS_PATH, method: 'put', csrfToken },
    addressSelect(
      confirmed,
      setting.chosen_email,
      'Use the primary address',
      'Mails about activity go to this address.',
      errors,
    ),
    levelChoice(GLOBAL_LEVELS, level, errors),
    eventBoxes(level, setting.events, offered),
    checkbox({
      label: 'Notify me of my own activity',
      name: 'notified_of_own_activity',
      checked: setting.notified_of_own_activity,
    }),
    submit('Save notifications'),
  );
}

const pathOf = (kind: SourceKind, id: number): string => `${NOTIFICATIONS_PATH}/${kind}/${id}`;

/** Renders the level drop-down of a table row; its label is for screen readers. */
function rowForm(
  kind: SourceKind,
  { id, full_name: name, level }: NotificationSourceRow,
  token: string,
): Html {
  const field = `level-${kind}-${id}`;
  return form(
    { action: pathOf(kind, id), method: 'put', csrfToken: token },
    html`<div class="actions">
      <label class="unseen" for="${field}">Level of ${name}</label>
      <select id="${field}" name="level">
        ${SOURCE_LEVELS.map((value) => html`<option value="${value}" ${value === level && html`selected`}>${LEVEL_WORDS[value][0]}</option>`)}
      </select>
      ${submit('Save', { look: 'secondary', small: true, of: name })}
    </div>`,
  );
}

/** Titles of the tables and pages. */
export const SOURCE_TITLES = { groups: 'Groups', projects: 'Projects' } as const;

function sourcesTable(kind: SourceKind, rows: readonly NotificationSourceRow[], csrfToken: string): Html {
  const cells = rows.map((row) => [
    html`<a href="${pathOf(kind, row.id)}">${row.full_name}</a>`,
    rowForm(kind, row, csrfToken),
  ]);
  return dataTable(SOURCE_TITLES[kind], ['Name', 'Level'], cells);
}

/** Renders the first groups or projects of a user with their levels, and a link to all of them. */
export const firstSources = (
  kind: SourceKind,
  rows: readonly NotificationSourceRow[],
  csrfToken: string,
): Html =>
  html`${sourcesTable(kind, rows.slice(0, FIRST_SOURCES), csrfToken)}
  ${rows.length > FIRST_SOURCES && html`<p><a href="${NOTIFICATIONS_PATH}/${kind}">All ${kind}</a></p>`}`;

/** Renders one page of all groups or projects. */
export const allSources = (
  kind: SourceKind,
  rows: readonly NotificationSourceRow[],
  list: ListPage,
  csrfToken: string,
): Html =>
  html`${sourcesTable(kind, rows, csrfToken)}${pageLinks(`${NOTIFICATIONS_PATH}/${kind}`, list)}
    <p class="actions"><a href="${NOTIFICATIONS_PATH}">All notification settings</a></p>`;

/** Renders the complete settings of a group or project. */
export const sourceForm = (
  kind: SourceKind,
  { id, level, events, notification_email: email }: NotificationSourceRow,
  { confirmed, offered, errors, csrfToken }: FormView,
): Html =>
  html`${form(
      { action: pathOf(kind, id), method: 'put', csrfToken },
      levelChoice(SOURCE_LEVELS, level, errors),
      eventBoxes(level, events, offered),
      kind === 'groups' &&
        addressSelect(
          confirmed,
          email,
          'Use the global address',
          'Mails about the group and everything below it go to this address.',
          errors,
        ),
      submit('Save notifications'),
    )}
    <p class="actions"><a href="${NOTIFICATIONS_PATH}">All notification settings</a></p>`;
