import { describe, expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import type { LanRow } from "./cpe-texts.ts";
import { LanSwitch } from "./lan-section.tsx";

const row = { id: 5, network: "10.1.1.1/24", enableForward: true, enableDirect: false } as LanRow;
const node = { id: 1, name: "site" } as NodeCard;

describe("forwarding of a LAN section", () => {
  it("B-6-17: is shown and cannot be switched with showForward and without enableForward", () => {
    const part = <LanSwitch of="forward" row={row} node={node} />;
    const shown = renderForTest(part, ["lansectionShowForward"]);
    expect(shown).toContain("启用");
    expect(shown).not.toContain('role="switch"');
    expect(renderForTest(part, ["lansectionShowForward", "lansectionEnableForward"])).toContain(
      'role="switch"',
    );
  });
});
