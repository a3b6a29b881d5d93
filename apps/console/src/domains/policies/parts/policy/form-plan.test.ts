import { accessType, urlAction } from "@weft/contract/domains/policies/enums.ts";
import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { policySamples } from "@weft/contract/domains/policies/policy-samples.ts";
import { toRequest } from "@weft/contract/kernel/client.ts";
import { policyScopes } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { describe, expect, it, test } from "vitest";
import { checkDraft } from "#kernel/form/field-schema.ts";
import { applies, formPlan, isNeeded, onlyApplying, startOf } from "./form-plan.ts";

const shownFields = (name: string, draft: object): string[] => {
  const family = policyFamily(name);
  const { first, together, last } = formPlan(family);
  return [...first, ...together.flatMap(({ fields }) => fields), ...last].filter((field) =>
    applies(family, field, { ...draft } as never),
  );
};
const untouched = (name: string): Record<string, unknown> => {
  const family = policyFamily(name);
  return Object.fromEntries(
    Object.keys(family.spec.fields.shape).map((field) => [field, startOf(family, field)]),
  );
};

describe("the form of a policy object", () => {
  it.each(policyFamilies.map((family) => [family.name, family] as const))(
    "%s has every field once",
    (_, family) => {
      const { first, together, last } = formPlan(family);
      const all = [...first, ...together.flatMap(({ fields }) => fields), ...last];
      const own = Object.keys(family.spec.fields.shape).filter((field) => field !== "kind");
      expect([...all].sort()).toEqual(own.sort());
    },
  );

  it("shows an address only for a static line, and an account only for PPPoE", () => {
    const lines = (accessType: number) =>
      shownFields("routerInterfaceline", {
        ...untouched("routerInterfaceline"),
        kind: "wan",
        accessType,
      });
    expect(lines(0)).not.toContain("ip");
    expect(lines(1)).toEqual(expect.arrayContaining(["ip", "mask", "gateway", "accessposition"]));
    expect(lines(1)).not.toContain("pppoeUser");
    expect(lines(2)).toEqual(expect.arrayContaining(["pppoeUser", "pppoePassword"]));
    expect(lines(2)).not.toContain("ip");
    expect(lines(1)).not.toContain("dhcpStart");
  });

  it.each([
    ["routerPolicyroute", "nextHop", { lineGroup: 0 }],
    ["routerUrlrule", "redirectUrl", { action: urlAction.redirect }],
    ["routerInterfaceline", "accessposition", { kind: "wan" }],
    ["routerInterfaceline", "ip", { accessType: accessType.fixed }],
    ["routerInterfaceline", "mask", { accessType: accessType.fixed, ip: "192.0.2.2" }],
    ["routerInterfaceline", "pppoeUser", { accessType: accessType.pppoe }],
  ] as const)("marks %s.%s as required where it applies", (name, field, when) => {
    const family = policyFamily(name);
    const start = startOf(family, field);
    const draft = {
      ...policySamples[name]?.valid({ routerUrlgroup: 1 }, "a"),
      ...when,
      [field]: start,
    };
    expect(applies(family, field, draft)).toBe(true);
    expect(isNeeded(family, field)).toBe(true);
    const checked = checkDraft(family.spec.fields, draft);
    expect(checked.ok ? [] : checked.issues).toEqual([
      expect.objectContaining({ path: field, rule: "required" }),
    ]);
  });

  it("drops what does not apply when it is sent", () => {
    const family = policyFamily("routerUrlrule");
    const draft = { ...untouched("routerUrlrule"), action: 1, redirectUrl: "https://example.com/" };
    expect(onlyApplying(family, draft)).toMatchObject({ action: 1, redirectUrl: null });
    const kept = { ...draft, action: 2 };
    expect(onlyApplying(family, kept)).toEqual(kept);
    const route = { ...untouched("routerPolicyroute"), lineGroup: 3, nextHop: "10.0.0.1" };
    expect(onlyApplying(policyFamily("routerPolicyroute"), route)).toMatchObject({ nextHop: null });
  });
});

/** Fields of the form as they go out. */
const sentOf = (resource: AnyResource, draft: object): Record<string, unknown> => {
  const { body } = toRequest(resource.ops.add, draft as never);
  return Object.fromEntries(body ?? []);
};

test("B-3-11: several days go out as a comma-joined list", () => {
  const draft = { ...untouched("routerDnscontrol"), name: "split", serverip: "10.0.0.53" };
  const sent = sentOf(policyFamily("routerDnscontrol").template.resource, {
    ...draft,
    effectivedate: [1, 3, 5],
    templateId: 7,
  });
  expect(sent.effectivedate).toBe("1,3,5");
});

test("B-5-24: untouched fields go out as the empty string or 0, never as undefined or null", () => {
  const family = policyFamily("routerPolicyroute");
  for (const scope of policyScopes) {
    const owner = scope === "template" ? { templateId: 7 } : { cpeId: 7, popId: null };
    const touched = { name: "voice", enable: true, nextHop: "10.0.0.1" };
    const draft = { ...untouched(family.name), ...touched, ...owner };
    const sent = sentOf(family[scope].resource, draft);
    expect(Object.keys(sent).sort()).toEqual(Object.keys(draft).sort());
    const rest = Object.entries(sent).filter(
      ([field]) => !(field in touched) && sent[field] !== "7",
    );
    expect([...new Set(rest.map(([, value]) => value))].sort()).toEqual(["", "0"]);
  }
});
