/** True for text that may appear in a rendered configuration file: letters, digits, some punctuation. */
export const isRenderable = (value: string): boolean => /^[\p{L}\p{N} ._:@/-]*$/u.test(value);
