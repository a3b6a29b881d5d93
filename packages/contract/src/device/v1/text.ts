import { z } from "zod";

/** Name of an interface, as it is put into rendered configuration. */
export const interfaceName = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,14}$/);

/** True for text that may appear in a rendered configuration file: letters, digits, some punctuation. */
export const isRenderable = (value: string): boolean => /^[\p{L}\p{N} ._:@/-]*$/u.test(value);

/** Name of a network namespace of a space; null: the main one. */
export const netns = z
  .string()
  .regex(/^weft-s\d{1,9}$/)
  .nullable();
export const port = z.int().min(1).max(65_535);
/** Raw 32 bytes, base64 as `wg` prints it. */
export const tunnelKey = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
