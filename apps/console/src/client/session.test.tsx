import { describe, expect, it } from "vitest";
import { RowActions } from "#kernel/list/row-actions.tsx";
import { renderForTest } from "./render-for-test.tsx";
import { May } from "./session.tsx";

describe("what a person may not do", () => {
  it("B-6-07: is not in the document, neither hidden nor disabled", () => {
    const part = (
      <May code="cpeRemove">
        <button type="button">Take it away</button>
      </May>
    );
    expect(renderForTest(part, ["cpeRemove"])).toContain("Take it away");
    expect(renderForTest(part, ["cpeAdd", "cpeEdit"])).toBe("");
  });

  it("is no action of a row either", () => {
    const actions = [
      { key: "edit", label: "Edit", may: "cpeEdit" as const, run: () => undefined },
      { key: "remove", label: "Remove", may: "cpeRemove" as const, run: () => undefined },
    ];
    const html = renderForTest(<RowActions actions={actions} />, ["cpeEdit"]);
    expect([html.includes("Edit"), html.includes("Remove")]).toEqual([true, false]);
  });
});
