/**
 * Written into the page itself (page.ts beside vite.config.ts): colours, language and the frame of the shell are shown as
 * soon as the page is there, and not when the first script is.
 */
import { startingParts } from "#app/frame.ts";
import { keptDisplay, modeOf } from "#client/kept-display.ts";
import { keptLanguage, languageTag } from "#client/kept-language.ts";
import { swatches } from "#ui/palettes.ts";
import { paintRoot } from "#ui/tokens.ts";

const display = keptDisplay();
const mode = modeOf(display);
const root = document.documentElement;
paintRoot(root, mode, swatches[display.color ?? "default"][mode]);
root.lang = languageTag(keptLanguage());
document.getElementById("root")?.append(startingParts());
