import { createHash } from 'node:crypto';

/** A valid public key. */
export interface SshPublicKey {
  /** One line: type, base64, comment. */
  readonly line: string;
  /** SHA-256 of the blob, base64 without padding, as ssh-keygen prints it after `SHA256:`. */
  readonly fingerprint: string;
}

/** Fields of a key blob after its type: their number, and their lengths if fixed. */
const TYPES: Readonly<Record<string, { fields: number; lengths?: readonly (number | null)[] }>> = {
  'ssh-rsa': { fields: 2 },
  'ssh-ed25519': { fields: 1, lengths: [32] },
  'ecdsa-sha2-nistp256': { fields: 2, lengths: [8, 65] },
  'ecdsa-sha2-nistp384': { fields: 2, lengths: [8, 97] },
  'ecdsa-sha2-nistp521': { fields: 2, lengths: [8, 133] },
  'sk-ssh-ed25519@openssh.com': { fields: 2, lengths: [32, null] },
  'sk-ecdsa-sha2-nistp256@openssh.com': { fields: 3, lengths: [8, 65, null] },
};

const MIN_RSA_BYTES = 128;
const MAX_RSA_BYTES = 2048;

/** Parses a public key in the format of OpenSSH; returns a text if it is invalid. */
export function parseSshPublicKey(text: string): SshPublicKey | string {
  const match = /^(\S+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+(\S[^\r\n]*))?$/.exec(text.trim());
  const [, type = '', base64 = '', comment = ''] = match ?? [];
  const blob = Buffer.from(base64, 'base64');
  if (!match || blob.toString('base64') !== base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
    return 'is invalid';
  if (type === 'ssh-dss') return 'type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK';
  const layout = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const fields = readFields(blob);
  if (!layout || fields?.length !== layout.fields + 1 || fields[0]?.toString('latin1') !== type)
    return 'is invalid';
  const hasLengths = (layout.lengths ?? []).every(
    (length, index) => length === null || fields[index + 1]?.length === length,
  );
  if (!hasLengths) return 'is invalid';
  if (type === 'ssh-rsa') {
    const bytes = (fields[2] as Buffer).length;
    if (bytes < MIN_RSA_BYTES) return 'length is too short: RSA keys need 1024 bits or more';
    if (bytes > MAX_RSA_BYTES + 1) return 'is invalid';
  }
  const fingerprint = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  return { line: [type, base64, comment].filter((part) => part !== '').join(' '), fingerprint };
}

/** Returns the length-prefixed fields of a blob; null if it ends within one. */
function readFields(blob: Buffer): Buffer[] | null {
  const fields: Buffer[] = [];
  let offset = 0;
  while (offset < blob.length) {
    if (offset + 4 > blob.length) return null;
    const end = offset + 4 + blob.readUInt32BE(offset);
    if (end > blob.length) return null;
    fields.push(blob.subarray(offset + 4, end));
    offset = end;
  }
  return fields;
}
