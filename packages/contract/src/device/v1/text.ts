/** True for text that may appear in a rendered configuration file: words, digits, a few signs. */
export const isRenderable = (value: string): boolean => /^[\p{L}\p{N} ._:@/-]*$/u.test(value);
