import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { passwordForm } from "@weft/contract/domains/access/session.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { describe, expect, it, test } from "vitest";
import type { z } from "zod";
import { checkDraft, isNullable, isRequired, issueOfField, kindOf } from "./field-schema.ts";

const draftIssues = (schema: z.ZodType, values: Record<string, unknown>) => {
  const checked = checkDraft(schema, values);
  return checked.ok ? [] : checked.issues;
};

const ids = { groupid: 1, cpeId: 2, popId: 3 };
const names = Object.keys(allResources) as ResourceName[];

describe.each(names)("the form of %s has the rules of the API", (name) => {
  const draft = allResources[name].draft as z.ZodObject;
  const sample = samples[name];

  test("its valid samples are free of mistakes", () => {
    expect(draftIssues(draft, sample.valid(ids))).toEqual([]);
    expect(draftIssues(draft, sample.edited(ids))).toEqual([]);
  });

  test.each(sample.invalid)("$field = $value breaks $rule", ({ field, value, rule, beside }) => {
    const issues = draftIssues(draft, { ...sample.valid(ids), ...beside, [field]: value });
    expect(issueOfField(issues, field)).toMatchObject({ rule });
  });

  test("an empty form names every required field", () => {
    const wrong = draftIssues(draft, {}).map(({ path }) => path);
    for (const [field, schema] of Object.entries(draft.shape as Record<string, z.ZodType>)) {
      if (!isRequired(schema)) continue;
      expect(wrong).toContain(field);
    }
  });
});

describe("text is read as the API reads it", () => {
  it("is sent without the blanks around it", () => {
    const { draft } = allResources.cpe;
    const checked = checkDraft(draft, { ...samples.cpe.valid(ids), alias: " SH-01 " });
    expect(checked).toMatchObject({ ok: true, value: { alias: "SH-01" } });
  });

  it("may be left out where the rules allow it", () => {
    const { remark: _, expireTime: __, ...values } = samples.cpe.valid(ids);
    const checked = checkDraft(allResources.cpe.draft, values);
    expect(checked).toMatchObject({ ok: true, value: { remark: "", expireTime: null } });
  });

  it("refuses a name of blanks as the API does", () => {
    const draft = allResources.user.draft;
    const values = { ...samples.user.valid(ids), loginName: "   " };
    expect(issueOfField(draftIssues(draft, values), "loginName")?.rule).toBe("required");
  });
});

describe("the password form", () => {
  const valid = {
    userId: 1,
    oldPsw: "old-1",
    newPsw: "new-12",
    rePsw: "new-12",
    revokeKeys: true,
  };
  it.each([
    [{}, null, null],
    [{ rePsw: "other" }, "rePsw", "same"],
    [{ newPsw: "a b c d", rePsw: "a b c d" }, "newPsw", "password"],
    [{ newPsw: "1234", rePsw: "1234" }, "newPsw", "password"],
    [{ oldPsw: "" }, "oldPsw", "required"],
  ])("%j", (change, field, rule) => {
    const issues = draftIssues(passwordForm, { ...valid, ...change });
    if (field === null) expect(issues).toEqual([]);
    else expect(issueOfField(issues, field)?.rule).toBe(rule);
  });
});

describe("controls follow from the zod type", () => {
  const line = allResources.line.draft.shape;
  const cpe = allResources.cpe.draft.shape;
  it.each([
    ["alias", cpe.alias, "text"],
    ["enable", cpe.enable, "switch"],
    ["longitude", cpe.longitude, "number"],
    ["expireTime", cpe.expireTime, "dateTime"],
    ["remark", cpe.remark, "remark"],
    ["mtu", line.mtu, "number"],
    ["addressing", line.addressing, "select"],
    ["ip", line.ip, "text"],
  ] as const)("%s", (name, schema, kind) => {
    expect(kindOf(name, schema)).toBe(kind);
  });

  it("reports which fields may be empty", () => {
    expect([isNullable(cpe.longitude), isRequired(cpe.longitude)]).toEqual([true, false]);
    expect([isNullable(cpe.alias), isRequired(cpe.alias)]).toEqual([false, true]);
    expect([isNullable(cpe.remark), isRequired(cpe.remark)]).toEqual([false, false]);
  });
});

test("B-5-22: a wrong last character of a national ID has a message of its own", () => {
  const { draft } = allResources.comAudit;
  const messageOf = (idCard: string) => {
    const issues = draftIssues(draft, { ...samples.comAudit.valid(ids), idCard });
    const issue = issueOfField(issues, "idCard");
    return issue && findMessage(`rule.${issue.rule}`)?.[0];
  };
  // The example of GB 11643-1999 ends with X.
  expect(messageOf("11010519491231002X")).toBeNull();
  expect(messageOf("110105194912310021")).toBe(findMessage("rule.idLast")?.[0]);
  expect(messageOf("1101051949")).toBe(findMessage("rule.idFormat")?.[0]);
  expect(findMessage("rule.idLast")?.[0]).not.toBe(findMessage("rule.idFormat")?.[0]);
});
