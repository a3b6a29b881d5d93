/** Made by the build (apps/console/palettes.ts). */
declare module "virtual:palettes" {
  type ThemeColour = import("@weft/contract/domains/access/theme.ts").ThemeColour;
  type Mode = import("#ui/tokens.ts").Mode;

  /** Fetches the fill (#rrggbb) of a theme colour for a mode; rejects when its file cannot be fetched. */
  export const files: Readonly<
    Record<`${ThemeColour}-${Mode}`, () => Promise<{ readonly fill: string }>>
  >;
}
