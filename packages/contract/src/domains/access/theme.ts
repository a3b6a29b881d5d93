/** The eight colours of section 4, in the order in which they are offered. */
export const themeColours = [
  "default",
  "dust",
  "sunset",
  "volcano",
  "purple",
  "cyan",
  "green",
  "geekblue",
] as const;
export type ThemeColour = (typeof themeColours)[number];
