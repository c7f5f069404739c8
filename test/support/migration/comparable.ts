/** Values that always differ between two instances: ids, addresses, the viewer, and the time. */
const DIFFERENT =
  /^(id|.*_ids?|url|_links|.*_url|.*_path|.*url_to_repo|references|path_with_namespace|name_with_namespace|commands_changes|user|.*_email|import_.*|runners_token|repository_storage|statistics|permissions|last_activity_at|shared_.*|container_.*|mirror.*|service_desk.*)$/;

const isHash = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a record without values that differ between instances; users by their user name; `more` names
 * further values to omit.
 */
export function comparable(value: unknown, without: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, without));
  if (!isHash(value)) return value;
  if (typeof value['username'] === 'string' && 'avatar_url' in value) return `@${value['username']}`;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name === 'iid' || (!DIFFERENT.test(name) && !without.includes(name)))
      .map(([name, inner]) => [name, comparable(inner, without)]),
  );
}
