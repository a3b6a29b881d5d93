import { newToken } from "#domains/access/session/public.ts";

/** Every key begins so: people and scanners of leaked secrets know it by that. */
const MARK = "weft_";
/** Leading characters of the secret that are kept to identify it: 36 of its 256 bits. */
const SHOWN = 6;

/** A new key, opaque, 256 bits behind its mark. */
export const newKey = (): string => `${MARK}${newToken()}`;

export const prefixOf = (key: string): string => key.slice(0, MARK.length + SHOWN);

export const hasKeyMark = (token: string): boolean => token.startsWith(MARK);

export const isKeyShaped = (token: string): boolean => /^weft_[\w-]{43}$/.test(token);
