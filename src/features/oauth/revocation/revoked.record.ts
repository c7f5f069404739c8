/** What a revocation answers: an empty object, whether there was such a token or not (RFC 7009 2.2). */
export class RevokedRecord {}
