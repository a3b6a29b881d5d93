/** Relative luminance of a colour (#rrggbb), as WCAG 2.2 defines it. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((from) => Number.parseInt(hex.slice(from, from + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast ratio of two colours (#rrggbb), 1 to 21 (WCAG 2.2). */
export const contrast = (text: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(text), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
