/**
 * Written into the page itself (page.ts beside vite.config.ts): colours, language and the frame of the shell are shown as
 * soon as the page is there, and not when the first script is. So the files of the shell are asked for.
 */
import { hasToken, startingParts } from "#app/frame.ts";
import { keepParts, type Part, partsAhead } from "#app/parts-ahead.ts";
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

/** The script is not run, and the style is not applied, until something imports it. */
const fetchFile = (file: string): Promise<void> =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    const isStyle = file.endsWith(".css");
    link.rel = isStyle ? "preload" : "modulepreload";
    if (isStyle) link.as = "style";
    // As the build's own code asks for it, else it would be fetched twice.
    link.crossOrigin = "";
    link.href = file;
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });

// A browser that cannot do so fetches them with what imports them.
const canFetch = document.createElement("link").relList.supports("modulepreload");
const shell: readonly Part[] = import.meta.env.WEFT_PARTS ?? [];
const parts = partsAhead(canFetch ? shell : [], fetchFile);
keepParts(parts);
// Beside the first script, which has the next one follow.
if (hasToken()) parts.fetch(1);
