import { html, type Html } from '#kernel/html/html.js';
import { form, submit } from '../forms/form.view.js';
import { liveItem } from '../live/live-item.js';
import { momentText } from '../layout/moments.js';
import { entityPath, MIGRATIONS_PATH } from './paths.js';
import { nowOf, type ShownEntity } from './shown-entity.js';

/** Renders a group or project of the list. */
export function entityItem(entity: ShownEntity, csrfToken: string): Html {
  const { importId, id, destination } = entity;
  const again = { action: `${entityPath(importId, id)}/resume`, csrfToken };
  return liveItem(nowOf(entity), {
    name: html`<a href="${entityPath(importId, id)}">${destination}</a>`,
    facts: html`${entity.kind === 'group' ? 'Group' : 'Project'} <code>${entity.sourceFullPath}</code> of
      ${entity.sourceUrl}`,
    asked: `Migration ${importId}, requested ${momentText(entity.createdAt)}`,
    again: form(again, submit('Resume', { look: 'secondary', small: true, of: destination })),
  });
}

/** Forms that cancel the migrations of a page that are still running. */
export function cancelForms(entities: readonly ShownEntity[], csrfToken: string): Html[] {
  const open = new Set(entities.filter(({ isImportOpen }) => isImportOpen).map(({ importId }) => importId));
  return [...open].map((importId) =>
    form(
      { action: `${MIGRATIONS_PATH}/${importId}/cancel`, csrfToken },
      submit(`Cancel migration ${importId}`, { look: 'danger', small: true }),
    ),
  );
}
