import { newToken } from "#domains/access/session/public.ts";

/** Every key begins so: people and scanners of leaked secrets know it by that. */
const keyPrefix = "weft_";
/** Leading characters of the secret that are kept to identify it: 36 of its 256 bits. */
const maxShown = 6;

/** A new key, opaque, 256 bits behind its mark. */
export const newKey = (): string => `${keyPrefix}${newToken()}`;

export const prefixOf = (key: string): string => key.slice(0, keyPrefix.length + maxShown);

export const hasKeyMark = (token: string): boolean => token.startsWith(keyPrefix);

export const isKeyShaped = (token: string): boolean => /^weft_[\w-]{43}$/.test(token);
