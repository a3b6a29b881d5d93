import { alarmLevels } from "@weft/contract/domains/notifications/enums.ts";
import { expect, test } from "vitest";
import { activeGlyph, levelGlyph } from "./level-glyph.ts";

test("an alarm that only informs is not red, and nothing less severe looks worse", () => {
  expect(activeGlyph[4]).toBe("run");
  const order = ["bad", "warn", "run"];
  const places = alarmLevels.map((level) => order.indexOf(activeGlyph[level]));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(Object.values(levelGlyph)).size).toBe(alarmLevels.length);
});
