import { describe, expect, test } from "vitest";
import { circuitVerdicts } from "./circuits.ts";
import { specialLineFindings } from "./special-lines.ts";

const can = (...names: readonly string[]) => names.map((name) => ({ name, can: true }));
const lines = [
  { id: 7, slot: 1, name: "电信", quality: 0 },
  { id: 8, slot: 2, name: "联通", quality: 1 },
];

describe("a special line", () => {
  test("acts where the device looks at lines and a space has classes", () => {
    const context = { capabilities: can("path.lines"), classedSpaces: new Set([3]) };
    expect(specialLineFindings(lines, context)).toEqual([]);
  });

  test("is found on a device that does not, and in an enterprise without classes", () => {
    const found = (capabilities: ReturnType<typeof can> | null) =>
      specialLineFindings(lines, { capabilities, classedSpaces: new Set() });
    expect(found(can("path.classes"))).toMatchObject([
      {
        family: "line",
        objectId: 8,
        name: "联通",
        effect: "fallback",
        reason: "fieldNotCarriedOut",
      },
    ]);
    expect(found(can("path.lines"))).toMatchObject([{ objectId: 8, reason: "noClasses" }]);
    expect(found(null)).toEqual([]);
  });
});

describe("a circuit that is a special line", () => {
  const sold = {
    id: 1,
    name: "gold",
    peer: 5,
    peerKind: "pop" as const,
    guaranteed: null,
    spaceId: 3,
    networks: [],
    quality: 2,
  };
  const context = (more: object) => ({
    kind: "cpe" as const,
    rate: null,
    tunnels: 0,
    tunnelGuarantee: 0,
    linksOf: () => [11],
    capabilities: can("circuits", "path.lines"),
    classedSpaces: new Set([3]),
    ...more,
  });
  const reason = (more: object, one: object = {}) => {
    const circuit = { ...sold, ...one };
    return circuitVerdicts([circuit], context(more)).get(circuit)?.reason ?? null;
  };

  test("acts over a link straight to its other end, in a space with classes", () => {
    expect(reason({ isDirect: () => true })).toBeNull();
    expect(reason({ isDirect: () => false })).toBe("noDirectLink");
    expect(reason({ classedSpaces: new Set([4]) })).toBe("noClasses");
    expect(reason({ capabilities: can("circuits") })).toBe("fieldNotCarriedOut");
    expect(reason({ isDirect: () => false }, { quality: 0 })).toBeNull();
  });
});
