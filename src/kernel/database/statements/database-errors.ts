/** SQLSTATE of a database error; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}

/** Name of the constraint in a database error, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { constraint, driverError } = error as {
    constraint?: unknown;
    driverError?: { constraint?: unknown };
  };
  const found = constraint ?? driverError?.constraint;
  return typeof found === 'string' ? found : undefined;
}

/**
 * Whether the connection's prepared statements differ from ours: a statement is missing (dropped by something
 * between us and the server), already exists, or its columns have changed (by a migration). A new connection
 * has none.
 */
export function isStaleStatement(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '26000' || code === '42P05') return true;
  return (
    code === '0A000' && error instanceof Error && error.message.startsWith('cached plan must not change')
  );
}
