/**
 * Returns the DSN for SDKs, which insert `/api` and the operation before the number at its end (`ops.md` 6.2,
 * 6.3).
 */
export function dsnOf(base: string, publicKey: string, projectId: number): string {
  const { protocol, host, pathname } = new URL(base);
  const root = pathname.replace(/\/+$/, '');
  return `${protocol}//${publicKey}@${host}${root}/api/v4/error_tracking/collector/${projectId}`;
}
