/** Response to a revocation: an empty object, whether the token existed or not (RFC 7009 2.2). */
export class RevokedRecord {}
