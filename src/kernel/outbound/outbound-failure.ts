/** What went wrong; `timeout`: nothing arrives, `late`: data arrives, but for longer than allowed. */
export type OutboundProblem =
  | 'timeout'
  | 'late'
  | 'connection'
  | 'tls'
  | 'too-large'
  | 'garbled'
  | 'redirects';

/**
 * A call to another host got no usable response. The message is shown to users and contains no internal
 * address.
 */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure';

  constructor(
    readonly problem: OutboundProblem,
    message: string,
  ) {
    super(message);
  }
}

const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset',
  EPIPE: 'Connection reset',
  ECONNABORTED: 'Connection reset',
  EHOSTUNREACH: 'Host unreachable',
  ENETUNREACH: 'Network unreachable',
  EADDRNOTAVAIL: 'Network unreachable',
};

/** Names of TLS errors, also those that OpenSSL and Node name without one of their prefixes. */
export const TLS_CODES = /^(ERR_(TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

/** Describes an error of a socket, parser or decompressor without revealing an address. */
export function outboundFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const { code: given } = error as { readonly code?: unknown };
  const code = typeof given === 'string' ? given : '';
  if (code === 'ETIMEDOUT') return new OutboundFailure('timeout', 'Connection timed out');
  if (TLS_CODES.test(code)) return new OutboundFailure('tls', `TLS failed: ${code}`);
  if (
    code.startsWith('HPE_') ||
    code.startsWith('Z_') ||
    code.startsWith('ERR__') ||
    code.startsWith('ERR_BROTLI')
  )
    return new OutboundFailure('garbled', 'The response cannot be read');
  return new OutboundFailure('connection', CONNECTION[code] ?? 'Connection failed');
}
