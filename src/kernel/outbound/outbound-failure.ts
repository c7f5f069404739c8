/** What went wrong; `timeout`: nothing comes, `late`: something comes, for longer than was allowed. */
export type OutboundProblem =
  | 'timeout'
  | 'late'
  | 'connection'
  | 'tls'
  | 'too-large'
  | 'garbled'
  | 'redirects';

/** A call to another host did not come to an answer. The message is shown: it names no address of ours. */
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

/** TLS problems that OpenSSL and Node name without one of their prefixes. */
const TLS = /^(ERR_(TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

/** An error of a socket, a parser or a decompressor in words that give away no address. */
export function outboundFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const { code: given } = error as { readonly code?: unknown };
  const code = typeof given === 'string' ? given : '';
  if (code === 'ETIMEDOUT') return new OutboundFailure('timeout', 'Connection timed out');
  if (TLS.test(code)) return new OutboundFailure('tls', `TLS failed: ${code}`);
  if (
    code.startsWith('HPE_') ||
    code.startsWith('Z_') ||
    code.startsWith('ERR__') ||
    code.startsWith('ERR_BROTLI')
  )
    return new OutboundFailure('garbled', 'The answer cannot be read');
  return new OutboundFailure('connection', CONNECTION[code] ?? 'Connection failed');
}
